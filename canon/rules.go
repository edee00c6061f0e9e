package canon

// Rules says how the arguments of one tool are normalized before they are compared. The zero value has no rule: then
// arguments are compared as RFC 8785 compares them.
type Rules struct {
	// Fields maps a JSON Pointer, with * for each array item, to the rule of that field. A rule holds for its pointer
	// only; another field of the same name is not touched. Null passes every rule unchanged: whether a field may be
	// null is for the schema to say.
	Fields map[string]Rule
	// Null says whether a member that is null is the same as an absent one.
	Null NullOption
	// Defaults maps a pointer to the value that is filled in where the parent exists and the member is absent, after
	// Null was applied and before the rules are. A default never creates its parent.
	Defaults map[string]*Value
	// Sensitive lists pointers whose values take part in identity through a keyed hash only. Null and empty values are
	// left as they are, so that a key can still refuse them.
	Sensitive []string
}

// NullOption says what a null member means.
type NullOption string

// The null options. Array items are never dropped, and a parent that becomes empty stays.
const (
	NullDistinct NullOption = "distinct" // the default: null is a value
	NullAbsent   NullOption = "absent"   // an object member that is null counts as absent, at every depth
)

// RuleKind says what a field means.
type RuleKind string

// The kinds of rules.
const (
	RuleNumber     RuleKind = "number"     // a JSON number, by value
	RuleMoney      RuleKind = "money"      // an amount, as minor units and currency
	RuleTimestamp  RuleKind = "timestamp"  // an instant with an offset, in UTC at a precision
	RuleDate       RuleKind = "date"       // a calendar date without a zone
	RuleBucket     RuleKind = "bucket"     // an instant reduced to the local day or hour that holds it
	RuleEnum       RuleKind = "enum"       // one of some words
	RuleIdentifier RuleKind = "identifier" // a string that names something; never a number
	RuleText       RuleKind = "text"       // words for people: Unicode NFC, white space as stated
	RuleEmail      RuleKind = "email"      // one address without a display name
	RulePhone      RuleKind = "phone"      // a telephone number, to E.164
	RuleSet        RuleKind = "set"        // order and repeats of the items do not count
	RuleList       RuleKind = "list"       // order and repeats count
	RuleIgnore     RuleKind = "ignore"     // no part of the identity
)

// Rule is the rule of one field. Which options a kind takes is said beside them; any other is refused by Compile.
type Rule struct {
	Kind RuleKind

	Form          Form   // money: required, never guessed from the look of a value
	Currency      string // money: the ISO 4217 code, or else:
	CurrencyField string // money: the pointer of the code, whose * stand for the same items as those of the amount

	Precision Precision // timestamp: required
	Excess    Excess    // timestamp: what to do with digits beyond the precision

	Unit Unit   // bucket: required
	Zone string // bucket: required, an IANA name such as Europe/Berlin

	Values  []string          // enum: required
	Aliases map[string]string // enum: another word for one of the values
	Case    Case              // enum: exact or fold; identifier: exact, lower or upper

	Trim bool // identifier: white space at the ends is removed

	Whitespace Whitespace // text
	Newlines   Newlines   // text

	Local Local // email

	Region string // phone: ISO 3166 code of the region in which a number without + is dialled; see PhoneRegions

	Of *Rule // set and list: the rule of each item
}

// Form says in which unit an amount is written.
type Form string

// The forms of money.
const (
	FormMajor Form = "major" // 49.00 dollars: a JSON number or a decimal string
	FormMinor Form = "minor" // 4900 cents: a whole JSON number, or a string of digits
)

// Precision is the finest digit of a timestamp that counts.
type Precision string

// The precisions.
const (
	PrecisionSecond Precision = "s"
	PrecisionMilli  Precision = "ms"
	PrecisionMicro  Precision = "us"
	PrecisionNano   Precision = "ns"
)

// Excess says what becomes of digits other than zero beyond the precision.
type Excess string

// The answers to excess digits. Nothing is ever rounded.
const (
	ExcessRefuse   Excess = "refuse" // the default
	ExcessTruncate Excess = "truncate"
)

// Unit is the length of a time bucket.
type Unit string

// The units of a bucket.
const (
	UnitDay  Unit = "day"  // the local calendar day, of 23, 24, 25 or another number of hours
	UnitHour Unit = "hour" // absolute time from one full local hour to the next; a repeated hour is two buckets
)

// Case says how the case of ASCII letters is treated; other letters are never folded, whatever the locale.
type Case string

// The cases.
const (
	CaseExact Case = "exact" // the default
	CaseFold  Case = "fold"
	CaseLower Case = "lower"
	CaseUpper Case = "upper"
)

// Whitespace says how Unicode White_Space is treated in a text.
type Whitespace string

// The white space options.
const (
	WhitespaceExact    Whitespace = "exact" // the default
	WhitespaceTrim     Whitespace = "trim"  // at both ends removed
	WhitespaceCollapse Whitespace = "collapse"
)

// Newlines says how line ends are treated in a text.
type Newlines string

// The newline options.
const (
	NewlinesKeep Newlines = "keep" // the default
	NewlinesLF   Newlines = "lf"   // CRLF and CR become LF
)

// Local says how the part of an e-mail address before the @ is treated.
type Local string

// The options of the local part.
const (
	LocalExact Local = "exact" // the default: the host alone knows whether case counts
	LocalLower Local = "lower" // ASCII letters only
)

// Hasher gives the keyed hash that stands for a sensitive value in the identity. The pointer is the one of the rule,
// with * for array items, so that an item hashes alike wherever in a set it stands. It must be deterministic.
type Hasher func(pointer string, canonical []byte) string

// Amount is money as an exact count of minor units.
type Amount struct {
	Minor    int64  // 4900 for 49.00 USD
	Currency string // ISO 4217
}
