package proto_test

import (
	"slices"
	"strings"
	"testing"

	"buf.build/go/protovalidate"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"

	opledgerv1 "github.com/opledger/opledger/gen/go/opledger/v1"
)

// Rules of the API that no linter holds: which calls only read, how they page, how they are made safe to repeat.

// TestReadsAndMutationsAreMarked: a call whose name says that it reads is marked so, and no other is.
func TestReadsAndMutationsAreMarked(t *testing.T) {
	for _, m := range methods(t) {
		level := m.Options().(*descriptorpb.MethodOptions).GetIdempotencyLevel()
		marked := level == descriptorpb.MethodOptions_NO_SIDE_EFFECTS
		if marked != reads(m) {
			t.Errorf("%s: marked as free of side effects is %v, its name says %v", m.FullName(), marked, reads(m))
		}
	}
}

// TestMutationsCanBeRepeated: every call that changes something carries an identity of its own, made by the client.
func TestMutationsCanBeRepeated(t *testing.T) {
	// Calls with another identity than a request id, as their comments say.
	otherwise := map[protoreflect.Name]protoreflect.Name{
		"BeginAttempt":       "begin_nonce",
		"ReportAttempt":      "report_id",
		"RecordInboundEvent": "event_id",
		"BatchPropose":       "requests",
		"BatchReport":        "requests",
		"ExtendWork":         "requests",
	}
	for _, m := range methods(t) {
		if reads(m) {
			continue
		}
		identity := protoreflect.Name("request_id")
		if name, ok := otherwise[m.Name()]; ok {
			identity = name
		}
		if m.Input().Fields().ByName(identity) == nil {
			t.Errorf("%s: no field %s makes it safe to repeat", m.FullName(), identity)
		}
	}
}

// TestListsPage: every list is bounded, and pages by an opaque token.
func TestListsPage(t *testing.T) {
	for _, m := range methods(t) {
		if !strings.HasPrefix(string(m.Name()), "List") {
			continue
		}
		for _, name := range []protoreflect.Name{"page_size", "page_token"} {
			if m.Input().Fields().ByName(name) == nil {
				t.Errorf("%s: the request has no %s", m.FullName(), name)
			}
		}
		if m.Output().Fields().ByName("next_page_token") == nil {
			t.Errorf("%s: the response has no next_page_token", m.FullName())
		}
	}
}

// TestNoRequestNamesANamespace: the namespace comes from the credential and from nowhere else.
func TestNoRequestNamesANamespace(t *testing.T) {
	for _, m := range methods(t) {
		walk(m.Input(), map[protoreflect.FullName]bool{}, func(f protoreflect.FieldDescriptor) {
			if f.Name() == "namespace" {
				t.Errorf("%s: %s lets a caller choose a namespace", m.FullName(), f.FullName())
			}
		})
	}
}

// TestOneNameForEachIdentifier: a field that holds an id says which, so no field is called plain "id" but an entity's own.
func TestOneNameForEachIdentifier(t *testing.T) {
	for _, m := range methods(t) {
		for _, d := range []protoreflect.MessageDescriptor{m.Input(), m.Output()} {
			walk(d, map[protoreflect.FullName]bool{}, func(f protoreflect.FieldDescriptor) {
				owner := f.Parent().Name()
				if f.Name() == "id" && owner != "Entity" && owner != "EntityTemplate" {
					t.Errorf("%s: which id?", f.FullName())
				}
			})
		}
	}
}

// TestEveryRuleCompiles: validation rules are compiled when first met; here all are met, so that none fails in production.
func TestEveryRuleCompiles(t *testing.T) {
	var all []proto.Message
	protoregistry.GlobalTypes.RangeMessages(func(mt protoreflect.MessageType) bool {
		if mt.Descriptor().ParentFile().Package() == "opledger.v1" && !mt.Descriptor().IsMapEntry() {
			all = append(all, mt.Zero().Interface())
		}
		return true
	})
	if len(all) < 200 {
		t.Fatalf("only %d messages are known", len(all))
	}
	if _, err := protovalidate.New(protovalidate.WithMessages(all...), protovalidate.WithDisableLazy()); err != nil {
		t.Fatal(err)
	}
}

// TestSecretsAreMarked: whoever prints a message can leave out what must not reach a log.
func TestSecretsAreMarked(t *testing.T) {
	secrets := []protoreflect.Name{"attempt_token", "begin_nonce", "lease_token", "lookup_ticket"}
	marked := 0
	for _, m := range methods(t) {
		for _, d := range []protoreflect.MessageDescriptor{m.Input(), m.Output()} {
			walk(d, map[protoreflect.FullName]bool{}, func(f protoreflect.FieldDescriptor) {
				if !slices.Contains(secrets, f.Name()) {
					return
				}
				if !f.Options().(*descriptorpb.FieldOptions).GetDebugRedact() {
					t.Errorf("%s: a secret that is not marked debug_redact", f.FullName())
				}
				marked++
			})
		}
	}
	if marked == 0 {
		t.Fatal("no secret was found")
	}
}

// reads reports whether a call's name says that it only reads.
func reads(m protoreflect.MethodDescriptor) bool {
	return slices.ContainsFunc([]string{"Get", "List", "Watch", "Explain", "Evaluate"}, func(verb string) bool {
		return strings.HasPrefix(string(m.Name()), verb)
	})
}

// methods lists every call of every service.
func methods(t *testing.T) []protoreflect.MethodDescriptor {
	t.Helper()
	_ = opledgerv1.File_opledger_v1_operation_service_proto // its package registers every file
	var found []protoreflect.MethodDescriptor
	protoregistry.GlobalFiles.RangeFilesByPackage("opledger.v1", func(file protoreflect.FileDescriptor) bool {
		for i := range file.Services().Len() {
			service := file.Services().Get(i)
			for j := range service.Methods().Len() {
				found = append(found, service.Methods().Get(j))
			}
		}
		return true
	})
	if len(found) < 60 {
		t.Fatalf("only %d calls are known", len(found))
	}
	return found
}

// walk visits every field that a message can hold, each message once.
func walk(d protoreflect.MessageDescriptor, seen map[protoreflect.FullName]bool, visit func(protoreflect.FieldDescriptor)) {
	if seen[d.FullName()] || d.ParentFile().Package() != "opledger.v1" && !d.IsMapEntry() {
		return
	}
	seen[d.FullName()] = true
	for i := range d.Fields().Len() {
		f := d.Fields().Get(i)
		if f.ContainingMessage().ParentFile().Package() == "opledger.v1" {
			visit(f)
		}
		if f.Message() != nil {
			walk(f.Message(), seen, visit)
		}
	}
}
