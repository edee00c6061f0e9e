package canon

import (
	"math"
	"strconv"
	"strings"
)

// FirstUnsafe is 2^53, the first whole number that a double cannot tell from a neighbour (2^53+1).
const FirstUnsafe = 1 << 53

// FromStructNumber takes a number that came as a double, as google.protobuf.Struct carries it. A whole number at or
// beyond ±2^53 is refused, because the double may already stand for a neighbour of what was sent.
func FromStructNumber(pointer string, f float64) (*Value, Faults) {
	switch {
	case math.IsNaN(f) || math.IsInf(f, 0):
		return nil, Faults{{pointer, ReasonSyntax, "NaN and infinity are no JSON numbers; send a finite number, or leave the field out."}}
	case math.Abs(f) >= FirstUnsafe && f == math.Trunc(f):
		return nil, Faults{{pointer, ReasonNumberChanged, "A whole number at or beyond 2^53 has lost digits in a Struct; send it as a string, or send the arguments as JSON text."}}
	}
	return &Value{kind: KindNumber, text: esNumber(f)}, nil
}

// checkNumber tells whether a literal of correct grammar means the same number after a double carried it.
//
// Refused are literals that overflow or underflow, whole numbers whose RFC 8785 text names another number (2^53+1, or
// 2^68 written out), and numbers with a fraction of which a double makes a whole number (every one beyond 2^53): there
// two different numbers, perhaps two ids, would become one. Other fractions are read as RFC 8785 reads them.
func checkNumber(literal string) (Reason, string) {
	exact := decompose(literal)
	f, err := strconv.ParseFloat(literal, 64)
	switch {
	case exact.digits == "":
		return "", ""
	case err != nil: // of correct grammar, nothing but an overflow is refused
		return ReasonNumberOverflow, "The number is too large for a double; send it as a string."
	case f == 0:
		return ReasonNumberUnderflow, "The number is too small for a double and would become zero; send it as a string."
	}
	carried := decompose(esNumber(f))
	if carried.whole() && carried != exact {
		return ReasonNumberChanged, "A double cannot carry this number and would make another one of it; send it as a string."
	}
	return "", ""
}

// decimal is a number in one exact form: digits without zeros at either end, times ten to the power of exponent.
type decimal struct {
	negative bool
	digits   string // empty for zero
	exponent int
}

// whole reports whether the number has no fraction.
func (d decimal) whole() bool { return d.exponent >= 0 }

// exponentBound stands for any exponent beyond it; every double lies far inside.
const exponentBound = 1 << 20

// decompose reads a literal of correct JSON grammar without losing anything.
func decompose(literal string) decimal {
	var d decimal
	mantissa := literal
	if at := strings.IndexAny(literal, "eE"); at >= 0 {
		mantissa = literal[:at]
		n, err := strconv.Atoi(literal[at+1:])
		if err != nil || n > exponentBound || n < -exponentBound {
			n = exponentBound
			if literal[at+1] == '-' {
				n = -exponentBound
			}
		}
		d.exponent = n
	}
	mantissa, d.negative = strings.CutPrefix(mantissa, "-")
	before, after, _ := strings.Cut(mantissa, ".")
	d.exponent -= len(after)
	d.digits = strings.TrimLeft(before+after, "0")
	trimmed := strings.TrimRight(d.digits, "0")
	d.exponent += len(d.digits) - len(trimmed)
	d.digits = trimmed
	if d.digits == "" {
		return decimal{}
	}
	return d
}

// esNumber writes a finite double as ECMAScript's Number::toString does, which is what RFC 8785 section 3.2.2.3 asks.
func esNumber(f float64) string {
	if f == 0 {
		return "0" // negative zero as well
	}
	text := strconv.FormatFloat(f, 'e', -1, 64) // the shortest digits that name this double: d.ddde±xx
	text, negative := strings.CutPrefix(text, "-")
	mantissa, power, _ := strings.Cut(text, "e")
	digits := strings.Replace(mantissa, ".", "", 1)
	exponent, _ := strconv.Atoi(power)
	point := exponent + 1 // where the decimal point stands, counted from the first digit

	var b strings.Builder
	if negative {
		b.WriteByte('-')
	}
	switch {
	case len(digits) <= point && point <= 21:
		b.WriteString(digits)
		b.WriteString(strings.Repeat("0", point-len(digits)))
	case 0 < point && point <= 21:
		b.WriteString(digits[:point] + "." + digits[point:])
	case -6 < point && point <= 0:
		b.WriteString("0." + strings.Repeat("0", -point) + digits)
	default:
		b.WriteString(digits[:1])
		if len(digits) > 1 {
			b.WriteString("." + digits[1:])
		}
		b.WriteByte('e')
		if exponent > 0 {
			b.WriteByte('+')
		}
		b.WriteString(strconv.Itoa(exponent))
	}
	return b.String()
}

// canonicalNumber gives the RFC 8785 text of a literal that checkNumber let pass.
func canonicalNumber(literal string) string {
	f, err := strconv.ParseFloat(literal, 64)
	if err != nil {
		return literal // never from Parse; Check finds it in what was put together by hand
	}
	if n := decompose(literal); n.whole() && decompose(esNumber(f)) != n {
		return literal // likewise: an Int beyond 2^53 stays what it is, so that Check can refuse it
	}
	return esNumber(f)
}
