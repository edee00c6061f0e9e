package callers

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"time"
)

// claims are the claims of a verified token, by their names. Numbers are kept as they were written.
type claims map[string]any

func readClaims(payload []byte) (claims, error) {
	var c claims
	d := json.NewDecoder(bytes.NewReader(payload))
	d.UseNumber()
	if err := d.Decode(&c); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) || c == nil {
		return nil, errors.New("no single JSON object")
	}
	return c, nil
}

// at follows a path such as "realm_access.roles". A claim whose name itself is the path goes first, since names of
// one's own are URLs by custom and have dots in them.
func (c claims) at(path string) any {
	if v, whole := c[path]; whole {
		return v
	}
	var v any = map[string]any(c)
	for name := range strings.SplitSeq(path, ".") {
		object, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = object[name]
	}
	return v
}

// text is a claim that is a string.
func (c claims) text(path string) string {
	s, _ := c.at(path).(string)
	return s
}

// words is a claim that is a list of strings, or one string with spaces between its words, as scope is.
func (c claims) words(path string) []string {
	switch v := c.at(path).(type) {
	case string:
		return strings.Fields(v)
	case []any:
		var words []string
		for _, item := range v {
			if word, ok := item.(string); ok {
				words = append(words, word)
			}
		}
		return words
	}
	return nil
}

// maxEpoch is the largest number of seconds that is read as an instant: the year 9999.
const maxEpoch = 253402300799

// instant reads a NumericDate (RFC 7519, section 2). A fraction is left out: no issuer's clock is meant that exactly.
func (c claims) instant(name string) (at time.Time, stated bool, err error) {
	v, stated := c[name]
	if !stated {
		return at, false, nil
	}
	number, ok := v.(json.Number)
	if !ok {
		return at, true, errors.New("no number")
	}
	seconds, err := number.Float64()
	if err != nil || seconds < 0 || seconds > maxEpoch {
		return at, true, errors.New("no instant")
	}
	return time.Unix(int64(seconds), 0), true, nil
}

// checkClaims holds a verified token to its times and its audience. The issuer is checked again, now that it is believed.
func (j *JWT) checkClaims(c claims) error {
	if c.text("iss") != j.config.Issuer {
		return refuseJWT(FaultWrongIssuer, "the iss claim is not "+j.config.Issuer)
	}
	now := j.config.Clock()
	expires, stated, err := c.instant("exp")
	if err != nil || !stated {
		return refuseJWT(FaultMalformed, "the token has no readable exp claim, and one that never ends is not taken")
	}
	if !now.Before(expires.Add(j.config.Leeway)) {
		return refuseJWT(FaultExpired, "")
	}
	for _, name := range []string{"nbf", "iat"} {
		begins, stated, err := c.instant(name)
		if err != nil {
			return refuseJWT(FaultMalformed, "the claim "+name+" is no instant")
		}
		if stated && begins.After(now.Add(j.config.Leeway)) {
			return refuseJWT(FaultNotYetValid, "the claim "+name+" lies in the future")
		}
	}
	if !c.meansAudience(j.config.Audience) {
		return refuseJWT(FaultWrongAudience, "the aud claim does not name "+j.config.Audience)
	}
	return nil
}

// meansAudience reads the aud claim, which is one string or a list. A string is taken whole: no audience has spaces.
func (c claims) meansAudience(want string) bool {
	switch v := c["aud"].(type) {
	case string:
		return v == want
	case []any:
		for _, item := range v {
			if item == any(want) {
				return true
			}
		}
	}
	return false
}
