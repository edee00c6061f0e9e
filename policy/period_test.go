package policy

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestFixedPeriodsBeginAtMidnightOfTheirZone(t *testing.T) {
	for name, c := range map[string]struct {
		zone       string
		days       int
		at         string
		start, end string
	}{
		"utc":                    {"", 1, "2026-03-03T12:00:00Z", "2026-03-03T00:00:00Z", "2026-03-04T00:00:00Z"},
		"at the border":          {"", 1, "2026-03-03T00:00:00Z", "2026-03-03T00:00:00Z", "2026-03-04T00:00:00Z"},
		"berlin, winter":         {"Europe/Berlin", 1, "2026-03-03T23:30:00Z", "2026-03-03T23:00:00Z", "2026-03-04T23:00:00Z"},
		"23 hours":               {"Europe/Berlin", 1, "2026-03-29T12:00:00Z", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"},
		"25 hours":               {"Europe/Berlin", 1, "2026-10-25T12:00:00Z", "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z"},
		"no midnight":            {"America/Sao_Paulo", 1, "2018-11-04T12:00:00Z", "2018-11-04T03:00:00Z", "2018-11-05T02:00:00Z"},
		"before it":              {"America/Sao_Paulo", 1, "2018-11-04T02:59:59Z", "2018-11-03T03:00:00Z", "2018-11-04T03:00:00Z"},
		"two midnights, begun":   {"Asia/Amman", 1, "2021-10-28T21:30:00Z", "2021-10-27T21:00:00Z", "2021-10-28T22:00:00Z"}, // the second one ends the day before
		"two midnights, ended":   {"Asia/Amman", 1, "2021-10-28T22:00:00Z", "2021-10-28T22:00:00Z", "2021-10-29T22:00:00Z"},
		"two midnights, 23 days": {"Asia/Amman", 23, "2021-10-28T21:30:00Z", "2021-10-05T21:00:00Z", "2021-10-28T22:00:00Z"},
		"before a day left out":  {"Pacific/Apia", 1, "2011-12-30T09:59:59Z", "2011-12-29T10:00:00Z", "2011-12-30T10:00:00Z"}, // there was no 30 December
		"after a day left out":   {"Pacific/Apia", 1, "2011-12-30T10:00:00Z", "2011-12-30T10:00:00Z", "2011-12-31T10:00:00Z"},
		"leap day":               {"Europe/Berlin", 1, "2028-02-29T12:00:00Z", "2028-02-28T23:00:00Z", "2028-02-29T23:00:00Z"},
		"a month's end":          {"Europe/Berlin", 1, "2027-02-28T23:00:00Z", "2027-02-28T23:00:00Z", "2027-03-01T23:00:00Z"},
		"a week with a leap day": {"", 7, "2028-02-29T12:00:00Z", "2028-02-24T00:00:00Z", "2028-03-02T00:00:00Z"},
		"a week, as counted":     {"Europe/Berlin", 7, "2026-03-03T12:00:00Z", "2026-02-25T23:00:00Z", "2026-03-04T23:00:00Z"},
		"before 1970":            {"", 7, "1969-12-31T12:00:00Z", "1969-12-25T00:00:00Z", "1970-01-01T00:00:00Z"},
	} {
		t.Run(name, func(t *testing.T) {
			at, _ := time.Parse(time.RFC3339, c.at)
			first, end := period{length: time.Duration(c.days) * day, fixed: true, zone: c.zone}.bucket(at)
			if first.Format(time.RFC3339) != c.start || end.Format(time.RFC3339) != c.end {
				t.Errorf("from %v to %v, want %s to %s", first, end, c.start, c.end)
			}
		})
	}
}

// TestPeriodsFollowEachOther: every instant lies in exactly one bucket, the next one begins where it ends, whatever the
// zone's clocks do.
func TestPeriodsFollowEachOther(t *testing.T) {
	zones := []string{"", "Europe/Berlin", "America/Sao_Paulo", "America/St_Johns", "Asia/Beirut", "Pacific/Apia", "Africa/Cairo", "America/Havana"}
	rapid.Check(t, func(t *rapid.T) {
		p := period{fixed: rapid.Bool().Draw(t, "fixed"), zone: rapid.SampledFrom(zones).Draw(t, "zone")}
		p.length = time.Duration(rapid.IntRange(1, 400).Draw(t, "days")) * day
		if rapid.Bool().Draw(t, "odd") {
			p.length = time.Duration(rapid.Int64Range(int64(MinPeriod), int64(MaxPeriod)).Draw(t, "length"))
		}
		at := time.Unix(rapid.Int64Range(-40*365*86400, 60*365*86400).Draw(t, "at"), rapid.Int64Range(0, 999_999_999).Draw(t, "nanos"))
		expectToFollow(t, p, at)
	})
}

// TestPeriodsFollowEachOtherWhereClocksAreStrange: in the weeks in which a zone left out a day (Samoa, Kwajalein), had a
// midnight twice (Amman) or none (São Paulo).
func TestPeriodsFollowEachOtherWhereClocksAreStrange(t *testing.T) {
	for zone, first := range map[string]time.Time{
		"Pacific/Apia": time.Date(2011, 12, 20, 0, 0, 0, 0, time.UTC), "Pacific/Kwajalein": time.Date(1993, 8, 11, 0, 0, 0, 0, time.UTC),
		"Asia/Amman": time.Date(2021, 10, 19, 0, 0, 0, 0, time.UTC), "America/Sao_Paulo": time.Date(2018, 10, 25, 0, 0, 0, 0, time.UTC),
	} {
		for days := 1; days <= 7; days++ {
			for half := range 20 * 48 {
				expectToFollow(t, period{length: time.Duration(days) * day, fixed: true, zone: zone}, first.Add(time.Duration(half)*30*time.Minute))
			}
		}
	}
}

// expectToFollow expects an instant within its bucket, the bucket's first and last one with it, and the next bucket at its end.
func expectToFollow(t interface{ Fatalf(string, ...any) }, p period, at time.Time) {
	first, end := p.bucket(at)
	if at.Before(first) || !at.Before(end) {
		t.Fatalf("%v does not lie from %v to %v", at, first, end)
	}
	for _, inside := range []time.Time{first, end.Add(-1)} {
		if f, e := p.bucket(inside); !f.Equal(first) || !e.Equal(end) {
			t.Fatalf("%v lies from %v to %v, and not with %v", inside, f, e, at)
		}
	}
	if f, _ := p.bucket(end); !f.Equal(end) {
		t.Fatalf("the next bucket begins at %v, not at %v", f, end)
	}
	if p.leaves(at).Before(end) {
		t.Fatalf("what happened at %v leaves before its bucket ends, at %v", at, end)
	}
}
