package server

import (
	"fmt"
	"strings"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/protoadapt"
	"google.golang.org/protobuf/reflect/protoreflect"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/policy"
)

// ruleFaults refuses a rule, or a tool for its rules or for those of its namespace: one violation and one detail with line
// and column for each problem. Field gives a problem's place in the request.
func ruleFaults(reason pb.ErrorReason, problems []policy.Problem, field func(policy.Problem) string) error {
	bad := &errdetails.BadRequest{}
	details := []protoadapt.MessageV1{bad}
	for _, p := range problems {
		bad.FieldViolations = append(bad.FieldViolations, &errdetails.BadRequest_FieldViolation{
			Field: field(p), Description: placed(p), Reason: string(p.Code),
		})
		if p.Line > 0 {
			details = append(details, &pb.RuleFaultDetail{
				Field: field(p), Line: int32(p.Line), Column: int32(p.Column), Description: p.Message,
			})
		}
	}
	first := problems[0]
	return fail(codes.InvalidArgument, reason,
		fmt.Sprintf("the rule %s cannot be applied: %s: %s", first.Rule, field(first), placed(first)), map[string]string{"rule_id": first.Rule}, details...)
}

// placed is what is wrong, with its place in the expression where it has one.
func placed(p policy.Problem) string {
	if p.Line > 0 {
		return fmt.Sprintf("line %d, column %d: %s", p.Line, p.Column, p.Message)
	}
	return p.Message
}

// ruleField is a problem's place in a request that carries a rule.
func ruleField(p policy.Problem) string { return strings.TrimSuffix("rule."+p.Path, ".") }

// toolField is a problem's place in a request that carries a tool. Of a rule of the namespace that the tool comes into the
// scope of, the tool as a whole is the place, and the sentence names the rule.
func toolField(tool string) func(policy.Problem) string {
	return func(p policy.Problem) string {
		if strings.HasPrefix(p.Rule, tool+"/") || p.Rule == tool {
			return strings.TrimSuffix("definition."+p.Path, ".")
		}
		return "definition"
	}
}

// unknownFields lists what a message says in fields that this release does not know, by the path of the message that
// holds them. In a rule or a definition these would be accepted and ignored, which nothing ever is.
func unknownFields(path string, m protoreflect.Message) []string {
	var found []string
	if len(m.GetUnknown()) > 0 {
		found = append(found, path)
	}
	m.Range(func(field protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		at := path + "." + string(field.Name())
		switch {
		case field.IsMap() || field.Message() == nil:
		case field.IsList():
			for i := range v.List().Len() {
				found = append(found, unknownFields(fmt.Sprintf("%s[%d]", at, i), v.List().Get(i).Message())...)
			}
		default:
			found = append(found, unknownFields(at, v.Message())...)
		}
		return true
	})
	return found
}

// refuseUnknown refuses a message that says more than this release knows.
func refuseUnknown(reason pb.ErrorReason, field string, m protoreflect.ProtoMessage) error {
	found := unknownFields(field, m.ProtoReflect())
	if len(found) == 0 {
		return nil
	}
	return invalidField(reason, found[0], "it has fields that this release does not know; take them out, or use a server that knows them: they are never accepted and ignored")
}
