package server

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/registry"
)

// coreWords reads the constants of a named type from the core's own source, so that a word that is added there and not
// here is found.
func coreWords(t *testing.T, folder, typeName, prefix string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, source, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || len(spec.Names) != 1 || len(spec.Values) != 1 {
				return true
			}
			literal, isText := spec.Values[0].(*ast.BasicLit)
			named, _ := spec.Type.(*ast.Ident)
			typed := typeName != "" && named != nil && named.Name == typeName
			prefixed := typeName == "" && spec.Type == nil && strings.HasPrefix(spec.Names[0].Name, prefix)
			if isText && literal.Kind == token.STRING && (typed || prefixed) {
				if word, err := strconv.Unquote(literal.Value); err == nil && word != "" {
					words = append(words, word)
				}
			}
			return true
		})
	}
	if len(words) < 2 {
		t.Fatalf("only %q of %s%s were found", words, typeName, prefix)
	}
	return words
}

// TestEveryWordOfTheCoreHasItsValue: no state, decision, event, category, incident or reason is ever told as UNSPECIFIED.
func TestEveryWordOfTheCoreHasItsValue(t *testing.T) {
	for name, c := range map[string]struct {
		folder, typeName, prefix string
		value                    func(string) int32
	}{
		"states":     {"ledger", "State", "", func(s string) int32 { return int32(stateOf(ledger.State(s))) }},
		"decisions":  {"ledger", "DecisionKind", "", func(s string) int32 { return int32(decisionOf(ledger.DecisionKind(s))) }},
		"events":     {"ledger", "EventType", "", func(s string) int32 { return int32(eventTypeOf(ledger.EventType(s))) }},
		"categories": {"ledger", "Category", "", func(s string) int32 { return int32(categoryOf(ledger.Category(s))) }},
		"grants":     {"ledger", "GrantKind", "", func(s string) int32 { return int32(grantKindOf(ledger.GrantKind(s))) }},
		"verdicts":   {"ledger", "Verdict", "", func(s string) int32 { return int32(verdictOf(ledger.Verdict(s))) }},
		"incidents":  {"ledger", "", "Incident", func(s string) int32 { return int32(incidentOf(s)) }},
		"actions":    {"ledger", "NextAction", "", func(s string) int32 { return int32(nextActionOf(ledger.NextAction(s))) }},
		"reasons":    {"ledger", "Reason", "", func(s string) int32 { return int32(reasonOf(ledger.Reason(s))) }},
		"sayings":    {"ledger", "Says", "", func(s string) int32 { return int32(saysOf(ledger.Says(s))) }},
		"classes":    {"registry", "Class", "", func(s string) int32 { return int32(classOf(s)) }},
		"executors":  {"registry", "Executor", "", func(s string) int32 { return int32(executorOf(s)) }},
		"work":       {"ledger", "WorkKind", "", func(s string) int32 { return int32(workKindOf(ledger.WorkKind(s))) }},
		"lookups":    {"registry", "LookupBy", "", func(s string) int32 { return int32(lookupByOf(s)) }},
	} {
		for _, word := range coreWords(t, c.folder, c.typeName, c.prefix) {
			if c.value(word) == 0 {
				t.Errorf("%s: %q has no value in the API", name, word)
			}
		}
	}
	for g := ledger.GradeClaim; g <= ledger.GradePersonDecree; g++ {
		if grades[g] == 0 {
			t.Errorf("the grade %d has no value in the API", g)
		}
	}
	for _, c := range []ledger.Code{
		ledger.CodeInvalidArgument, ledger.CodeNotFound, ledger.CodeFailedPrecondition, ledger.CodePermissionDenied, ledger.CodeAlreadyExists,
		ledger.CodeUnimplemented, ledger.CodeAborted,
	} {
		if codeOf[c] == 0 {
			t.Errorf("the code %s has no code of gRPC", c)
		}
	}
	for _, c := range registry.Classes {
		if className(classOf(string(c))) != c {
			t.Errorf("the class %s does not come back", c)
		}
	}
	for _, s := range ledger.States {
		if stateFrom(stateOf(s)) != s {
			t.Errorf("the state %s does not come back", s)
		}
	}
}

// TestEveryKindOfAmbiguityHasItsCategory: a report never loses why it is ambiguous.
func TestEveryKindOfAmbiguityHasItsCategory(t *testing.T) {
	for number, name := range pb.AmbiguityKind_name {
		if number != 0 && ambiguities[pb.AmbiguityKind(number)] == "" {
			t.Errorf("%s has no category", name)
		}
	}
	for number, name := range pb.Verdict_name {
		if number != 0 && says[pb.Verdict(number)] == "" {
			t.Errorf("%s says nothing", name)
		}
	}
}

// TestRightsNameMethods: every right belongs to a method of the API.
func TestRightsNameMethods(t *testing.T) {
	for name, roles := range rights {
		service, method, _ := strings.Cut(strings.TrimPrefix(name, "/"), "/")
		d, err := protoregistry.GlobalFiles.FindDescriptorByName(protoreflect.FullName(service + "." + method))
		if err != nil || len(roles) == 0 {
			t.Errorf("%s: %v, %v", name, d, err)
		}
	}
}
