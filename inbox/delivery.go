package inbox

import (
	"errors"
	"fmt"
	"net/textproto"
	"strconv"
	"time"
)

// MaxBodyBytes bounds a delivery's body. Vendors' events are far below it (GitHub's, the largest, are cut at 25 MB and
// seldom above 100 KB); larger ones carry data that the ledger has no use for.
const MaxBodyBytes = 1 << 20

// Delivery is a webhook as it came: byte for byte, since signatures are over bytes.
type Delivery struct {
	Header map[string][]string // by canonical name, as net/http has them
	Body   []byte
}

// ErrSignature says that a delivery is not proven to be its source's. What exactly is wrong is for its operator's log,
// never for whoever sent it.
var ErrSignature = errors.New("the delivery is not signed by its source")

func unsigned(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrSignature, fmt.Sprintf(format, args...))
}

// one is the value of a header that must be there once. Two of them leave open which one was checked.
func (d *Delivery) one(name string) (string, error) {
	values := d.Header[textproto.CanonicalMIMEHeaderKey(name)]
	switch {
	case len(values) == 0 || values[0] == "":
		return "", unsigned("the header %s is missing", name)
	case len(values) > 1:
		return "", unsigned("the header %s is there %d times", name, len(values))
	}
	return values[0], nil
}

// lastSecond is the last one that a time is read from: the end of the year 9999, as in RFC 3339.
const lastSecond = 253402300799

// seconds reads a time of whole seconds since 1970.
func seconds(text string) (time.Time, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 || n > lastSecond {
		return time.Time{}, unsigned("its timestamp is not a number of seconds")
	}
	return time.Unix(n, 0).UTC(), nil
}
