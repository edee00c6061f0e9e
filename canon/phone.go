package canon

import (
	"regexp"
	"strings"
)

// E.164 bounds a number, country calling code included, to 15 digits; below 7 none is dialled from abroad.
const (
	minPhoneDigits = 7
	maxPhoneDigits = 15
)

// extensionText finds an extension at the end: "ext. 12", "x12", "#12" or ";ext=12" (RFC 3966).
var extensionText = regexp.MustCompile(`(?i)[\s,]*(?:;ext=|ext(?:ension|n)?[.:]?\s*|x\.?\s*|#\s*)([0-9]{1,11})$`)

// phone turns a number into E.164, with an extension as RFC 3966 writes it: +12345678901;ext=12.
//
// A number with + is complete. Without one it is read as it is dialled in the region: international prefix and
// country, or trunk prefix and national number. Whatever fits neither is refused; a missing country is never guessed,
// since that makes two contacts of one, or one of two.
func phone(s, region string) (string, *problem) {
	s = strings.TrimFunc(s, isWhiteSpace)
	extension := ""
	if found := extensionText.FindStringSubmatchIndex(s); found != nil {
		extension = ";ext=" + s[found[2]:found[3]]
		s = s[:found[0]]
	}
	digits, plus, wrong := dialled(s)
	if wrong != nil {
		return "", wrong
	}
	if plus {
		digits, wrong = international(digits)
		return digits + extension, wrong
	}
	if region == "" {
		return "", &problem{ReasonNoRegion, "The number has no + and the tool names no region; send it with + and the country calling code."}
	}
	plan := phoneRegions[region]
	if rest, ok := strings.CutPrefix(digits, plan.international); ok {
		digits, wrong = international(rest)
		return digits + extension, wrong
	}
	national, trunk := digits, false
	if plan.trunk != "" {
		national, trunk = strings.CutPrefix(digits, plan.trunk)
	}
	switch {
	case !trunk && plan.trunk != "" && !plan.trunkMayMiss:
		return "", &problem{ReasonMalformed, "A national number of " + region + " begins with " + plan.trunk + "; send it so, or with + and the country calling code."}
	case len(national) < plan.least || len(national) > plan.most:
		return "", &problem{ReasonMalformed, "The number has not the length of a national number of " + region + "; send it with + and the country calling code."}
	case plan.trunk != "" && strings.HasPrefix(national, plan.trunk), plan.trunk != "" && national[0] == '0':
		return "", &problem{ReasonMalformed, "The number begins like none of " + region + "; send it with + and the country calling code."}
	}
	return "+" + plan.code + national + extension, nil
}

// dialled keeps digits and drops punctuation. Letters and digits of other scripts are refused, not translated.
func dialled(s string) (digits string, plus bool, wrong *problem) {
	s, plus = strings.CutPrefix(s, "+")
	var b strings.Builder
	for _, r := range s {
		switch {
		case r >= '0' && r <= '9':
			b.WriteRune(r)
		case isWhiteSpace(r) || strings.ContainsRune("-.()/\u2010\u2011\u2012\u2013", r):
		default:
			return "", false, &problem{ReasonMalformed, "The number holds a character that is neither a digit nor usual punctuation."}
		}
	}
	if plus && strings.Contains(strings.Map(dropSpace, s), "(0)") {
		return "", false, &problem{ReasonMalformed, "A trunk 0 in brackets is not dialled after the country calling code; leave (0) out."}
	}
	return b.String(), plus, nil
}

func dropSpace(r rune) rune {
	if isWhiteSpace(r) {
		return -1
	}
	return r
}

// international checks what follows the + or the international prefix.
func international(digits string) (string, *problem) {
	if len(digits) < minPhoneDigits || len(digits) > maxPhoneDigits || digits[0] == '0' {
		return "", &problem{ReasonMalformed, "The number is no E.164 number: a country calling code and 7 to 15 digits in all."}
	}
	for _, plan := range phoneRegions {
		if rest, ok := strings.CutPrefix(digits, plan.code); ok && plan.trunk == "0" && rest[0] == '0' {
			return "", &problem{ReasonMalformed, "A trunk 0 is not dialled after the country calling code; leave it out."}
		}
	}
	return "+" + digits, nil
}
