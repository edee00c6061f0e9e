package canon

import (
	"strings"

	"golang.org/x/net/idna"
)

// domains maps a domain as UTS 46 maps it for look-up (lower case, A-labels, non-transitional) and checks its labels.
var domains = idna.New(idna.MapForLookup(), idna.BidiRule(), idna.Transitional(false), idna.StrictDomainName(true), idna.VerifyDNSLength(true))

// MaxEmailBytes is the longest address that RFC 5321 can carry (a path of 256 with its brackets).
const MaxEmailBytes = 254

// email takes one bare address. Of the local part everything is kept, tags and dots too, because what they mean is a
// habit of each host.
func email(s string, local Local) (string, *problem) {
	s = strings.TrimFunc(s, isWhiteSpace)
	if strings.ContainsAny(s, "<>") {
		return "", &problem{ReasonDisplayName, "The address has a display name or angle brackets; send the bare address, such as kim@example.com."}
	}
	at := strings.LastIndexByte(s, '@')
	if at <= 0 || at == len(s)-1 || len(s) > MaxEmailBytes {
		return "", &problem{ReasonMalformed, "The value is no e-mail address of the form name@domain."}
	}
	name, domain := s[:at], s[at+1:]
	for _, r := range name {
		// Quoted local parts and comments have several spellings of one mailbox, so they are not guessed at.
		if r <= ' ' || r == 0x7f || strings.ContainsRune(`@"(),:;[]\`, r) || isWhiteSpace(r) {
			return "", &problem{ReasonMalformed, "The part before the @ holds a character that an address without quotes has not."}
		}
	}
	ascii, err := domains.ToASCII(domain)
	if err != nil || strings.HasSuffix(ascii, ".") {
		return "", &problem{ReasonMalformed, "The part after the @ is no domain name."}
	}
	if local == LocalLower {
		name = asciiLower(name)
	}
	return name + "@" + ascii, nil
}
