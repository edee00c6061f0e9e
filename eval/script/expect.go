package script

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
	"google.golang.org/protobuf/proto"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/internal/yamlproto"
)

// expectation is what a step expects of its answer: fields of the answer, and the words of this table.
type expectation struct {
	labels  *labels
	outcome *outcome
	// operation reads the operation that the step was about, as it stands afterwards.
	operation func() (*pb.Operation, error)
}

// check finds faults of an expectation before anything runs.
func (e *expectation) check(node *yaml.Node) error { return e.hold(node) }

// hold holds the outcome against what is expected. A *mismatch is an expectation that did not come true.
func (e *expectation) hold(node *yaml.Node) error {
	if err := mapping(node); err != nil {
		return err
	}
	o, wantsError := e.outcome, member(node, "error")
	if !e.labels.checking && o.err != nil && wantsError == nil {
		return differs(node, "refused: %v", o.err)
	}
	for k, v := range pairs(node) {
		if err := e.one(k, v); err != nil {
			return err
		}
	}
	return nil
}

func (e *expectation) one(k, v *yaml.Node) error {
	switch k.Value {
	case "error":
		return e.refused(v)
	case "same_operation_as", "other_operation_than":
		return e.operations(v, k.Value == "same_operation_as")
	case "same_attempt_as":
		return e.sameAttempt(v)
	case "same_answer_as":
		return e.sameAnswer(v)
	case "told":
		return e.told(v)
	case "count":
		return e.count(v)
	case "permits":
		return e.permits(v)
	case "state":
		return e.state(v)
	case "operation":
		return e.after(v)
	}
	x := matcher{resolve: e.labels.resolve, checking: e.labels.checking}
	m := e.outcome.answer.ProtoReflect()
	f := yamlproto.FieldOf(m.Descriptor().Fields(), k.Value)
	if f == nil {
		words := []string{"error", "same_operation_as", "other_operation_than", "same_attempt_as", "same_answer_as", "told", "count", "permits", "state", "operation"}
		return unknown(k, "expectation here", append(words, fieldNames(m.Descriptor())...))
	}
	return x.field(v, f, m, k.Value)
}

func (e *expectation) operations(node *yaml.Node, same bool) error {
	other, err := e.labels.named(node)
	if err != nil || e.labels.checking {
		return err
	}
	a, b := e.outcome.operationID(), other.operationID()
	if a == "" || b == "" || (a == b) != same {
		return differs(node, "the operation is %q, and that of %q is %q", a, node.Value, b)
	}
	return nil
}

func (e *expectation) sameAttempt(node *yaml.Node) error {
	other, err := e.labels.named(node)
	if err != nil || e.labels.checking {
		return err
	}
	a, b := e.outcome.permit(), other.permit()
	if a == nil || b == nil || a.AttemptId != b.AttemptId || a.AttemptToken != b.AttemptToken || a.AttemptNumber != b.AttemptNumber {
		return differs(node, "the permit is %s, and that of %q is %s", brief(a), node.Value, brief(b))
	}
	return nil
}

// sameAnswer expects the reason and the words of an earlier refusal, its own operation's id apart.
func (e *expectation) sameAnswer(node *yaml.Node) error {
	other, err := e.labels.named(node)
	if err != nil || e.labels.checking {
		return err
	}
	a, b := e.outcome.err, other.err
	if a == nil || b == nil || reasonOf(a) != reasonOf(b) || withoutIDs(a) != withoutIDs(b) {
		return differs(node, "the answer is %v, and that of %q is %v", a, node.Value, b)
	}
	return nil
}

// told reads {says: [..], never: [..]}: words of the sentences for the customer and the model, in whatever case.
func (e *expectation) told(node *yaml.Node) error {
	if err := mapping(node); err != nil {
		return err
	}
	said := strings.ToLower(strings.Join(toldBy(e.outcome.answer), "\n"))
	for k, v := range pairs(node) {
		words, err := texts(v)
		if err != nil {
			return err
		}
		if k.Value != "says" && k.Value != "never" {
			return unknown(k, "part of what is told", []string{"says", "never"})
		}
		for _, word := range words {
			if !e.labels.checking && strings.Contains(said, strings.ToLower(word)) != (k.Value == "says") {
				return differs(v, "told is %q; %q is to stand there: %t", said, word, k.Value == "says")
			}
		}
	}
	return nil
}

// count counts the decisions of a step that was done several times at once: {EXECUTE: 1, IN_FLIGHT: 63}.
func (e *expectation) count(node *yaml.Node) error {
	if err := mapping(node); err != nil {
		return err
	}
	counts := map[string]int{}
	for _, r := range e.outcome.all {
		word := reasonOf(r.err)
		if m, decided := r.answer.(*pb.ProposeOperationResponse); decided && r.err == nil {
			word = yamlproto.Word[string](m.Decision)
		}
		counts[word]++
	}
	for k, v := range pairs(node) {
		sum := 0
		for _, word := range strings.Split(k.Value, "|") {
			if yamlproto.Value[pb.Decision](word) == 0 && pb.ErrorReason_value["ERROR_REASON_"+word] == 0 {
				return at(k, "%q is no decision and no reason of an error", word)
			}
			sum += counts[word]
		}
		want, err := strconv.Atoi(v.Value)
		if err != nil {
			return at(v, "a number is wanted here")
		}
		if !e.labels.checking && sum != want {
			return differs(v, "%d of the answers are %s, want %d: %v", sum, k.Value, want, counts)
		}
	}
	return nil
}

// permits counts the permits of all answers, and expects each to be of another attempt.
func (e *expectation) permits(node *yaml.Node) error {
	want, err := strconv.Atoi(node.Value)
	if err != nil {
		return at(node, "a number of permits is wanted here")
	}
	if e.labels.checking {
		return nil
	}
	given := map[string]bool{}
	for _, p := range e.outcome.permits() {
		if given[p.AttemptId] {
			return differs(node, "attempt %d of %s was given twice", p.AttemptNumber, p.OperationId)
		}
		given[p.AttemptId] = true
	}
	if len(given) != want {
		return differs(node, "%d permits were given, want %d", len(given), want)
	}
	return nil
}

// state expects the operation's state, wherever the answer has it.
func (e *expectation) state(node *yaml.Node) error {
	if yamlproto.Value[pb.Operation_State](node.Value) == 0 {
		return at(node, "%q is no state", node.Value)
	}
	var state pb.Operation_State
	switch m := e.outcome.answer.(type) {
	case interface{ GetOperation() *pb.Operation }:
		state = m.GetOperation().GetState()
	case interface{ GetResult() *pb.ToolResult }:
		state = m.GetResult().GetState()
	default:
		return at(node, "the answer has no state")
	}
	if got := yamlproto.Word[string](state); !e.labels.checking && got != node.Value {
		return differs(node, "the state is %s, want %s; told: %q", got, node.Value, toldBy(e.outcome.answer))
	}
	return nil
}

// after reads the operation that the step was about once more, and holds it against what is expected.
func (e *expectation) after(node *yaml.Node) error {
	x := matcher{resolve: e.labels.resolve, checking: e.labels.checking}
	o := &pb.Operation{}
	if !e.labels.checking {
		var err error
		if o, err = e.operation(); err != nil {
			return differs(node, "the operation cannot be read: %v", err)
		}
	}
	return x.message(node, o.ProtoReflect(), "operation.")
}

// toldBy are the sentences of an answer.
func toldBy(m proto.Message) []string {
	r, has := m.(interface{ GetResult() *pb.ToolResult })
	if !has || r.GetResult() == nil {
		return nil
	}
	return []string{r.GetResult().SafeUserMessage, r.GetResult().ModelMessage}
}
