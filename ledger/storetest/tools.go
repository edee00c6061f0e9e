package storetest

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/transact"
)

func tools(t *testing.T, fresh Make) {
	t.Run("a namespace that was never configured has nothing and epoch zero", func(t *testing.T) {
		b := open(t, fresh)
		same(t, "tools", toolSet(t, b.engine, tenant), ledger.ToolSet{})
		v := view(t, b.engine, ledger.ReadOf(ledger.ReadEpoch, tenant, ""), ledger.ReadOf(ledger.ReadTool, tenant, "refund"))
		if _, found := v.Tool(tenant, "refund"); found || v.Epoch(tenant) != 0 {
			t.Fatal("something is configured")
		}
	})
	t.Run("heads, versions and the epoch come back as they were saved", func(t *testing.T) {
		b := open(t, fresh)
		now, err := b.engine.Time(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		version := func(name string, n int64) ledger.ToolVersion {
			return ledger.ToolVersion{
				Namespace: tenant, Name: name, Version: n, Definition: []byte{0, 1, byte(n), 0xff}, Digest: "sha256:" + name, AppliedBy: "admin", AppliedAt: now,
			}
		}
		refund := ledger.ToolHead{Namespace: tenant, Name: "refund", Version: 2, Digest: "sha256:refund", Disabled: true, Reason: "a fault"}
		email := ledger.ToolHead{Namespace: tenant, Name: "email", Version: 1, Digest: "sha256:email"}
		step(t, b.engine, nil, func(*ledger.View) *ledger.Changes {
			return &ledger.Changes{
				Tools:    []ledger.ToolHead{refund, email},
				Versions: []ledger.ToolVersion{version("refund", 1), version("refund", 2), version("email", 1)},
				Epochs:   map[ledger.Namespace]int64{tenant: 5, other: 2},
			}
		})
		same(t, "tools", toolSet(t, b.engine, tenant), ledger.ToolSet{
			Epoch: 5, Heads: []ledger.ToolHead{email, refund}, Versions: []ledger.ToolVersion{version("email", 1), version("refund", 1), version("refund", 2)},
		})
		same(t, "another tenant's", toolSet(t, b.engine, other), ledger.ToolSet{Epoch: 2})
		v := view(t, b.engine, ledger.ReadOf(ledger.ReadTool, tenant, "refund"), ledger.ReadOf(ledger.ReadEpoch, tenant, ""))
		if head, _ := v.Tool(tenant, "refund"); head != refund || v.Epoch(tenant) != 5 {
			t.Fatalf("in a transaction: %+v at epoch %d", head, v.Epoch(tenant))
		}
	})
	t.Run("a version is immutable", func(t *testing.T) {
		b := open(t, fresh)
		apply := func(digest string) error {
			return try(t.Context(), b.engine, nil, func(v *ledger.View) *ledger.Changes {
				return &ledger.Changes{Versions: []ledger.ToolVersion{{
					Namespace: tenant, Name: "refund", Version: 1, Definition: []byte(digest), Digest: digest, AppliedBy: "admin", AppliedAt: v.Now,
				}}, Tools: []ledger.ToolHead{{Namespace: tenant, Name: "refund", Version: 1}}}
			})
		}
		if err := apply("first"); err != nil {
			t.Fatal(err)
		}
		if apply("second") == nil {
			t.Fatal("a version was overwritten")
		}
		if got := toolSet(t, b.engine, tenant).Versions[0].Digest; got != "first" {
			t.Fatalf("digest %q", got)
		}
	})
	t.Run("a version applied again finds itself, another one is a conflict", func(t *testing.T) {
		b := open(t, fresh)
		l := transact.New(b.engine, transact.Options{})
		defer l.Close()
		for range 2 {
			reply, err := l.Do(t.Context(), Version("refund", 1, "sha256:one"))
			want := ledger.ToolHead{Namespace: tenant, Name: "refund", Version: 1, Digest: "sha256:one"}
			if applied, ok := reply.(*ledger.Applied); err != nil || !ok || !applied.Changed || applied.Head != want {
				t.Fatalf("%+v, %v", reply, err)
			}
		}
		var refusal *ledger.Refusal
		if _, err := l.Do(t.Context(), Version("refund", 1, "sha256:two")); !errors.As(err, &refusal) || refusal.Reason != ledger.ReasonToolVersionConflict {
			t.Fatalf("another definition of one version: %v", err)
		}
		if set := toolSet(t, b.engine, tenant); len(set.Versions) != 1 || set.Epoch != 1 {
			t.Fatalf("%d versions at epoch %d, want one at 1", len(set.Versions), set.Epoch)
		}
	})
	t.Run("a kind of row that this release does not keep is an error, never an absence", func(t *testing.T) {
		b := open(t, fresh)
		err := try(t.Context(), b.engine, []ledger.Read{ledger.ReadOf("something_new", tenant, "x")}, func(*ledger.View) *ledger.Changes { return &ledger.Changes{} })
		if err == nil {
			t.Error("it was answered")
		}
	})
	t.Run("the first token key stays", func(t *testing.T) {
		b := open(t, fresh)
		for _, fresh := range []string{"first", "second"} {
			key, err := b.engine.TokenKey(t.Context(), []byte(fresh))
			if err != nil || string(key) != "first" {
				t.Fatalf("key %q, %v", key, err)
			}
		}
		if _, err := b.engine.TokenKey(t.Context(), nil); err == nil {
			t.Fatal("an empty key was taken")
		}
	})
}

// Version is the command that applies a version of a tool.
func Version(name string, version int64, digest string) *ledger.ApplyTool {
	return &ledger.ApplyTool{
		Namespace: tenant, Principal: "admin", Name: name, Version: version, Definition: []byte(digest), Digest: digest,
	}
}

func toolSet(t *testing.T, e ledger.Engine, ns ledger.Namespace) ledger.ToolSet {
	t.Helper()
	set, err := e.Tools(t.Context(), ns)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func barrier(t *testing.T, fresh Make) {
	t.Run("it returns when nothing older runs", func(t *testing.T) {
		b := open(t, fresh)
		if err := b.engine.Barrier(t.Context()); err != nil {
			t.Fatal(err)
		}
	})
	t.Run("it waits for a transaction that read what stood before", func(t *testing.T) {
		b := open(t, fresh)
		if !b.database.Shared() {
			// One writer: a transaction that is open keeps every later change out, so that there is nothing to wait for.
			return
		}
		servers := b.servers(t, 2)
		epoch := ledger.ReadOf(ledger.ReadEpoch, tenant, "")
		step(t, servers[0], nil, func(*ledger.View) *ledger.Changes {
			return &ledger.Changes{Epochs: map[ledger.Namespace]int64{tenant: 1}}
		})
		view(t, servers[0], epoch) // the server has met the namespace: its next reads write nothing

		read, goOn, ended := signal(), signal(), signal()
		go func() {
			defer close(ended)
			err := servers[0].Transact(context.WithoutCancel(t.Context()), func(ctx context.Context, tx ledger.Tx) error {
				if err := tx.Load(ctx, ledger.NewView(anyTime), []ledger.Read{epoch}); err != nil {
					return err
				}
				close(read)
				<-goOn
				return nil
			})
			if err != nil {
				t.Errorf("the older transaction: %v", err)
			}
		}()
		<-read
		step(t, servers[1], nil, func(*ledger.View) *ledger.Changes {
			return &ledger.Changes{Epochs: map[ledger.Namespace]int64{tenant: 2}}
		})
		passed := make(chan error, 1)
		go func() { passed <- servers[1].Barrier(context.WithoutCancel(t.Context())) }()
		select {
		case err := <-passed:
			t.Fatalf("the barrier let go while an older transaction was open: %v", err)
		case <-time.After(barrierPatience):
		}
		close(goOn)
		<-ended
		if err := <-passed; err != nil {
			t.Fatal(err)
		}
	})
}

// barrierPatience is how long the suite looks whether a barrier wrongly lets go. A right one never does, so that a slow
// machine cannot fail the test.
const barrierPatience = 150 * time.Millisecond

// anyTime is the time of a view that nothing is decided by.
var anyTime = time.Unix(1, 0).UTC()

func signal() chan struct{} { return make(chan struct{}) }
