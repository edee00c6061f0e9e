package canon

import (
	"regexp"
	"strconv"

	"github.com/cockroachdb/apd/v3"
)

// MaxMinorDigits bounds an amount in minor units, so that it, and a sum of several, fits an int64.
const MaxMinorDigits = 18

// What a string may say: in major units digits with an optional point, in minor units digits alone ("4900.00" would
// look like major units). No grouping signs, which mean a thousand here and one there; no currency sign, no exponent.
var (
	majorText = regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?$`)
	minorText = regexp.MustCompile(`^-?[0-9]+$`)
)

// money turns an amount into minor units and a currency: {"currency":"USD","minor":"4900"}.
func (r *run) money(c *compiled, v *Value, at Pointer) (*Value, *problem) {
	currency, wrong := r.currency(c, at)
	if wrong != nil {
		return nil, wrong
	}
	minor, wrong := minorUnits(v, c.Form, currency)
	if wrong != nil {
		return nil, wrong
	}
	if r.out.Money != nil {
		r.out.Money[at.String()] = Amount{minor, currency}
	}
	return moneyValue(Amount{minor, currency}), nil
}

// moneyValue is how an amount stands in the identity. The minor units are a string, since they may pass 2^53.
func moneyValue(a Amount) *Value {
	return newObject([]Member{{"currency", String(a.Currency)}, {"minor", String(strconv.FormatInt(a.Minor, 10))}})
}

// currency gives the currency of the amount at a place, read by its own rule from the same document.
func (r *run) currency(c *compiled, at Pointer) (string, *problem) {
	if c.Currency != "" {
		return c.Currency, nil
	}
	if r.trial {
		return trialCurrency, nil
	}
	where := make(Pointer, len(c.currencyField))
	for i, token := range c.currencyField {
		if where[i] = token; token == each {
			where[i] = at[i]
		}
	}
	v, found := r.prepared.At(where)
	if !found || v.IsNull() {
		return "", &problem{ReasonUnknownCurrency, "The amount has no currency; send it at " + where.String() + "."}
	}
	code, isText := v.Text()
	if !isText {
		return "", &problem{ReasonUnknownCurrency, "The currency at " + where.String() + " is no string."}
	}
	rule := r.n.patterns[c.CurrencyField]
	var wrong *problem
	if rule.Kind == RuleEnum {
		code, wrong = rule.enum(code)
	} else {
		code, wrong = rule.identifier(code)
	}
	code = asciiUpper(code)
	if _, known := currencyExponent(code); wrong != nil || !known {
		return "", &problem{ReasonUnknownCurrency, "The value at " + where.String() + " is no currency that the tool takes."}
	}
	return code, nil
}

// trialCurrency has the finest minor unit of all, so that a default whose currency is not known yet is checked for its
// form only.
const trialCurrency = "CLF"

// minorUnits reads an amount from the digits of its literal, by decimal arithmetic and never through a double.
func minorUnits(v *Value, form Form, currency string) (int64, *problem) {
	literal, pattern := v.text, majorText
	if form == FormMinor {
		pattern = minorText
	}
	if v.kind == KindString && (len(literal) > MaxNumberBytes || !pattern.MatchString(literal)) {
		if form == FormMinor {
			return 0, &problem{ReasonMalformed, "The amount is a whole number of minor units; send digits without point, grouping or currency sign."}
		}
		return 0, &problem{ReasonMalformed, `The amount is a decimal in major units such as "1000.00"; send it without grouping, currency sign or exponent.`}
	}
	amount, _, err := apd.NewFromString(literal)
	if err != nil {
		return 0, &problem{ReasonMalformed, `The amount cannot be read; send a decimal string such as "49.00".`}
	}
	if form == FormMajor {
		exponent, _ := currencyExponent(currency)
		amount.Exponent += int32(exponent)
	}
	amount.Reduce(amount)
	switch {
	case amount.Exponent < 0 && form == FormMinor:
		return 0, &problem{ReasonTooFine, "The amount is a fraction of a minor unit; send a whole number of minor units."}
	case amount.Exponent < 0:
		return 0, &problem{ReasonTooFine, "The amount is finer than the smallest unit of " + currency + "; it is never rounded: send a decimal string that is exact."}
	case amount.NumDigits()+int64(amount.Exponent) > MaxMinorDigits:
		return 0, &problem{ReasonTooLarge, "The amount has more than " + strconv.Itoa(MaxMinorDigits) + " digits in minor units."}
	}
	minor, err := amount.Int64()
	if err != nil {
		return 0, &problem{ReasonTooLarge, "The amount has more than " + strconv.Itoa(MaxMinorDigits) + " digits in minor units."}
	}
	return minor, nil
}
