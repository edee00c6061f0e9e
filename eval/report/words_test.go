package report

import "testing"

func TestNumbersAreNotRoundedAway(t *testing.T) {
	for want, got := range map[string]string{
		"0": count(0), "999": count(999), "1,000": count(1000), "1,234,567": count(1234567), "-1,000": count(-1000),
		"5": decimal(5), "7.4": decimal(7.4), "<0.1": decimal(0.04), "5,312": decimal(5312.4),
		"0 %": percent(0), "100 %": percent(1), "<0.01 %": percent(0.00001), ">99.99 %": percent(0.99999), "98.5 %": percent(0.985), "12 %": percent(0.12),
		"0 s": lasting(0), "840 µs": lasting(0.00084), "1.84 ms": lasting(0.00184), "4.2 s": lasting(4.2), "1 min 35 s": lasting(95), "26 h 5 min": lasting(93900),
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestPlain(t *testing.T) {
	if got := plain("a\x1b[2Jb\nc\u202ed\xff\u0085é"); got != "a·[2Jb·c·d··é" {
		t.Errorf("got %q", got)
	}
}
