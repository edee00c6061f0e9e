package policy

import (
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/opledger/opledger/canon"
)

// slidingBuckets is how many sub-buckets a sliding period has. The oldest is counted whole, so that a sliding limit is
// stricter than a continuous one by less than a sixtieth of its period, and never laxer.
const slidingBuckets = 60

// period says which buckets of a counter lie within it at some time.
type period struct {
	length time.Duration
	fixed  bool
	zone   string
}

func (ch *Charge) period() period { return period{ch.Period, ch.Fixed, ch.Zone} }

// bucket gives the start and the end of the bucket that an instant falls into: a sub-bucket of a sliding period, a whole
// fixed period.
func (p period) bucket(at time.Time) (start, end time.Time) {
	if !p.fixed {
		return aligned(at, p.width())
	}
	if days, whole := p.days(); whole {
		return p.civil(at, days)
	}
	return aligned(at, p.length)
}

// width is that of a sliding period's sub-bucket.
func (p period) width() time.Duration {
	return max(time.Second, (p.length+slidingBuckets-1)/slidingBuckets)
}

// leaves gives when what happened at an instant counts no more.
func (p period) leaves(at time.Time) time.Time {
	_, end := p.bucket(at)
	if p.fixed {
		return end
	}
	return end.Add(p.length)
}

// aligned gives the stretch that holds an instant, of those that follow each other from the Unix epoch.
func aligned(at time.Time, length time.Duration) (start, end time.Time) {
	nanos := at.UnixNano()
	begin := nanos - nanos%int64(length)
	if begin > nanos {
		begin -= int64(length) // before 1970
	}
	start = time.Unix(0, begin).UTC()
	return start, start.Add(length)
}

const day = 24 * time.Hour

// days gives the length in days where it is whole days.
func (p period) days() (int, bool) { return int(p.length / day), p.length%day == 0 }

// civil gives the stretch of whole days of a zone's calendar that holds an instant. A day on which the clocks change is
// shorter or longer; the stretches follow each other without gap all the same.
func (p period) civil(at time.Time, days int) (start, end time.Time) {
	zone := location(p.zone)
	year, month, date := at.In(zone).Date()
	number := int(time.Date(year, month, date, 0, 0, 0, 0, time.UTC).Unix() / int64(day/time.Second))
	k := number / days
	if number%days < 0 {
		k--
	}
	start, end = midnight(k*days, zone), midnight((k+1)*days, zone)
	for at.Before(start) {
		k--
		start, end = midnight(k*days, zone), start
	}
	for !at.Before(end) {
		k++
		start, end = end, midnight((k+1)*days, zone)
	}
	return start, end
}

// midnight gives when a day begins in a zone; days are numbered from 1970-01-01. Where the clocks jump over midnight, the
// day begins with the jump.
func midnight(number int, zone *time.Location) time.Time {
	at := time.Date(1970, time.January, 1+number, 0, 0, 0, 0, zone)
	if at.Hour() > 12 {
		if _, jump := at.ZoneBounds(); !jump.IsZero() {
			return jump.UTC()
		}
	}
	return at.UTC()
}

// locations are the zones that were used. They never change.
var locations sync.Map

// location gives a zone. One that is not known cannot have passed Compile; it is read as UTC.
func location(name string) *time.Location {
	if known, ok := locations.Load(name); ok {
		return known.(*time.Location)
	}
	zone, known := canon.Zone(name)
	if !known {
		return time.UTC
	}
	locations.Store(name, zone)
	return zone
}

// written gives a period as a person writes it.
func written(d time.Duration) string {
	switch {
	case d%day == 0:
		return fmt.Sprintf("%dd", d/day)
	case d%time.Hour == 0:
		return fmt.Sprintf("%dh", d/time.Hour)
	case d%time.Minute == 0:
		return fmt.Sprintf("%dm", d/time.Minute)
	}
	return d.String()
}

// plus adds amounts that are not negative. What passes the greatest number stays there.
func plus(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}
