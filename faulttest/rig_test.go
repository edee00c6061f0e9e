package faulttest

import (
	"context"
	_ "embed"
	"os"
	"strings"
	"testing"
	"time"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/internal/vendor"
	"github.com/opledger/opledger/server/servertest"
)

//go:embed tools.yaml
var tools string

func TestMain(m *testing.M) {
	vendor.Main()
	os.Exit(m.Run())
}

// patience bounds a wait for what has to come, on a busy machine too.
const patience = 3 * time.Minute

// rig is a server with its executor and its loop of due work, and a provider.
type rig struct {
	t      *testing.T
	world  *servertest.World
	client *servertest.Client
	vendor *vendor.Process
	ctx    context.Context
}

func newRig(t *testing.T, w *servertest.World, options ...servertest.Option) *rig {
	t.Helper()
	r := (&rig{world: w, vendor: vendor.Start(t)}).under(t)
	r.client = w.Serve(append(options, takesEvents(t))...)
	w.Dispatch()
	w.CarryOut()
	r.client.Apply(strings.ReplaceAll(tools, "http://provider", r.vendor.URL))
	return r
}

// under is the same rig for a test within its test.
func (r *rig) under(t *testing.T) *rig {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	return &rig{t: t, world: r.world, client: r.client, vendor: r.vendor, ctx: ctx}
}

func arguments(ref string) string { return `{"ref":"` + ref + `"}` }

// propose proposes a call that the server is to carry out.
func (r *rig) propose(tool string) string {
	r.t.Helper()
	return r.proposeRef(tool, "ref_1")
}

func (r *rig) proposeRef(tool, ref string) string {
	r.t.Helper()
	answer := r.client.Propose(tool, arguments(ref))
	if answer.Permit != nil {
		r.t.Fatalf("%s: a permit was given to a caller that does not act", tool)
	}
	return answer.GetResult().GetOperationId()
}

// until lets time pass until the operation is as wanted. Time stands still while a permit is out and while a request that
// left has not arrived, so that what is tested is the ledger's waiting and not how fast this machine is.
func (r *rig) until(id, what string, wanted func(*pb.Operation) bool) *pb.Operation {
	r.t.Helper()
	for {
		o := r.client.Operation(id)
		switch {
		case wanted(o):
			return o
		case r.ctx.Err() != nil:
			r.t.Fatalf("%s did not come; the operation is %s\n%s", what, o.State, history(r.client, id))
		case o.State != pb.Operation_STATE_DISPATCHED && r.arrived(o):
			r.world.Pass(2 * time.Second)
		}
		r.breathe()
	}
}

// arrived reports whether every request of the operation's attempts has reached the provider.
func (r *rig) arrived(o *pb.Operation) bool {
	left := 0
	for _, a := range o.Attempts {
		if a.Report != nil && a.Report.GetNotSent() == nil {
			left++
		}
	}
	for _, n := range r.vendor.Counts().Writes {
		left -= n // reads are counted as well: a read's attempt is one
	}
	return left <= 0
}

// breathe gives the other goroutines a moment between two looks. It decides nothing.
func (r *rig) breathe() {
	select {
	case <-time.After(10 * time.Millisecond):
	case <-r.ctx.Done():
	}
}

// ended reports whether nothing will happen by itself any more.
func ended(o *pb.Operation) bool {
	switch o.State {
	case pb.Operation_STATE_COMPLETED_SUCCESS, pb.Operation_STATE_COMPLETED_NOOP, pb.Operation_STATE_FAILED_PERMANENT:
		return true
	}
	return o.NeedsHuman != nil
}

func history(c *servertest.Client, id string) string {
	var text strings.Builder
	for _, e := range c.Events(id) {
		text.WriteString(e.String() + "\n")
	}
	return text.String()
}
