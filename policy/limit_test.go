package policy

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"
)

func limited(l Limit) Config {
	l.Name = "l"
	return Config{Tools: []Tool{refundTool(ToolRules{Limits: []Limit{l}})}}
}

func TestALimitOfNLetsNPass(t *testing.T) {
	b := newBench(t, limited(Limit{Max: 3, Period: time.Hour}))
	for i := range 3 {
		f := refund(fmt.Sprint("op_", i), 1)
		b.expect(f, Pass)
		b.release(f)
		if i == 1 {
			b.succeed(f)
		}
		b.now = b.now.Add(time.Minute)
	}
	v := b.expect(refund("op_9", 1), Later)
	// op_1 happened a minute after start and leaves first; its bucket is a minute wide and leaves as a whole.
	if v.RetryAfter != 59*time.Minute+time.Minute-b.now.Sub(start.Add(2*time.Minute)) || v.Inputs["value"] != "3" || !v.Overridable {
		t.Errorf("the verdict says %+v", v)
	}
	b.now = b.now.Add(v.RetryAfter - 1)
	b.expect(refund("op_9", 1), Later)
	b.now = b.now.Add(1)
	b.expect(refund("op_9", 1), Pass)
}

func TestOnlyTheEndOfAnOpenOneMakesRoom(t *testing.T) {
	b := newBench(t, limited(Limit{Max: 1, Period: time.Hour}))
	b.release(refund("op_1", 1))
	if v := b.expect(refund("op_2", 1), Later); v.RetryAfter != 0 {
		t.Errorf("it says %v", v.RetryAfter)
	}
	b.fail(refund("op_1", 1))
	b.expect(refund("op_2", 1), Pass)
}

func TestMoreThanALimitLetsPassAtAllIsDenied(t *testing.T) {
	b := newBench(t, limited(Limit{Max: 100, SumOf: "/amount", Period: time.Hour}))
	b.expect(refund("op_1", 100), Pass)
	b.expect(refund("op_1", 101), Denied)
	zero := newBench(t, limited(Limit{Max: 0, Period: time.Hour}))
	zero.expect(refund("op_1", 1), Denied)
}

func TestAmounts(t *testing.T) {
	for name, c := range map[string]struct {
		sumOf, canonical string
		amount           int64
		outcome          Outcome // of a limit of MaxInt64
		charged          bool
	}{
		"money":                 {"/amount", `{"amount":{"currency":"EUR","minor":"70"}}`, 70, Pass, true},
		"its minor units":       {"/amount/minor", `{"amount":{"currency":"EUR","minor":"70"}}`, 70, Pass, true},
		"whole number":          {"/points", `{"points":70}`, 70, Pass, true},
		"nothing at all":        {"/points", `{"points":0}`, 0, Pass, true},
		"of an item":            {"/lines/1/count", `{"lines":[{"count":1},{"count":7}]}`, 7, Pass, true},
		"item that is not":      {"/lines/2/count", `{"lines":[{"count":1},{"count":7}]}`, 0, Pass, false},
		"absent":                {"/points", `{}`, 0, Pass, false},
		"absent, required":      {"/amount", `{}`, 0, Denied, false},
		"below zero":            {"/points", `{"points":-1}`, 0, Denied, false},
		"fraction":              {"/points", `{"points":1.5}`, 0, Denied, false},
		"digits in a string":    {"/points", `{"points":"7"}`, 0, Denied, false},
		"beyond an int64":       {"/points", `{"points":1e+21}`, 0, Denied, false},
		"the greatest of all":   {"/amount", `{"amount":{"currency":"EUR","minor":"9223372036854775807"}}`, math.MaxInt64, Pass, true},
		"money as another text": {"/amount", `{"amount":{"currency":"EUR","minor":"+7"}}`, 0, Denied, false},
		"no money at all":       {"/amount", `{"amount":"EUR 7"}`, 0, Denied, false},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, limited(Limit{Max: math.MaxInt64, SumOf: c.sumOf, Period: time.Hour}))
			f := refund("op_1", 1)
			f.Canonical = []byte(c.canonical)
			b.expect(f, c.outcome)
			charges := b.bind(f).Charges()
			if len(charges) > 0 != c.charged || c.charged && charges[0].Amount != c.amount {
				t.Errorf("the charges are %+v", charges)
			}
		})
	}
}

func TestSumsDoNotOverflow(t *testing.T) {
	b := newBench(t, limited(Limit{Max: math.MaxInt64, SumOf: "/amount", Period: time.Hour}))
	b.release(refund("op_1", math.MaxInt64))
	b.release(refund("op_2", math.MaxInt64))
	b.expect(refund("op_3", 1), Later)
	small := newBench(t, limited(Limit{Max: math.MaxInt64 - 1, SumOf: "/amount", Period: time.Hour}))
	small.release(refund("op_1", math.MaxInt64-1))
	small.expect(refund("op_2", 2), Later)
	small.expect(refund("op_2", 1), Later)
}

func TestALimitPerValue(t *testing.T) {
	b := newBench(t, limited(Limit{Max: 1, Per: "{args.note}", Period: time.Hour}))
	with := func(op, note string) Facts {
		f := refund(op, 1)
		f.Canonical = []byte(strings.Replace(string(f.Canonical), `"order_id"`, `"note":`+note+`,"order_id"`, 1))
		return f
	}
	b.release(with("op_1", `"a"`))
	b.expect(with("op_2", `"a"`), Later)
	b.expect(with("op_2", `"b"`), Pass)
	b.expect(with("op_2", `""`), Pass)
	b.expect(refund("op_2", 1), Pass)
	// Leaving the field out escapes nothing: what is absent has a counter of its own.
	b.release(refund("op_3", 1))
	b.expect(refund("op_4", 1), Later)
	b.expect(with("op_4", `null`), Later)
	b.expect(with("op_4", `""`), Pass)
}

func TestALimitCountsWhereItsConditionHolds(t *testing.T) {
	b := newBench(t, limited(Limit{Max: 1, When: `args.amount.minor >= 100`, Period: time.Hour}))
	b.release(refund("op_1", 100))
	b.expect(refund("op_2", 99), Pass)
	b.expect(refund("op_2", 100), Later)
	if len(b.bind(refund("op_2", 99)).Charges()) != 0 {
		t.Error("what a limit does not count is not charged")
	}
	failing := newBench(t, limited(Limit{Max: 0, When: `args.note == "x"`, Period: time.Hour}))
	failing.expect(refund("op_1", 1), Denied) // a condition that cannot be evaluated takes nothing out
}

func TestARuleSpansTools(t *testing.T) {
	b := newBench(t, Config{
		Tools: []Tool{refundTool(ToolRules{}), goodwillTool(ToolRules{}), lookupTool()},
		Rules: []Rule{{ID: "per-order", Version: 1, Limit: &Limit{Per: "{entity}", Max: 1, Period: day}, Scope: Scope{EntityTypes: []string{"order"}}}},
	})
	b.release(refund("op_1", 1))
	b.expect(goodwill("op_2"), Later)
}

func TestALoopOfDenialsIsSlowed(t *testing.T) {
	charge, h := DenialCharge("agent", "wf_1", "payment.refund"), History{}
	if charge.History != "denied/agent/wf_1/payment.refund" {
		t.Errorf("the row is %s", charge.History)
	}
	for i := range MaxDenials + 1 {
		if _, often := DeniedTooOften(h, start); often {
			t.Fatalf("%d denials are taken for too many", i)
		}
		h = h.Denied(start)
	}
	wait, often := DeniedTooOften(h, start)
	if !often || wait <= 0 || wait > DenialsPeriod+time.Second {
		t.Errorf("after %d: %v, wait %v", MaxDenials+1, often, wait)
	}
	if _, often := DeniedTooOften(h, start.Add(wait)); often {
		t.Error("it still stands after the time that it named")
	}
	if len(h.Past) != 1 {
		t.Errorf("denials of one second are one bucket: %+v", h.Past)
	}
}
