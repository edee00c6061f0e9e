package policy

// Config is everything that a namespace's policy is made of, at one configuration epoch.
type Config struct {
	Tools    []Tool
	Rules    []Rule
	Standing []StandingTerms
	Switches []Switch
}

// Tool is what the policy must know of a tool's newest version.
type Tool struct {
	Name         string
	Version      int64
	Class        string // registry.Class
	Mutates      bool
	Irreversible bool
	Intent       string
	EntityType   string // empty: the tool names no entity
	Arguments    *Shape // of the canonical arguments
	Result       *Shape // of the result; nil: not known
	Rules        ToolRules
}

// Shape is the type of a canonical value, as far as the tool's schema and field rules tell it.
type Shape struct {
	Kind     ShapeKind
	Fields   map[string]*Shape // of an object
	Required map[string]bool   // fields that are always there; a rule asks has() for others
	Open     bool              // an object may have other fields as well
	Items    *Shape            // of an array
}

// ShapeKind is a kind of canonical value.
type ShapeKind string

// The kinds of values.
const (
	ShapeAny     ShapeKind = "any"
	ShapeObject  ShapeKind = "object"
	ShapeArray   ShapeKind = "array"
	ShapeString  ShapeKind = "string"
	ShapeInteger ShapeKind = "integer"
	ShapeNumber  ShapeKind = "number"
	ShapeBoolean ShapeKind = "boolean"
	ShapeMoney   ShapeKind = "money" // {currency: string, minor: int}; its canonical form writes minor as text
)
