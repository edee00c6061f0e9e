package script

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"go.yaml.in/yaml/v3"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/opledger/opledger/eval"
	"github.com/opledger/opledger/eval/provider"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// sent is one request to the simulator, and what its sender saw.
type sent struct {
	tool   string
	answer provider.Answer
}

// sending are the verbs of the outside world.
var sending = map[string]verb{
	"send":    {check: checkSend, act: send},
	"plan":    {check: checkPlan, act: planOf},
	"effects": {check: checkEffects, act: effectsNow},
	"deliver": {check: func(_ *filling, s *Step) error { return noFields(s) }, act: deliver},
}

// sendWords are what a send says: the permit that it acts on, the business key that the provider counts by, and the fault
// that it meets.
type sendWords struct {
	key    string
	fault  eval.Fault
	undoes string // the effect that it undoes; empty: it makes one
}

func readSend(s *Step, l *labels) (w sendWords, err error) {
	w.fault = eval.NoFault
	for _, f := range s.fields {
		word, err := text(f.value)
		if err != nil {
			return w, err
		}
		switch f.name.Value {
		case "key":
			w.key = word
		case "fault":
			if w.fault = eval.Fault(word); !provider.Behaves(w.fault) {
				return w, at(f.value, "%q is no fault of a provider", word)
			}
		case "undoes":
			if w.undoes, err = l.resolve(f.value, word); err != nil {
				return w, err
			}
		default:
			return w, unknown(f.name, "part of a send", []string{"key", "fault", "undoes"})
		}
	}
	if w.key == "" {
		return w, at(s.node, "a send says for which business key the provider counts it")
	}
	return w, nil
}

func checkSend(x *filling, s *Step) error {
	_, err := readSend(s, x.labels)
	x.reply = &pb.ProviderAnswer{}
	if err == nil {
		_, err = x.permitOf(s.subject)
	}
	return err
}

// send makes the request that each permit of a step is for. It takes no time of the world's.
func send(ctx context.Context, r *runner, s *Step) error {
	w, err := readSend(s, r.labels)
	if err != nil {
		return err
	}
	from, err := r.labels.named(s.subject)
	if err != nil {
		return err
	}
	if len(from.permits()) == 0 {
		return at(s.subject, "the step %q brought no permit", s.subject.Value)
	}
	var o *outcome
	for _, p := range from.permits() {
		a := r.write(s, p, w)
		o = &outcome{step: s, sent: &sent{p.Tool, a}, answer: seen(a)}
		r.tell(s, s.subject.Value, fmt.Sprintf("%s %d %s (%s)", a.Kind, a.Status, a.EffectID, w.fault))
	}
	return r.hold(ctx, s, o)
}

// write sends one request, and writes it down.
func (r *runner) write(s *Step, p *pb.Permit, w sendWords) provider.Answer {
	c := eval.Call{By: r.callerOf(s.Caller), Method: "send", Began: r.world.Now(), Sequence: r.next()}
	request := provider.Request{
		Collection: p.Tool, BusinessKey: w.key, VendorKey: p.VendorIdempotencyKey, ClientReference: p.ClientReference,
		Body: []byte(p.DispatchArgumentsJson), Undoes: w.undoes,
	}
	if w.undoes != "" {
		request.Method = provider.Undo
	}
	a := r.provider(p.Tool).Write(request, w.fault)
	c.Ended, c.EndSeq = r.world.Now(), r.next()
	r.calls = append(r.calls, c)
	r.keys[w.key] = append(r.keys[w.key], p.OperationId)
	r.faults[w.key] = append(r.faults[w.key], w.fault)
	return a
}

// seen is an answer as an executor hands it on.
func seen(a provider.Answer) *pb.ProviderAnswer {
	m := &pb.ProviderAnswer{EffectId: a.EffectID, ProviderObjectId: a.EffectID}
	if a.Status != 0 {
		m.RawStatusCode = strconv.Itoa(a.Status)
	}
	if a.EffectID != "" {
		m.ResultJson = string(a.Body)
	}
	if a.Replayed() {
		m.ProviderReplayed = proto.Bool(true)
	}
	return m
}

// reportSent makes the report that an honest executor makes of what it saw.
func reportSent(x *filling, node *yaml.Node) error {
	o, err := x.named(node)
	if err != nil {
		return err
	}
	r := x.request.(*pb.ReportAttemptRequest)
	if x.checking {
		r.Outcome = &pb.ReportAttemptRequest_Succeeded{}
		return nil
	}
	if o.sent == nil {
		return at(node, "%s has sent nothing", node.Value)
	}
	r.Answer = proto.Clone(o.answer).(*pb.ProviderAnswer)
	setOutcome(r, o.sent.answer)
	return nil
}

// setOutcome turns what was seen into an outcome, by the profile of the shared tools: a 5xx may have committed.
func setOutcome(r *pb.ReportAttemptRequest, a provider.Answer) {
	ambiguous := func(kind pb.AmbiguityKind) {
		r.Answer = &pb.ProviderAnswer{RawStatusCode: r.Answer.RawStatusCode}
		r.Outcome = &pb.ReportAttemptRequest_Ambiguous{Ambiguous: &pb.OutcomeAmbiguous{Kind: kind}}
	}
	switch {
	case a.Kind == provider.NoAnswer:
		ambiguous(pb.AmbiguityKind_AMBIGUITY_KIND_TIMEOUT)
	case a.Kind == provider.Reset:
		ambiguous(pb.AmbiguityKind_AMBIGUITY_KIND_CONNECTION_LOST)
	case a.Status == 429:
		limited := &pb.OutcomeRateLimited{}
		if after, err := strconv.Atoi(a.Header.Get("Retry-After")); err == nil {
			limited.RetryAfter = durationpb.New(time.Duration(after) * time.Second)
		}
		r.Outcome = &pb.ReportAttemptRequest_RateLimited{RateLimited: limited}
	case a.Status >= 500:
		ambiguous(pb.AmbiguityKind_AMBIGUITY_KIND_PROVIDER_ERROR)
	case keyInUse(a):
		r.Outcome = &pb.ReportAttemptRequest_Declined{Declined: &pb.OutcomeDeclined{Code: strconv.Itoa(a.Status)}}
	case a.Status >= 400:
		r.Outcome = &pb.ReportAttemptRequest_Rejected{Rejected: &pb.OutcomeRejected{Code: strconv.Itoa(a.Status)}}
	case a.EffectID == "" || !a.Whole():
		ambiguous(pb.AmbiguityKind_AMBIGUITY_KIND_MALFORMED_ANSWER)
	case a.Status == 202:
		r.Outcome = &pb.ReportAttemptRequest_Acknowledged{Acknowledged: &pb.OutcomeAcknowledged{}}
	default:
		r.Outcome = &pb.ReportAttemptRequest_Succeeded{Succeeded: &pb.OutcomeSucceeded{}}
	}
}

// keyInUse reports whether the provider said that the first request under the key is still under way. This one did nothing,
// and a later one may get an answer: no refusal of what was asked.
func keyInUse(a provider.Answer) bool {
	var body struct{ Error struct{ Code string } }
	return a.Status == http.StatusConflict && json.Unmarshal(a.Body, &body) == nil && body.Error.Code == "idempotency_key_in_use"
}

// find asks the provider a question of the ledger's.
func (r *runner) find(tool string, q *pb.LookupQuestion) (effect string) {
	query := provider.Query{Collection: tool}
	switch q.By {
	case pb.LookupBy_LOOKUP_BY_VENDOR_KEY:
		query.VendorKey = q.Value
	case pb.LookupBy_LOOKUP_BY_CLIENT_REFERENCE:
		query.ClientReference = q.Value
	default:
		query.ObjectID = q.Value
	}
	found, err := r.provider(tool).Find(query)
	switch {
	case err != nil:
		return "unavailable"
	case len(found) == 0:
		return "nothing"
	}
	return found[0].ID
}

func checkEffects(x *filling, s *Step) error {
	return firstOf(noFields(s), (&final{labels: x.labels}).effects(context.Background(), s.subject))
}

// effectsNow counts at the provider in the middle of a scenario.
func effectsNow(ctx context.Context, r *runner, s *Step) error {
	return (&final{labels: r.labels, runner: r}).effects(ctx, s.subject)
}

// deliver hands in, as events of a source, what the providers tell by webhook and is due.
func deliver(ctx context.Context, r *runner, s *Step) error {
	for _, sim := range r.providersInOrder() {
		for _, d := range sim.Webhooks(r.world.Now()) {
			m := &pb.RecordInboundEventResponse{}
			err := r.ask(ctx, s.Caller, "WorkflowService/RecordInboundEvent", &pb.RecordInboundEventRequest{
				Source: s.subject.Value, EventId: d.ID, EventType: d.Status, ClientReference: d.ClientReference, VendorIdempotencyKey: d.VendorKey,
				ProviderObjectId: d.ObjectID, EventTime: timestamppb.New(d.Occurred), Payload: &pb.RecordInboundEventRequest_PayloadJson{PayloadJson: "{}"},
			}, m)
			if err != nil {
				return differs(s.node, "the event %s is refused: %v", d.ID, err)
			}
			r.tell(s, d.Type, brief(m))
		}
	}
	return nil
}
