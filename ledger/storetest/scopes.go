package storetest

import (
	"fmt"
	"reflect"
	"sync"
	"testing"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/locks"
)

func scopes(t *testing.T, fresh Make) {
	t.Run("one that was never used is empty", func(t *testing.T) {
		b := open(t, fresh)
		ref := group(tenant, "1")
		same(t, "scope", view(t, b.engine, ledger.ReadScopeOf(ref)).Scope(ref), locks.Scope{Ref: ref})
		same(t, "again", view(t, b.engine, ledger.ReadScopeOf(ref)).Scope(ref), locks.Scope{Ref: ref})
	})
	t.Run("fence and holders come back in their order, and apart from every other scope's", func(t *testing.T) {
		b := open(t, fresh)
		ref := group(tenant, "1")
		others := []locks.Ref{group(other, "1"), group(tenant, "2"), locks.GroupRef(string(tenant), ref.Entity, "else"), {Namespace: string(tenant), Entity: ref.Entity, Name: "lease"}}
		var want locks.Scope
		step(t, b.engine, []ledger.Read{ledger.ReadScopeOf(ref)}, func(v *ledger.View) *ledger.Changes {
			want, _ = v.Scope(ref).Join("op_2", "wf", v.Now).Join("op_1", "", v.Now).Grant()
			return &ledger.Changes{Scopes: []locks.Scope{want}}
		})
		reads := []ledger.Read{ledger.ReadScopeOf(ref)}
		for _, r := range others {
			reads = append(reads, ledger.ReadScopeOf(r))
		}
		v := view(t, b.engine, reads...)
		same(t, "scope", v.Scope(ref), want)
		for _, r := range others {
			same(t, r.Name, v.Scope(r), locks.Scope{Ref: r})
		}
	})
	t.Run("a lease, those who wait and a no come back as they were saved, and go as they are taken away", func(t *testing.T) {
		b := open(t, fresh)
		ref := locks.LeaseRefOf(string(tenant), locks.Entity{Type: "order", ID: "1"})
		read := []ledger.Read{ledger.ReadScopeOf(ref)}
		full := locks.Scope{}
		(&filler{from: anyTime}).fill(t, reflect.ValueOf(&full).Elem())
		full.Ref = ref
		for _, want := range []locks.Scope{
			full,
			{Ref: ref, Fence: full.Fence, Lease: full.Lease},
			{Ref: ref, Fence: full.Fence, Waiting: full.Waiting},
			{Ref: ref, Fence: full.Fence, No: full.No},
			{Ref: ref, Fence: full.Fence, Holders: full.Holders},
			{Ref: ref, Fence: full.Fence},
		} {
			step(t, b.engine, read, func(*ledger.View) *ledger.Changes { return &ledger.Changes{Scopes: []locks.Scope{want}} })
			same(t, "scope", view(t, b.engine, read...).Scope(ref), want)
		}
	})
	t.Run("the last holder leaves an empty line and the fence stays", func(t *testing.T) {
		b := open(t, fresh)
		ref := group(tenant, "1")
		for _, change := range []func(s locks.Scope, v *ledger.View) locks.Scope{
			func(s locks.Scope, v *ledger.View) locks.Scope {
				s, _ = s.Join("op_1", "", v.Now).Grant()
				return s
			},
			func(s locks.Scope, _ *ledger.View) locks.Scope { return s.Leave("op_1") },
		} {
			step(t, b.engine, []ledger.Read{ledger.ReadScopeOf(ref)}, func(v *ledger.View) *ledger.Changes {
				return &ledger.Changes{Scopes: []locks.Scope{change(v.Scope(ref), v)}}
			})
		}
		got := view(t, b.engine, ledger.ReadScopeOf(ref)).Scope(ref)
		if got.Fence != 1 || len(got.Holders) != 0 {
			t.Fatalf("got %+v, want fence 1 and no holders", got)
		}
	})
	t.Run("a fence never goes back", func(t *testing.T) {
		b := open(t, fresh)
		ref := group(tenant, "1")
		step(t, b.engine, nil, func(*ledger.View) *ledger.Changes {
			return &ledger.Changes{Scopes: []locks.Scope{{Ref: ref, Fence: 7}}}
		})
		err := try(t.Context(), b.engine, nil, func(*ledger.View) *ledger.Changes {
			return &ledger.Changes{Scopes: []locks.Scope{{Ref: ref, Fence: 6}}}
		})
		refused(t, "a lower fence", err, ledger.ErrLostWrite)
		if got := view(t, b.engine, ledger.ReadScopeOf(ref)).Scope(ref).Fence; got != 7 {
			t.Fatalf("fence %d, want 7", got)
		}
	})
	t.Run("every grant of many gets a number of its own", func(t *testing.T) {
		b := open(t, fresh)
		engines := b.servers(t, 3)
		const writers, grants = 6, 10
		var mutex sync.Mutex
		given := map[int64]int{}
		var wait sync.WaitGroup
		for w := range writers {
			wait.Go(func() {
				for range grants {
					var number int64
					ref := group(tenant, "1")
					err := try(t.Context(), engines[w%len(engines)], []ledger.Read{ledger.ReadScopeOf(ref)}, func(v *ledger.View) *ledger.Changes {
						var s locks.Scope
						s, number = v.Scope(ref).Grant()
						return &ledger.Changes{Scopes: []locks.Scope{s}}
					})
					if err != nil {
						t.Errorf("writer %d: %v", w, err)
						return
					}
					mutex.Lock()
					given[number]++
					mutex.Unlock()
				}
			})
		}
		wait.Wait()
		for n := int64(1); n <= writers*grants; n++ {
			if given[n] != 1 {
				t.Fatalf("number %d was given %d times: %s", n, given[n], fmt.Sprint(given))
			}
		}
	})
}
