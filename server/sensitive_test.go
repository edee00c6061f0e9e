package server_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server"
	"github.com/opledger/opledger/server/servertest"
)

// The secret of the tests, and the salt of another, as they stand in arguments and results.
const secret, otherSecret = "4111-1111-1111-1111", "4222-2222-2222-2222"

// heard keeps a log, whole.
type heard struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (h *heard) Write(b []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.text.Write(b)
}

func (h *heard) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.text.String()
}

// TestSensitiveValues: a value that its tool marks sensitive makes one operation of two equal calls, and is told to
// nobody: not in answers, errors, lists, events or logs. Only the permit's holder gets it, who is to send it.
func TestSensitiveValues(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		people := newPeople(t, "shop agent propose,execute,read", "shop reader read", "shop admin administer,read")
		log := &heard{}
		anyone := w.Serve(servertest.WithCallers(people), func(c *server.Config) {
			c.Logger = slog.New(slog.NewJSONHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))
		})
		agent, reader, admin := anyone.As(people.token("agent")), anyone.As(people.token("reader")), anyone.As(people.token("admin"))
		d := fieldTool(t, "record.write")
		d.Name = "card.store"
		d.Schema = &pb.ToolDefinition_ArgumentsSchemaJson{ArgumentsSchemaJson: `{"type":"object","required":["card"],"properties":{
			"card":{"type":"string","pattern":"^[0-9-]*$"},"owner":{"type":"string"},"amount":{"type":"integer"}}}`}
		d.Identity = &pb.IdentityRules{KeyTemplate: "card:{owner}:{occurrence}", Sensitive: []string{"/card"}}
		d.Schema = &pb.ToolDefinition_ArgumentsSchemaJson{ArgumentsSchemaJson: strings.Replace(d.GetArgumentsSchemaJson(), `["card"]`, `["card","owner"]`, 1)}
		admin.ApplyDefinition(d)
		plain := fieldTool(t, "record.write")
		plain.Name, plain.Identity = "card.note", &pb.IdentityRules{Sensitive: []string{"/card"}}
		plain.Schema = &pb.ToolDefinition_ArgumentsSchemaJson{ArgumentsSchemaJson: `{"type":"object","properties":{"card":{"type":"string"}}}`}
		admin.ApplyDefinition(plain)

		var seen []proto.Message
		saw := func(m proto.Message) { seen = append(seen, m) }
		errs := func(err error) { saw(status.Convert(err).Proto()) }
		card := func(number string) string { return `{"card":"` + number + `","owner":"kim"}` }

		first := agent.Propose("card.store", card(secret))
		decided(t, first, pb.Decision_DECISION_EXECUTE)
		says(t, first.Permit.DispatchArgumentsJson, secret)
		first.Permit.DispatchArgumentsJson = "" // the one place
		saw(first)
		again := agent.Propose("card.store", card(secret))
		decided(t, again, pb.Decision_DECISION_IN_FLIGHT)
		sameOperation(t, first.Result.OperationId, again.Result.OperationId)
		saw(again)
		_, err := agent.ProposeOperation(t.Context(), servertest.Proposal("card.store", card(otherSecret)))
		keyReused(t, err, first.Result.OperationId, "/card")
		errs(err)
		_, err = agent.ProposeOperation(t.Context(), servertest.Proposal("card.store", card(secret+"x")))
		errs(err)
		saw(agent.Propose("card.store", card(otherSecret), occurrence("2"), func(r *pb.ProposeOperationRequest) { r.Mode = pb.ProposalMode_PROPOSAL_MODE_PLAN_ONLY }))
		// Without a template the whole arguments make the key, the value by its keyed hash.
		note := agent.Execute("card.note", `{"card":"`+secret+`"}`)
		otherNote := agent.Execute("card.note", `{"card":"`+otherSecret+`"}`)
		otherOperation(t, note.OperationId, otherNote.OperationId)

		saw(agent.Reported(first.Permit, servertest.Succeeded("row_1", `{"stored":"`+secret+`"}`)))
		saw(agent.Propose("card.store", card(secret)))
		for _, c := range []*servertest.Client{agent, reader, admin} {
			for _, o := range c.Operations() {
				saw(o)
				saw(c.Operation(o.OperationId))
				for _, e := range c.Events(o.OperationId) {
					saw(e)
				}
			}
		}
		explained, err := agent.ExplainIdentity(t.Context(), &pb.ExplainIdentityRequest{
			Contract: &pb.ExplainIdentityRequest_Tool{Tool: "card.store"},
			A:        &pb.IdentityInput{Arguments: &pb.IdentityInput_ArgumentsJson{ArgumentsJson: card(secret)}},
			B:        &pb.IdentityInput{Arguments: &pb.IdentityInput_ArgumentsJson{ArgumentsJson: card(otherSecret)}},
		})
		if err != nil {
			t.Fatal(err)
		}
		saw(explained)
		_, err = reader.ProposeOperation(t.Context(), servertest.Proposal("card.store", card(secret)))
		errs(err)

		for _, m := range seen {
			noSecret(t, string(m.ProtoReflect().Descriptor().Name()), m)
		}
		for _, word := range []string{secret, otherSecret, "4111-1111", first.Permit.AttemptToken, people.token("agent")} {
			if strings.Contains(log.String(), word) {
				t.Errorf("the log tells %q", word)
			}
		}
		if !strings.Contains(log.String(), "ProposeOperation") {
			t.Error("the log tells of no call, so that this proves nothing")
		}
		o := reader.Operation(first.Result.OperationId)
		if len(o.RedactedPointers) != 1 || !strings.Contains(o.CanonicalArgumentsJson, "kim") {
			t.Errorf("a reader sees the rest, and what was left out: %v", o)
		}
	})
}

// noSecret looks at everything that a message says.
func noSecret(t *testing.T, what string, m proto.Message) {
	t.Helper()
	b, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	wire, err := proto.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{secret, otherSecret} {
		if bytes.Contains(b, []byte(s)) || bytes.Contains(wire, []byte(s)) {
			t.Errorf("%s tells the secret: %v", what, m)
		}
	}
}

// TestSensitiveHashesDiffer: equal values of two namespaces cannot be told to be equal.
func TestSensitiveHashesDiffer(t *testing.T) {
	const everything = "propose,execute,read,administer"
	people := newPeople(t, "north n "+everything, "south s "+everything)
	anyone := servertest.SQLite(t).Serve(servertest.WithCallers(people))
	prints := map[string]bool{}
	for _, who := range []string{"n", "s"} {
		c := anyone.As(people.token(who))
		d := fieldTool(t, "record.write")
		d.Identity = &pb.IdentityRules{Sensitive: []string{"/card"}}
		d.Schema = &pb.ToolDefinition_ArgumentsSchemaJson{ArgumentsSchemaJson: `{"type":"object","properties":{"card":{"type":"string"}}}`}
		c.ApplyDefinition(d)
		p := c.Execute("record.write", `{"card":"`+secret+`"}`)
		prints[c.Operation(p.OperationId).Fingerprint] = true
	}
	if len(prints) != 2 {
		t.Fatal("one fingerprint stands for the same value in two namespaces")
	}
}
