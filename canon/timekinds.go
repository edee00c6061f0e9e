package canon

import (
	"fmt"
	"regexp"
	"strings"
	"time"
)

// instantText is the grammar of RFC 3339 section 5.6, the fraction bounded by what time.Time can hold. The letters T
// and Z may be written small there; a space for the T is an alternative that the RFC leaves to applications, and is
// refused here.
var instantText = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)?$`)

// layouts write UTC at each precision, with every digit of it.
var layouts = map[Precision]struct {
	digits int
	layout string
}{
	PrecisionSecond: {0, "2006-01-02T15:04:05Z"},
	PrecisionMilli:  {3, "2006-01-02T15:04:05.000Z"},
	PrecisionMicro:  {6, "2006-01-02T15:04:05.000000Z"},
	PrecisionNano:   {9, "2006-01-02T15:04:05.000000000Z"},
}

// instant reads an RFC 3339 timestamp and its digits beyond the ninth. The zone of the machine has no part in it.
func instant(s string) (t time.Time, beyond string, wrong *problem) {
	parts := instantText.FindStringSubmatch(s)
	if parts == nil {
		return t, "", &problem{ReasonMalformed, "The timestamp is not in RFC 3339 form, such as 2026-03-01T09:00:00Z."}
	}
	fraction, offset := parts[1], parts[2]
	if offset == "" {
		return t, "", &problem{ReasonNoOffset, "The timestamp has no zone offset and would be another instant on each server; add Z or an offset such as +01:00."}
	}
	s = strings.ToUpper(s) // ASCII by the grammar
	if len(fraction) > 10 {
		beyond = fraction[10:]
		s = strings.Replace(s, fraction, fraction[:10], 1)
	}
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return t, "", &problem{ReasonNoSuchTime, "There is no such day or time of day; a leap second is written as the second before it."}
	}
	if year := t.UTC().Year(); year < 1 || year > 9999 {
		return t, "", &problem{ReasonNoSuchTime, "The instant lies outside the years 0001 to 9999 of UTC."}
	}
	return t.UTC(), beyond, nil
}

func (c *compiled) timestamp(s string) (string, *problem) {
	t, beyond, wrong := instant(s)
	if wrong != nil {
		return "", wrong
	}
	form := layouts[c.Precision]
	excess := fmt.Sprintf("%09d", t.Nanosecond())[form.digits:] + beyond
	if strings.Trim(excess, "0") != "" && c.Excess != ExcessTruncate {
		return "", &problem{ReasonTooFine, "The timestamp is finer than " + string(c.Precision) + "; it is never rounded: send fewer digits."}
	}
	return t.Format(form.layout), nil // Format cuts towards the past, as time.Time counts from before year 1
}

// date takes a calendar date that exists. It has no zone, and an instant is none.
func date(s string) (string, *problem) {
	if len(s) != len(time.DateOnly) {
		return "", &problem{ReasonMalformed, "The date is not in the form YYYY-MM-DD."}
	}
	t, err := time.Parse(time.DateOnly, s)
	if err != nil || t.Format(time.DateOnly) != s {
		return "", &problem{ReasonNoSuchTime, "There is no such date in the form YYYY-MM-DD."}
	}
	return s, nil
}

// bucket names the interval that holds an instant: the local date for a day, the first instant in UTC for an hour.
func bucket(s string, unit Unit, zone *time.Location) (string, *problem) {
	t, _, wrong := instant(s)
	if wrong != nil {
		return "", wrong
	}
	return bucketOf(t, unit, zone), nil
}

// bucketOf names the local day or hour that holds an instant.
func bucketOf(t time.Time, unit Unit, zone *time.Location) string {
	if unit == UnitDay {
		return t.In(zone).Format(time.DateOnly)
	}
	return startOfHour(t, zone).UTC().Format(time.RFC3339)
}

// startOfHour gives the last instant, not after t, at which the local clock showed a full hour. Where the offset
// changed in between, the clock of before the change is asked: an interval may so last longer or shorter than an
// hour, but no instant belongs to two.
func startOfHour(t time.Time, zone *time.Location) time.Time {
	for {
		local := t.In(zone)
		start := local.Add(-time.Duration(local.Minute())*time.Minute - time.Duration(local.Second())*time.Second - time.Duration(local.Nanosecond()))
		since, _ := local.ZoneBounds()
		if since.IsZero() || !start.Before(since) {
			return start
		}
		t = since.Add(-time.Nanosecond)
	}
}
