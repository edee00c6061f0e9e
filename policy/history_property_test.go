package policy

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// truth is the exact account that histories are held against: each root's operation by itself.
type truth struct {
	root, op string
	amount   int64
	open     bool
	happened bool
	at       time.Time // of its last permit
}

// exactly is the sum of what counts at a time within a period that reaches back to from, others' roots alone.
func exactly(all []*truth, root string, from time.Time) (sum int64) {
	for _, o := range all {
		if o.root != root && (o.open || o.happened && o.at.After(from)) {
			sum += o.amount
		}
	}
	return sum
}

// since gives from when on what happened counts exactly: a sliding period before now, or a fixed period's start.
func since(p period, now time.Time) time.Time {
	if p.fixed {
		first, _ := p.bucket(now)
		return first.Add(-1)
	}
	return now.Add(-p.length)
}

func drawPeriod(t *rapid.T) period {
	p := period{length: time.Duration(rapid.IntRange(1, 200).Draw(t, "seconds")) * time.Second, fixed: rapid.Bool().Draw(t, "fixed")}
	if p.fixed && rapid.Bool().Draw(t, "days") {
		p.length, p.zone = time.Duration(rapid.IntRange(1, 3).Draw(t, "days"))*day, "Europe/Berlin"
	}
	return p
}

// TestCountersAreExact lets operations come, end in any order, be revised and be told twice. Whoever is let pass is let
// pass rightly by the exact account; the counter over-counts by no more than its oldest bucket; and when it says to come
// again, there is room then and not a moment sooner.
func TestCountersAreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPeriod(t)
		greatest := rapid.Int64Range(1, 20).Draw(t, "max")
		ch := Charge{Kind: ChargeCounter, Period: p.length, Fixed: p.fixed, Zone: p.zone}
		now, h, all := start, History{}, []*truth(nil)
		latest := map[string]*truth{}
		for step := range rapid.IntRange(1, 120).Draw(t, "steps") {
			now = now.Add(time.Duration(rapid.Int64Range(0, int64(p.length)/8).Draw(t, "later")))
			switch rapid.IntRange(0, 3).Draw(t, "what") {
			case 0, 1: // propose, a new root or a revision of one that has ended without effect
				o := &truth{root: fmt.Sprint("root_", step), op: fmt.Sprint("op_", step), amount: rapid.Int64Range(0, 8).Draw(t, "amount")}
				if ended := slices.IndexFunc(all, func(o *truth) bool { return !o.open && !o.happened && latest[o.root] == o }); ended >= 0 && rapid.Bool().Draw(t, "revise") {
					o.root = all[ended].root
				}
				who := asker{root: o.root, operation: o.op}
				value := h.counted(who, p, now)
				exact := exactly(all, o.root, since(p, now))
				if value < exact {
					t.Fatalf("it counts %d where %d have happened or may", value, exact)
				}
				if most := exactly(all, o.root, since(p, now).Add(-p.width())); !p.fixed && value > most || p.fixed && value != exact {
					t.Fatalf("it counts %d, more than the %d of its oldest bucket", value, most)
				}
				if value+o.amount > greatest {
					checkRoom(t, h, who, p, now, o.amount, greatest)
					continue
				}
				o.open, o.at = true, now
				all, latest[o.root] = append(all, o), o
				ch.Amount = o.amount
				h = h.Hold(ch, o.root, o.op, now, false)
				if again := h.Hold(ch, o.root, o.op, now.Add(1), false); !reflect.DeepEqual(h, again) {
					t.Fatal("joining twice changes the line")
				}
			case 2: // ends with effect, now or told late
				if i := slices.IndexFunc(all, func(o *truth) bool { return o.open }); i >= 0 {
					o := all[i]
					o.open, o.happened = false, true
					ch.Amount = o.amount
					before := slices.Clone(h.Open)
					h = h.Settle(ch, o.root, o.op, o.at, now)
					if len(before) != len(h.Open)+1 {
						t.Fatal("an ended operation still stands in the line")
					}
					if again := h.Settle(ch, o.root, o.op, o.at, now); !reflect.DeepEqual(h, again) {
						t.Fatalf("telling an end twice changes %+v to %+v", h, again)
					}
				}
			case 3: // ends without effect
				if i := slices.IndexFunc(all, func(o *truth) bool { return o.open }); i >= 0 {
					all[i].open = false
					h = h.Drop(all[i].op)
					if again := h.Drop(all[i].op); !reflect.DeepEqual(h, again) {
						t.Fatal("telling an end twice changes the row")
					}
				}
			}
			if sum := exactly(all, "", since(p, now)); sum > greatest {
				t.Fatalf("%d count where %d are the most", sum, greatest)
			}
		}
	})
}

// checkRoom checks that a refused operation is told rightly when it may come again, if nothing else changes.
func checkRoom(t *rapid.T, h History, who asker, p period, now time.Time, amount, greatest int64) {
	wait := h.room(who, p, now, amount, greatest)
	if wait == 0 {
		if open := h.held(who); open+amount <= greatest {
			t.Fatalf("there is room beside the %d that are open, but nobody is told when", open)
		}
		return
	}
	if value := h.counted(who, p, now.Add(wait)); value+amount > greatest {
		t.Fatalf("after %v there is no room yet: %d", wait, value)
	}
	if value := h.counted(who, p, now.Add(wait-1)); value+amount <= greatest {
		t.Fatalf("there is room before %v already: %d", wait, value)
	}
}

// TestFoldingKeepsTheValue settles more operations than a counter keeps by name.
func TestFoldingKeepsTheValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPeriod(t)
		ch := Charge{Kind: ChargeCounter, Period: p.length, Fixed: p.fixed, Zone: p.zone}
		now, h, all := start, History{}, []Past(nil)
		for i := range rapid.IntRange(namedInCounter, 3*namedInCounter).Draw(t, "operations") {
			now = now.Add(time.Duration(rapid.Int64Range(0, int64(p.length)/60).Draw(t, "later")))
			ch.Amount = rapid.Int64Range(0, 9).Draw(t, "amount")
			all = append(all, Past{At: now, Sum: ch.Amount, Root: fmt.Sprint("op_", i)})
			h = h.Settle(ch, fmt.Sprint("op_", i), fmt.Sprint("op_", i), now, now)
		}
		for ; !h.Empty(); now = now.Add(p.width()) {
			if got, want := h.counted(asker{}, p, now), (History{Past: all}).counted(asker{}, p, now); got != want {
				t.Fatalf("it counts %d, want %d", got, want)
			}
			if most := namedInCounter + slidingBuckets + 2; len(h.Past) > most {
				t.Fatalf("a row has %d entries", len(h.Past))
			}
			h = h.count(Charge{Kind: ChargeCounter, Period: p.length, Fixed: p.fixed, Zone: p.zone}, "", "", now.Add(-100*MaxPeriod), now)
			if p.fixed && p.length >= day {
				now = now.Add(p.length / 10)
			}
		}
	})
}

// TestWindowsForgetNobodyWhoCounts holds a window against the exact account: whoever is let in is let in rightly.
func TestWindowsForgetNobodyWhoCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		length := time.Duration(rapid.IntRange(1, 100).Draw(t, "seconds")) * time.Second
		ch := Charge{Kind: ChargeWindow, Period: length, Tool: "t"}
		now, h, all := start, History{}, []*truth(nil)
		for step := range rapid.IntRange(1, 60).Draw(t, "steps") {
			now = now.Add(time.Duration(rapid.Int64Range(0, int64(length)).Draw(t, "later")))
			if i := slices.IndexFunc(all, func(o *truth) bool { return o.open }); i >= 0 && rapid.Bool().Draw(t, "end") {
				all[i].open, all[i].happened = false, rapid.Bool().Draw(t, "happened")
				if all[i].happened {
					h = h.Settle(ch, all[i].root, all[i].op, all[i].at, now)
				} else {
					h = h.Drop(all[i].op)
				}
			}
			o := &truth{root: fmt.Sprint("root_", rapid.IntRange(0, 5).Draw(t, "root")), op: fmt.Sprint("op_", step), amount: 1, at: now}
			if slices.ContainsFunc(all, func(other *truth) bool { return other.open && other.root == o.root }) {
				continue // a revision comes after its predecessor's end
			}
			j := &judgement{who: asker{root: o.root, operation: o.op}, world: &World{Now: now}}
			earlier := j.excluded(h, length, func(string, string) bool { return true })
			if exact := exactly(all, o.root, now.Add(-length)); exact > 0 != (earlier != nil) {
				t.Fatalf("%d count, and the window says %v", exact, earlier)
			}
			if earlier == nil || rapid.IntRange(0, 3).Draw(t, "overridden") == 0 {
				o.open = true
				all = append(all, o)
				h = h.Hold(ch, o.root, o.op, now, false)
			}
		}
	})
}
