package server_test

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server"
	"github.com/opledger/opledger/server/servertest"
)

// TestRulesOverSensitiveValues: a rule may count by a value that its tool marks sensitive, and says it to nobody: not in
// answers, decisions, plans, errors, figures or logs.
func TestRulesOverSensitiveValues(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		people := newPeople(t, "shop agent propose,execute,read", "shop reader read", "shop admin administer,read")
		log := &heard{}
		anyone := w.Serve(servertest.WithCallers(people), func(c *server.Config) {
			c.Logger = slog.New(slog.NewJSONHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))
		})
		agent, reader, admin := policyOf(anyone.As(people.token("agent"))), policyOf(anyone.As(people.token("reader"))), policyOf(anyone.As(people.token("admin")))
		d := fieldTool(t, "record.write")
		d.Name, d.Identity = "card.store", &pb.IdentityRules{KeyTemplate: "card:{owner}:{occurrence}", Sensitive: []string{"/card"}}
		d.Schema = &pb.ToolDefinition_ArgumentsSchemaJson{ArgumentsSchemaJson: `{"type":"object","required":["card","owner"],"additionalProperties":false,"properties":{
			"card":{"type":"string"},"owner":{"type":"string"}}}`}
		admin.ApplyDefinition(d)
		once := &pb.PolicyRule{RuleId: "once", Scope: &pb.RuleScope{Tools: []string{"card.store"}}, Kind: &pb.PolicyRule_Limit{Limit: &pb.Limit{
			Name: "once", Per: "{args.card}", Max: new(int64(1)), Period: durationpb.New(time.Hour),
		}}}
		admin.rule(once)
		card := func(owner, number string) string { return `{"card":"` + number + `","owner":"` + owner + `"}` }

		var seen []proto.Message
		decided(t, agent.Propose("card.store", card("kim", secret)), pb.Decision_DECISION_EXECUTE)
		decided(t, agent.Propose("card.store", card("ann", otherSecret)), pb.Decision_DECISION_EXECUTE)
		no := agent.Propose("card.store", card("bob", secret)) // the same card, by whomever
		decided(t, no, pb.Decision_DECISION_RETRY_LATER)
		seen = append(seen, no)
		plan := func(r *pb.EvaluatePolicyRequest) {
			r.Tool, r.Arguments = "card.store", &pb.EvaluatePolicyRequest_ArgumentsJson{ArgumentsJson: card("eve", otherSecret)}
		}
		seen = append(seen, reader.evaluated(pb.Decision_DECISION_RETRY_LATER, "once", plan))
		_, err := reader.tryEvaluate(plan, func(r *pb.EvaluatePolicyRequest) {
			r.World = &pb.ExampleWorld{Counters: map[string]int64{"none": 1}}
		})
		seen = append(seen, status.Convert(err).Proto())
		for _, c := range []*policyClient{agent, reader, admin} {
			decisions, err := c.ListDecisions(t.Context(), &pb.ListDecisionsRequest{})
			if err != nil || len(decisions.Decisions) == 0 {
				t.Fatalf("got %v, %v", decisions, err)
			}
			one, err := c.GetDecision(t.Context(), &pb.GetDecisionRequest{DecisionId: no.DecisionId})
			if err != nil {
				t.Fatal(err)
			}
			seen = append(seen, decisions, one)
		}
		stats, err := reader.GetPolicyStats(t.Context(), &pb.GetPolicyStatsRequest{})
		if err != nil {
			t.Fatal(err)
		}
		seen = append(seen, stats)
		for _, m := range seen {
			noSecret(t, string(m.ProtoReflect().Descriptor().Name()), m)
		}
		for _, word := range []string{secret, otherSecret, "4111-1111"} {
			if strings.Contains(log.String(), word) {
				t.Errorf("the log tells %q", word)
			}
		}
		if !strings.Contains(log.String(), "EvaluatePolicy") {
			t.Error("the log tells of no call, so that this proves nothing")
		}
	})
}
