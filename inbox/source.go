package inbox

import (
	"fmt"
	"time"

	"github.com/opledger/opledger/internal/outward"
	"github.com/opledger/opledger/ledger"
)

// Settings say how one source's deliveries are checked and read. A source is the events of one account at one provider:
// its operations' tools name it as provider.webhook_source.
type Settings struct {
	Name      string
	Namespace ledger.Namespace
	Preset    string // one of the presets; "hmac": as HMAC says; "none": nothing is signed
	HMAC      *HMAC
	URL       string // the endpoint as the vendor knows it, where it signs that
	Secrets   []outward.Place
	Tolerance time.Duration // zero: DefaultTolerance
	Fields    Fields
	// Verdicts say what events mean, by type or by what VerdictBy names.
	Verdicts map[string]ledger.Says
}

// Source is a source that is ready to check deliveries.
type Source struct {
	Settings
	scheme scheme
	places places
}

// newSource completes settings that were checked.
func newSource(s Settings) (*Source, error) {
	p := presets[s.Preset]
	s.Fields = s.Fields.or(p.fields)
	if s.Tolerance == 0 {
		s.Tolerance = DefaultTolerance
	}
	read, err := s.Fields.places()
	if err != nil {
		return nil, err
	}
	return &Source{Settings: s, scheme: p.scheme(&s), places: read}, nil
}

// Keys reads the source's secrets. During a rotation it has two: either is right.
func (s *Source) Keys(secrets *outward.Secrets) ([][]byte, error) {
	var keys [][]byte
	for _, place := range s.Secrets {
		text, err := secrets.Read(place)
		if err != nil {
			return nil, err
		}
		key, err := s.scheme.key(text)
		if err != nil {
			return nil, fmt.Errorf("%s %w", place, err)
		}
		keys = append(keys, key)
	}
	return keys, nil
}

// Prove checks whose a delivery is. Its time is checked by Fresh, so that no clock is asked on behalf of a stranger.
func (s *Source) Prove(d *Delivery, keys [][]byte) (Proof, error) { return s.scheme.prove(d, keys) }

// Fresh checks a proof's time by the source's tolerance.
func (s *Source) Fresh(p Proof, now time.Time) error { return p.Fresh(now, s.Tolerance) }

// Sign makes the headers of a delivery as the source would, for trials.
func (s *Source) Sign(d *Delivery, key []byte, id string, at time.Time) (map[string]string, error) {
	return s.scheme.sign(d, key, id, at)
}

// Signs reports whether the source signs at all.
func (s *Source) Signs() bool { return s.Preset != "none" }
