package storetest

import (
	"fmt"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/locks"
	"github.com/opledger/opledger/registry"
)

func queries(t *testing.T, fresh Make) {
	t.Run("pages are newest first, without gaps or repeats, also within one instant", func(t *testing.T) {
		b := open(t, fresh)
		var want []ledger.OperationID
		step(t, b.engine, nil, func(v *ledger.View) *ledger.Changes {
			c := &ledger.Changes{Created: map[ledger.OperationKey]bool{}}
			want = nil
			for i := range 10 {
				o := operation(tenant, fmt.Sprintf("op_%d", i), v.Now.Add(time.Duration(i/4)*time.Second))
				c.Operations, c.Created[o.RowKey()] = append(c.Operations, o), true
				want = append([]ledger.OperationID{o.ID}, want...)
			}
			return c
		})
		create(t, b.engine, other, "op_x", nil)
		same(t, "order", pages(t, b.engine, ledger.OperationQuery{Namespace: tenant, Limit: 3}), want)
	})
	t.Run("every filter restricts, alone and with others", func(t *testing.T) {
		b := open(t, fresh)
		yes, no := true, false
		a := create(t, b.engine, tenant, "op_a", func(o *ledger.Operation) {
			o.Tool, o.WorkflowID, o.Entity = "email.send", "wf_1", locks.Entity{Type: "order", ID: "1"}
			o.RunID, o.Correlation = "run_1", map[string]string{"tool_call_id": "call_1", "thread_id": "t"}
			o.Terms.Class = registry.Irreversible
		})
		b.advance(time.Second)
		h := create(t, b.engine, tenant, "op_h", func(o *ledger.Operation) {
			o.State, o.WorkflowID, o.Entity = ledger.UnknownOutcome, "wf_1", locks.Entity{Type: "order", ID: "2"}
			o.Human = &ledger.Human{Reason: "asked", Since: o.CreatedAt}
			o.RunID, o.Correlation = "run_2", map[string]string{"tool_call_id": "call_1", "thread_id": "call_2"}
			o.Incidents = []ledger.Incident{{Kind: ledger.IncidentDuplicate, At: o.CreatedAt}}
		})
		b.advance(time.Second)
		p := create(t, b.engine, tenant, "op_p", func(o *ledger.Operation) { o.State = ledger.CompletedNoop })
		create(t, b.engine, other, "op_a", func(o *ledger.Operation) {
			o.Tool, o.WorkflowID, o.Entity, o.Key = "email.send", "wf_1", locks.Entity{Type: "order", ID: "1"}, "key:else"
			o.RunID, o.Correlation = "run_1", map[string]string{"tool_call_id": "call_1"}
		})
		for name, c := range map[string]struct {
			query ledger.OperationQuery
			want  []ledger.OperationID
		}{
			"none":               {ledger.OperationQuery{}, ids(p, h, a)},
			"states":             {ledger.OperationQuery{States: []ledger.State{ledger.CompletedNoop, ledger.UnknownOutcome}}, ids(p, h)},
			"tool":               {ledger.OperationQuery{Tool: "email.send"}, ids(a)},
			"workflow":           {ledger.OperationQuery{WorkflowID: "wf_1"}, ids(h, a)},
			"workflow and tool":  {ledger.OperationQuery{WorkflowID: "wf_1", Tool: "refund.create"}, ids(h)},
			"entity":             {ledger.OperationQuery{Entity: "order/1"}, ids(a)},
			"entity, other flow": {ledger.OperationQuery{Entity: "order/1", WorkflowID: "wf_2"}, nil},
			"key":                {ledger.OperationQuery{Key: p.Key}, ids(p)},
			"key and state":      {ledger.OperationQuery{Key: p.Key, States: []ledger.State{ledger.Planned}}, nil},
			"key of another":     {ledger.OperationQuery{Key: "key:else"}, nil},
			"for people":         {ledger.OperationQuery{NeedsHuman: &yes}, ids(h)},
			"not for people":     {ledger.OperationQuery{NeedsHuman: &no}, ids(p, a)},
			"not for people, wf": {ledger.OperationQuery{NeedsHuman: &no, WorkflowID: "wf_1"}, ids(a)},
			"run":                {ledger.OperationQuery{RunID: "run_1"}, ids(a)},
			"run of another":     {ledger.OperationQuery{RunID: "run_3"}, nil},
			"run, other flow":    {ledger.OperationQuery{RunID: "run_1", WorkflowID: "wf_2"}, nil},
			"tool call":          {ledger.OperationQuery{ToolCallID: "call_1"}, ids(h, a)},
			"tool call and run":  {ledger.OperationQuery{ToolCallID: "call_1", RunID: "run_2"}, ids(h)},
			"no tool call":       {ledger.OperationQuery{ToolCallID: "call_2"}, nil},
			"classes":            {ledger.OperationQuery{Classes: []registry.Class{registry.Irreversible, registry.PureRead}}, ids(a)},
			"classes and run":    {ledger.OperationQuery{Classes: []registry.Class{registry.Irreversible}, RunID: "run_2"}, nil},
			"incident":           {ledger.OperationQuery{HasIncident: &yes}, ids(h)},
			"no incident":        {ledger.OperationQuery{HasIncident: &no}, ids(p, a)},
			"incident, for none": {ledger.OperationQuery{HasIncident: &yes, NeedsHuman: &no}, nil},
			"from":               {ledger.OperationQuery{CreatedFrom: h.CreatedAt}, ids(p, h)},
			"just after":         {ledger.OperationQuery{CreatedFrom: h.CreatedAt.Add(1)}, ids(p)},
			"until":              {ledger.OperationQuery{CreatedUntil: h.CreatedAt}, ids(a)},
			"until just after":   {ledger.OperationQuery{CreatedUntil: h.CreatedAt.Add(1)}, ids(h, a)},
			"from and until":     {ledger.OperationQuery{CreatedFrom: h.CreatedAt, CreatedUntil: p.CreatedAt}, ids(h)},
			"time and run":       {ledger.OperationQuery{CreatedFrom: h.CreatedAt, RunID: "run_1"}, nil},
			"before 1970":        {ledger.OperationQuery{CreatedUntil: time.Date(1969, 1, 1, 0, 0, 0, 0, time.UTC)}, nil},
			"after all":          {ledger.OperationQuery{CreatedFrom: time.Date(12000, 1, 1, 0, 0, 0, 0, time.UTC)}, nil},
			"what nothing has":   {ledger.OperationQuery{ToolCallID: "a\x00b"}, nil},
		} {
			c.query.Namespace = tenant
			same(t, name, ids(list(t, b.engine, c.query)...), c.want)
		}
	})
	t.Run("a flag that is raised later is found", func(t *testing.T) {
		b := open(t, fresh)
		yes := true
		o := update(t, b.engine, create(t, b.engine, tenant, "op_1", nil), func(o *ledger.Operation) {
			o.Incidents = []ledger.Incident{{Kind: ledger.IncidentDuplicate, At: o.CreatedAt}}
			o.Human = &ledger.Human{Reason: "asked", Since: o.CreatedAt}
			o.State = ledger.UnknownOutcome
		})
		for name, q := range map[string]ledger.OperationQuery{
			"incident": {HasIncident: &yes}, "human": {NeedsHuman: &yes}, "state": {States: []ledger.State{ledger.UnknownOutcome}},
		} {
			q.Namespace = tenant
			same(t, name, ids(list(t, b.engine, q)...), ids(o))
		}
	})
	t.Run("a correlation that no index can hold is kept all the same", func(t *testing.T) {
		b := open(t, fresh)
		for i, call := range []string{"a\x00b", long(5000)} {
			o := create(t, b.engine, tenant, fmt.Sprint("op_", i), func(o *ledger.Operation) { o.Correlation = map[string]string{"tool_call_id": call} })
			same(t, "operation", get(t, b.engine, o), o)
			same(t, "found by it", list(t, b.engine, ledger.OperationQuery{Namespace: tenant, ToolCallID: call}), []*ledger.Operation(nil))
		}
	})
	t.Run("every filter pages without gaps or repeats", func(t *testing.T) {
		b := open(t, fresh)
		yes := true
		const wanted = 7
		var start time.Time
		step(t, b.engine, nil, func(v *ledger.View) *ledger.Changes {
			start = v.Now
			c := &ledger.Changes{Created: map[ledger.OperationKey]bool{}}
			for i := range 2 * wanted {
				o := operation(tenant, fmt.Sprintf("op_%02d", i), v.Now.Add(time.Duration(i/4)*time.Second))
				if i%2 == 0 { // every second one has what is asked for
					o.Tool, o.WorkflowID, o.RunID, o.Entity = "email.send", "wf_1", "run_1", locks.Entity{Type: "order", ID: "1"}
					o.Correlation, o.Terms.Class = map[string]string{"tool_call_id": "call_1"}, registry.Irreversible
					o.Incidents = []ledger.Incident{{Kind: ledger.IncidentDuplicate, At: o.CreatedAt}}
					o.State, o.Human = ledger.UnknownOutcome, &ledger.Human{Reason: "asked", Since: o.CreatedAt}
				}
				c.Operations, c.Created[o.RowKey()] = append(c.Operations, o), true
			}
			return c
		})
		want := ids(list(t, b.engine, ledger.OperationQuery{Namespace: tenant, Tool: "email.send"})...)
		if len(want) != wanted {
			t.Fatalf("%d operations, want %d", len(want), wanted)
		}
		class := []registry.Class{registry.Irreversible}
		for name, q := range map[string]ledger.OperationQuery{
			"run": {RunID: "run_1"}, "tool call": {ToolCallID: "call_1"}, "classes": {Classes: class}, "incident": {HasIncident: &yes},
			"for people": {NeedsHuman: &yes}, "workflow": {WorkflowID: "wf_1"}, "entity": {Entity: "order/1"},
			"state": {States: []ledger.State{ledger.UnknownOutcome}},
			"all of them": {
				RunID: "run_1", ToolCallID: "call_1", Classes: class, HasIncident: &yes, CreatedFrom: start, CreatedUntil: start.Add(time.Hour),
			},
		} {
			q.Namespace, q.Limit = tenant, 2
			same(t, name, pages(t, b.engine, q), want)
		}
		window := ledger.OperationQuery{Namespace: tenant, Limit: 2, Tool: "email.send", CreatedFrom: start.Add(time.Second), CreatedUntil: start.Add(3 * time.Second)}
		same(t, "window", pages(t, b.engine, window), []ledger.OperationID{"op_10", "op_08", "op_06", "op_04"})
	})
	t.Run("a key finds every revision under it", func(t *testing.T) {
		b := open(t, fresh)
		first := create(t, b.engine, tenant, "op_1", nil)
		step(t, b.engine, nil, func(v *ledger.View) *ledger.Changes {
			second := operation(tenant, "op_2", v.Now)
			second.Key, second.Revision = first.Key, 2
			c := creation(second)
			c.Claims[0].Number = 2
			return c
		})
		same(t, "revisions", ids(list(t, b.engine, ledger.OperationQuery{Namespace: tenant, Key: first.Key})...), []ledger.OperationID{"op_2", "op_1"})
	})
}

func list(t *testing.T, e ledger.Engine, q ledger.OperationQuery) []*ledger.Operation {
	t.Helper()
	found, err := e.ListOperations(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// pages lists everything that a query finds, page by page.
func pages(t *testing.T, e ledger.Engine, q ledger.OperationQuery) (found []ledger.OperationID) {
	t.Helper()
	for {
		page := list(t, e, q)
		if len(page) == 0 {
			return found
		}
		if len(page) > q.Limit {
			t.Fatalf("a page of %d", len(page))
		}
		found = append(found, ids(page...)...)
		last := page[len(page)-1]
		q.CreatedBefore, q.BeforeID = last.CreatedAt, last.ID
	}
}

func ids(operations ...*ledger.Operation) (list []ledger.OperationID) {
	for _, o := range operations {
		list = append(list, o.ID)
	}
	return list
}

func stats(t *testing.T, fresh Make) {
	t.Run("an empty ledger has no figures", func(t *testing.T) {
		b := open(t, fresh)
		same(t, "stats", figures(t, b.engine), ledger.Stats{})
	})
	t.Run("open operations are counted, ended ones are not, and ages are told", func(t *testing.T) {
		b := open(t, fresh)
		unknown := create(t, b.engine, tenant, "op_1", func(o *ledger.Operation) {
			o.State, o.Human = ledger.UnknownOutcome, &ledger.Human{Reason: "asked"}
		})
		create(t, b.engine, tenant, "op_2", nil)
		create(t, b.engine, tenant, "op_3", nil)
		create(t, b.engine, other, "op_4", nil)
		create(t, b.engine, tenant, "op_5", func(o *ledger.Operation) { o.State = ledger.CompletedSuccess })
		b.advance(3 * time.Hour)
		got := figures(t, b.engine)
		count := func(ns ledger.Namespace, state ledger.State, n int64) ledger.OpenCount {
			return ledger.OpenCount{Namespace: ns, Tool: unknown.Tool, Class: string(unknown.Terms.Class), State: state, Count: n}
		}
		same(t, "open", got.Open, []ledger.OpenCount{
			count(tenant, ledger.PendingDispatch, 2), count(tenant, ledger.UnknownOutcome, 1), count(other, ledger.PendingDispatch, 1),
		})
		if got.NeedsHuman != 1 || got.DueCount != 3 {
			t.Fatalf("%d need a human, %d are due", got.NeedsHuman, got.DueCount)
		}
		// The engine's time goes on between the two readings, so that a figure is only known to be at least so much.
		atLeast := func(what string, got, want time.Duration) {
			if got < want || got > want+time.Minute {
				t.Errorf("%s is %s, want about %s", what, got, want)
			}
		}
		atLeast("the oldest unknown", got.OldestUnknown, 3*time.Hour)
		if u := got.Unknown; len(u) != 1 || u[0].Namespace != tenant || u[0].Tool != unknown.Tool || u[0].Count != 1 || u[0].Oldest != got.OldestUnknown {
			t.Errorf("the unknown ones are %+v", u)
		}
		atLeast("the lag", got.DueLag, 2*time.Hour)
	})
}

// leaseStats: leases that hold are counted, and among them those whose renewals prove a timer and no work.
func leaseStats(t *testing.T, fresh Make) {
	b := open(t, fresh)
	step(t, b.engine, nil, func(v *ledger.View) *ledger.Changes {
		lease := func(id string, expires time.Duration, renewals int64) *ledger.Lease {
			r, err := ledger.DecodeRecord(ledger.LeaseKey(tenant, id), 1, nil)
			if err != nil {
				t.Fatal(err)
			}
			l := r.(*ledger.Lease)
			l.WorkflowID, l.AcquiredAt, l.ExpiresAt, l.Renewals = "wf_1", v.Now, v.Now.Add(expires), renewals
			return l
		}
		used := lease("lea_used", 10*time.Hour, 50)
		used.ProvedAt = v.Now.Add(2 * time.Hour)
		return &ledger.Changes{Records: []ledger.Record{
			lease("lea_expired", time.Hour, 50), lease("lea_unused", 10*time.Hour, 50), lease("lea_young", 10*time.Hour, 1), used,
		}}
	})
	b.advance(2 * time.Hour)
	got := figures(t, b.engine).Leases
	if got.Held != 3 || got.Unused != 1 || got.Oldest < 2*time.Hour || got.Oldest > 2*time.Hour+time.Minute {
		t.Fatalf("%+v", got)
	}
}

func figures(t *testing.T, e ledger.Engine) ledger.Stats {
	t.Helper()
	s, err := e.Stats(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func timeOffset(t *testing.T, fresh Make) {
	b := open(t, fresh)
	var before, within, after time.Time
	read := func(at *time.Time) {
		now, err := b.engine.Time(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		*at = now
	}
	read(&before)
	b.advance(24 * time.Hour)
	step(t, b.engine, nil, func(v *ledger.View) *ledger.Changes {
		within = v.Now
		return &ledger.Changes{}
	})
	read(&after)
	if within.Sub(before) < 24*time.Hour || after.Before(within) {
		t.Fatalf("before %s, in a transaction %s, after %s", before, within, after)
	}
	for name, at := range map[string]time.Time{"outside": after, "inside": within} {
		if at.Location() != time.UTC || at != at.Truncate(time.Microsecond) {
			t.Errorf("%s a transaction the time is %s, want microseconds in UTC", name, at)
		}
	}
}
