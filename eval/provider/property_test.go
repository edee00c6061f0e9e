package provider

import (
	"fmt"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/opledger/opledger/eval"
)

// drawn are the faults that sequences are made of: of broken promises those that are not about keys.
var drawn = append(append([]eval.Fault{}, eval.ProviderFaults...), eval.DelayLongerThanStated, eval.LookupLies)

// drawRequest draws one of a few requests, so that they meet each other often.
func drawRequest(t *rapid.T) Request {
	n := rapid.IntRange(1, 3).Draw(t, "business key")
	return Request{
		Collection: "charges", BusinessKey: fmt.Sprint("order-", n), VendorKey: fmt.Sprint("vk-", n, rapid.IntRange(1, 2).Draw(t, "vendor key")),
		ClientReference: fmt.Sprint("ref-", n), Body: fmt.Appendf(nil, `{"amount":%d}`, rapid.IntRange(1, 2).Draw(t, "amount")),
	}
}

func drawPass(t *rapid.T) time.Duration {
	return rapid.SampledFrom([]time.Duration{0, time.Millisecond, 10 * time.Second, flight, 2 * minute, 10 * minute, time.Hour}).Draw(t, "pass")
}

// TestNothingIsMadeTwiceUnderAKeyNorShownThatIsNot holds the provider to its profile under any sequence of requests that
// ends within the retention.
func TestNothingIsMadeTwiceUnderAKeyNorShownThatIsNot(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		profile := Stated(true)
		profile.Retention = 1000 * time.Hour
		c := &clock{start}
		p := New(Options{Clock: c.now, Profile: profile})
		known := map[string]eval.Effect{}
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			c.pass(drawPass(t))
			p.Write(drawRequest(t), rapid.SampledFrom(drawn).Draw(t, "fault"))
			truth := map[string]eval.Effect{}
			made := map[string]int{}
			for _, e := range p.All() {
				if truth[e.ID] = e; e.At.After(c.at) {
					t.Fatalf("made in the future: %+v", e)
				}
				if made[e.VendorKey]++; made[e.VendorKey] > 1 {
					t.Fatalf("%d effects under %s", made[e.VendorKey], e.VendorKey)
				}
			}
			for id, e := range known {
				if truth[id] != e {
					t.Fatalf("the truth of %s was %+v and is %+v", id, e, truth[id])
				}
			}
			known = truth
			checkShown(t, p, truth, c.at)
		}
	})
}

// checkShown compares what lookups show with what is there.
func checkShown(t *rapid.T, p *Provider, truth map[string]eval.Effect, now time.Time) {
	for n := range 4 {
		found, err := p.Find(Query{ClientReference: fmt.Sprint("ref-", n)})
		if err != nil {
			continue
		}
		for _, o := range found {
			e, there := truth[o.ID]
			if !there || e.Reference != o.ClientReference || e.VendorKey != o.VendorKey || !e.At.Equal(o.Created) || o.Created.After(now) {
				t.Fatalf("shown %+v of %+v", o, e)
			}
		}
	}
}

// TestWhatIsStatedIsKept: after any sequence of faults that keep promises, and as much time as the profile says, everything
// is made, finished and shown.
func TestWhatIsStatedIsKept(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := &clock{start}
		p := New(Options{Clock: c.now, Profile: Stated(rapid.Bool().Draw(t, "keyed"))})
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			c.pass(drawPass(t))
			p.Write(drawRequest(t), rapid.SampledFrom(eval.ProviderFaults).Draw(t, "fault"))
		}
		made := p.profile.InFlight + p.profile.Lag
		c.pass(max(made, p.profile.Outage, p.profile.Finish))
		truth := p.All()
		found, err := p.Find(Query{})
		if err != nil || len(found) != len(truth) || p.Counts().Late != 0 {
			t.Fatalf("of %d effects %d are shown, %d are to come: %v", len(truth), len(found), p.Counts().Late, err)
		}
		for _, o := range found {
			if o.Status != Succeeded {
				t.Fatalf("not finished: %+v", o)
			}
		}
		c.pass(1000 * time.Hour)
		if len(p.All()) != len(truth) {
			t.Fatal("something was made later than stated")
		}
	})
}

// TestAJournalTellsTheSame: a provider that reads its journal back is the one that wrote it, whatever it does from then on.
func TestAJournalTellsTheSame(t *testing.T) {
	dir, n := t.TempDir(), 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		path := filepath.Join(dir, fmt.Sprint(n))
		c := &clock{start}
		o := Options{Clock: c.now, Profile: Stated(true)}
		kept, err := Open(path, o)
		if err != nil {
			t.Fatal(err)
		}
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			c.pass(drawPass(t))
			switch r := drawRequest(t); rapid.IntRange(0, 5).Draw(t, "what") {
			case 0:
				kept.Webhooks(c.at)
			case 1:
				kept.WebhooksOf(r.BusinessKey, c.at)
			case 2:
				if err := kept.Plan(Plan{BusinessKey: r.BusinessKey, Faults: []eval.Fault{rapid.SampledFrom(drawn).Draw(t, "planned")}}); err != nil {
					t.Fatal(err)
				}
			case 3:
				kept.WriteAsPlanned(r, Chance{Seed: 1, Share: 0.5})
			default:
				kept.Write(r, rapid.SampledFrom(append(drawn, eval.KeyForgottenEarly)).Draw(t, "fault"))
			}
		}
		if err := kept.Close(); err != nil {
			t.Fatal(err)
		}
		kept.journal = nil // from here on both live in memory
		read, err := Open(path, o)
		if err != nil {
			t.Fatal(err)
		}
		if err := read.Close(); err != nil {
			t.Fatal(err)
		}
		read.journal = nil
		for range 4 {
			for _, look := range []func(*Provider) any{
				func(p *Provider) any { return p.All() },
				func(p *Provider) any { return p.Counts() },
				func(p *Provider) any { found, err := p.Find(Query{}); return []any{found, err} },
				func(p *Provider) any { return p.Webhooks(c.at) },
				func(p *Provider) any {
					return p.WriteAsPlanned(Request{Collection: "charges", BusinessKey: "order-1", VendorKey: "vk-11", ClientReference: "ref-1"}, Chance{Seed: 2, Share: 1})
				},
			} {
				if a, b := look(kept), look(read); !reflect.DeepEqual(a, b) {
					t.Fatalf("it was %+v, and is read back as %+v", a, b)
				}
			}
			c.pass(drawPass(t))
		}
	})
}
