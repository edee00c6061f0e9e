package canon

// The limits of a document, each with its reason. They bound memory and time before anything else looks at the text.
const (
	// MaxBytes is what one set of arguments may weigh. Arguments of tool calls are a few kilobytes; what is larger
	// belongs in a store and travels by reference. It also bounds what a row holds.
	MaxBytes = 256 << 10
	// MaxDepth is how deep arrays and objects may nest. Deeper texts are refused, not cut.
	MaxDepth = 64
	// MaxValues bounds all values of one document together, so that time and memory stay proportional to small texts.
	MaxValues = 20_000
	// MaxNameBytes bounds one member name, because names come back in JSON pointers, faults and columns.
	MaxNameBytes = 512
	// MaxNumberBytes bounds one number literal: the longest exact decimal text of a double has 1,076 digits, and
	// no amount or count needs a tenth of that.
	MaxNumberBytes = 128
	// MaxFaults is how many faults one answer names. A client that sends more repairs the first ones first.
	MaxFaults = 32
)

// Limits bounds one document. A field that is zero takes the limit of the constant that has its name.
type Limits struct {
	Bytes       int
	Depth       int
	Values      int
	NameBytes   int
	NumberBytes int
	Faults      int
}

func (l Limits) withDefaults() Limits {
	for _, field := range []struct {
		value    *int
		fallback int
	}{
		{&l.Bytes, MaxBytes}, {&l.Depth, MaxDepth}, {&l.Values, MaxValues},
		{&l.NameBytes, MaxNameBytes}, {&l.NumberBytes, MaxNumberBytes}, {&l.Faults, MaxFaults},
	} {
		if *field.value <= 0 {
			*field.value = field.fallback
		}
	}
	return l
}
