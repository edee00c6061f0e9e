package policy

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// maxReadable is how long a value may be that a history's id holds as it is. A longer one is held as its hash.
const maxReadable = 200

// historyID joins the parts of a history's id. Parts are escaped already, or hold nothing that needs it; an id that would
// still be too long keeps its kind and is a hash otherwise.
func historyID(parts ...string) string {
	id := strings.Join(parts, "/")
	if len(id) > MaxHistoryID {
		return parts[0] + "/" + digest(id)
	}
	return id
}

// joined makes one value of several, so that no two lists give the same one.
func joined(values ...string) string {
	escaped := make([]string, len(values))
	for i, v := range values {
		escaped[i] = escape(v)
	}
	return readable(strings.Join(escaped, "/"))
}

// readable gives an escaped value as it is, or its hash where it is long.
func readable(escaped string) string {
	if len(escaped) > maxReadable {
		return digest(escaped)
	}
	return escaped
}

// digest is a hash that no escaped value looks like, since the tilde is always escaped.
func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "~sha256-" + hex.EncodeToString(sum[:])
}

// terms is a short hash of what a counter's meaning hangs on: a rule that changes it starts afresh.
func terms(parts ...string) string {
	escaped := make([]string, len(parts))
	for i, p := range parts {
		escaped[i] = escape(p)
	}
	sum := sha256.Sum256([]byte(strings.Join(escaped, "/")))
	return hex.EncodeToString(sum[:6])
}

const (
	upperHex = "0123456789ABCDEF"
	// absent is the value of a field that is not there. No value is escaped to it.
	absent = "~"
)

// escape writes a value so that it holds no sign that separates: bytes other than letters, digits and _.@:+- are
// percent-encoded.
func escape(s string) string {
	var b strings.Builder
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte("_.@:+-", c) >= 0:
			b.WriteByte(c)
		default:
			b.WriteByte('%')
			b.WriteByte(upperHex[c>>4])
			b.WriteByte(upperHex[c&15])
		}
	}
	return b.String()
}
