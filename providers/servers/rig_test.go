package servers

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/opledger/opledger/adapter"
	"github.com/opledger/opledger/dispatch"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/internal/outward"
	"github.com/opledger/opledger/server/servertest"
)

// patience bounds a wait for what has to come, on a busy machine too.
const patience = 90 * time.Second

// step is how much time passes at once while nothing is under way: less than any wait that is tested.
const step = 5 * time.Second

// rig is a whole Opledger that acts at a server by way of a proxy.
type rig struct {
	t      *testing.T
	ctx    context.Context
	world  *servertest.World
	client *servertest.Client
	proxy  *proxy
	secret atomic.Pointer[string] // what every secret that tools name stands for
}

// newRig starts an Opledger that has some of the example tools, as they ship but for the host.
func newRig(t *testing.T, serverURL, secret string, tools []example, options ...servertest.Option) *rig {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	r := &rig{t: t, ctx: ctx, world: servertest.SQLite(t), proxy: newProxy(t, serverURL)}
	r.secret.Store(&secret)
	r.client = r.world.Serve(options...)
	r.world.Dispatch()
	r.world.CarryOut(func(c *dispatch.ExecutorConfig) {
		c.Adapter = adapter.New(adapter.Config{AllowPrivate: true, AllowHTTP: true, Secrets: outward.Secrets{
			EnvPrefix: outward.DefaultEnvPrefix, LookupEnv: func(string) (string, bool) { return *r.secret.Load(), true },
		}})
	})
	for _, tool := range tools {
		r.client.Apply(tool.at(t, r.proxy.URL))
	}
	return r
}

// example is a tool of examples/tools/http.
type example struct {
	name string
	host string // in the file
	// instead is what the server of the test needs otherwise, by pairs; each must be in the file.
	instead []string
}

// at is the tool's file with another host.
func (e example) at(t *testing.T, url string) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "..", "examples", "tools", "http", e.name+".yaml"))
	if err != nil {
		t.Fatal(err)
	}
	text := string(raw)
	pairs := append([]string{"https://" + e.host, url, "allowed_hosts: [" + e.host + "]", "allowed_hosts: [127.0.0.1]"}, e.instead...)
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(text, pairs[i]) {
			t.Fatalf("%s has no %q any more", e.name, pairs[i])
		}
		text = strings.ReplaceAll(text, pairs[i], pairs[i+1])
	}
	return text
}

// propose proposes a call that the server is to carry out.
func (r *rig) propose(tool, arguments string) (id string) {
	r.t.Helper()
	answer := r.client.Propose(tool, arguments)
	if answer.Permit != nil {
		r.t.Fatalf("%s: a permit was given to a caller that does not act", tool)
	}
	return answer.GetResult().GetOperationId()
}

// until lets time pass until the operation is as wanted. Time stands still while a request is under way: what is tested is
// the ledger's waiting, not how fast this machine is.
func (r *rig) until(id, what string, wanted func(*pb.Operation) bool) *pb.Operation {
	r.t.Helper()
	return r.wait(id, what, wanted, func() { r.world.Pass(step) })
}

// await waits until the operation is as wanted by what others do, without letting time pass.
func (r *rig) await(id, what string, wanted func(*pb.Operation) bool) *pb.Operation {
	r.t.Helper()
	return r.wait(id, what, wanted, func() {})
}

func (r *rig) wait(id, what string, wanted func(*pb.Operation) bool, pass func()) *pb.Operation {
	r.t.Helper()
	for {
		r.proxy.settle()
		o := r.client.Operation(id)
		switch {
		case wanted(o):
			return o
		case r.ctx.Err() != nil:
			r.t.Fatalf("%s did not come; the operation is %s\n%s", what, o.State, r.history(id))
		case o.State != pb.Operation_STATE_DISPATCHED:
			pass()
		}
		r.breathe()
	}
}

// breathe gives the other goroutines a moment between two looks. It decides nothing.
func (r *rig) breathe() {
	select {
	case <-time.After(5 * time.Millisecond):
	case <-r.ctx.Done():
	}
}

// ended reports whether the operation has its end. That a person was called is none: it is still asked for, and on a machine
// that stands still for a moment hours of the test's time pass.
func ended(o *pb.Operation) bool {
	switch o.State {
	case pb.Operation_STATE_COMPLETED_SUCCESS, pb.Operation_STATE_COMPLETED_NOOP, pb.Operation_STATE_FAILED_PERMANENT:
		return true
	}
	return false
}

func (r *rig) history(id string) string {
	var text strings.Builder
	for _, e := range r.client.Events(id) {
		text.WriteString(e.String() + "\n")
	}
	return text.String()
}

// call makes a request of the test's own to a server, beside Opledger and its proxy, and reads the JSON answer.
func call(t *testing.T, method, url string, header map[string]string, body string, into any) (status int) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range header {
		request.Header.Set(name, value)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	if into != nil {
		if err := json.NewDecoder(answer.Body).Decode(into); err != nil {
			t.Fatalf("%s %s answers %d and no JSON: %v", method, url, answer.StatusCode, err)
		}
	}
	return answer.StatusCode
}
