package canon

import "testing"

// TestNamesAreOrderedByTheirUTF16Units: members stand in the order of RFC 8785 section 3.2.3, and names that are not the
// same never count as one, broken ones neither.
func TestNamesAreOrderedByTheirUTF16Units(t *testing.T) {
	ascending := []string{
		"", "a", "aa", "b", "é", "\ud7ff",
		"\U00010000", "\U0001f600", "\U0001f600x", "\U0001f601", "\U0010ffff", // their units begin at U+D800
		"\ue000", "\ufb33", "\ufffc",
		"\ufffd", "\xfe", "\xff", // bytes that are no UTF-8 read as U+FFFD, and are ordered among themselves
		"\ufffe", "\uffff",
	}
	for i, a := range ascending {
		for j, b := range ascending {
			if got := compareUTF16(a, b); sign(got) != sign(i-j) {
				t.Errorf("%+q against %+q gives %d", a, b, got)
			}
		}
	}
}

func sign(n int) int {
	switch {
	case n < 0:
		return -1
	case n > 0:
		return 1
	}
	return 0
}
