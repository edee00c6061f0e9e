package script

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// refusalWords are what an expected error can say.
var refusalWords = []string{"reason", "code", "fields", "says", "details"}

// refused reads REASON, or {reason: .., code: .., fields: [..], says: .., details: {KeyReuseDetail: {..}}}.
func (e *expectation) refused(node *yaml.Node) error {
	want := map[string]*yaml.Node{"reason": node}
	if node.Kind == yaml.MappingNode {
		clear(want)
		for k, v := range pairs(node) {
			if !slices.Contains(refusalWords, k.Value) {
				return unknown(k, "part of an error", refusalWords)
			}
			want[k.Value] = v
		}
	}
	if r := want["reason"]; r != nil && pb.ErrorReason_value["ERROR_REASON_"+r.Value] == 0 {
		return at(r, "the API has no reason %q", r.Value)
	}
	if n := want["details"]; n != nil {
		if err := e.details(n); err != nil {
			return err
		}
	}
	if e.labels.checking {
		return nil
	}
	return e.refusedBy(node, want)
}

func (e *expectation) refusedBy(node *yaml.Node, want map[string]*yaml.Node) error {
	err := e.outcome.err
	if err == nil {
		return differs(node, "it was not refused: %s", brief(e.outcome.answer))
	}
	st := status.Convert(err)
	if n := want["reason"]; n != nil && reasonOf(err) != n.Value {
		return differs(n, "refused for %s, want %s: %v", reasonOf(err), n.Value, err)
	}
	if n := want["code"]; n != nil && st.Code().String() != n.Value {
		return differs(n, "the code is %s, want %s: %v", st.Code(), n.Value, err)
	}
	if n := want["says"]; n != nil && !strings.Contains(st.Message(), n.Value) {
		return differs(n, "%q does not say %q", st.Message(), n.Value)
	}
	if n := want["fields"]; n != nil {
		fields, fault := texts(n)
		if fault != nil {
			return fault
		}
		if got := violations(err); !slices.Equal(got, fields) {
			return differs(n, "it names the fields %q, want %q: %v", got, fields, err)
		}
	}
	return nil
}

// details holds the error's details, by the names of their messages, against what is expected.
func (e *expectation) details(node *yaml.Node) error {
	if err := mapping(node); err != nil {
		return err
	}
	x := matcher{resolve: e.labels.resolve, checking: e.labels.checking}
	for k, v := range pairs(node) {
		t, err := protoregistry.GlobalTypes.FindMessageByName(protoreflect.FullName(servicePrefix + k.Value))
		if err != nil {
			return at(k, "the API has no detail %q", k.Value)
		}
		m := t.New()
		for _, d := range status.Convert(e.outcome.err).Details() {
			if found, ok := d.(proto.Message); ok && found.ProtoReflect().Descriptor() == m.Descriptor() {
				m = found.ProtoReflect()
			}
		}
		if err := x.message(v, m, k.Value+"."); err != nil {
			return err
		}
	}
	return nil
}

// reasonOf is the stable reason of an error; empty for none.
func reasonOf(err error) string {
	for _, d := range status.Convert(err).Details() {
		if info, ok := d.(*errdetails.ErrorInfo); ok {
			return info.Reason
		}
	}
	return ""
}

// violations are the fields that an error names.
func violations(err error) (fields []string) {
	for _, d := range status.Convert(err).Details() {
		if bad, ok := d.(*errdetails.BadRequest); ok {
			for _, v := range bad.FieldViolations {
				fields = append(fields, v.Field)
			}
		}
	}
	return fields
}
