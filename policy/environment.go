package policy

import (
	"fmt"
	"sync"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
)

// Expressions are CEL. They see the variables and functions that Environment lists, each with its type, and nothing else:
// no clock but now, no I/O, no randomness. An expression that does not type-check is refused when it is applied, with its
// line and column. What it may cost is bounded twice, by an estimate when it is applied and by a counter when it runs.

// Name is something that an expression may name.
type Name struct {
	Name string
	Type string // as CEL writes it, or the overloads of a function
	Doc  string
}

// Environment lists what an expression may name, for documentation and for editors.
func Environment() []Name {
	return []Name{
		{"proposal", "Proposal", "What is proposed: tool, key, fingerprint, occurrence, intent (strings), revision (int, from 1), entity (\"type/id\", empty: none), touches (list of \"type/id\")."},
		{"args", "Arguments", "The canonical arguments, typed by the tool's schema and field rules. Money is {currency: string, minor: int}. A field that the schema does not declare is refused; one that may be absent is asked for with has() first. A sensitive field is its keyed hash."},
		{"tool", "Tool", "The tool: name, class (strings), version (int)."},
		{"principal", "Principal", "Who proposes: id, person (strings), roles (list of strings)."},
		{"entity", "Entity", "The entity as it stands: type, id, state (strings; empty: never set), version (int, zero: never set), attributes (map of string to any value)."},
		{"workflow", "Workflow", "The workflow: id, run_id (strings; empty: none)."},
		{"now", "timestamp", "The database's time."},
		{"count", "count(window), count(per, window) -> int", "How many other operations in the rule's scope have happened or may have, within the window that ends now, under the same value of per. The window is a constant such as \"24h\" or \"7d\"; per is an expression over the proposal alone."},
		{"sum", "sum(amount, per, window) -> int", "The same as a sum of amounts, an expression over the proposal alone that is never below zero."},
	}
}

// The names of the environment's struct types. They are seen in messages.
const (
	typeProposal  = "Proposal"
	typeArguments = "Arguments"
	typeTool      = "Tool"
	typePrincipal = "Principal"
	typeEntity    = "Entity"
	typeWorkflow  = "Workflow"
	typeMoney     = "Money"
)

func fixedTypes() map[string]fields {
	texts := types.NewListType(types.StringType)
	return map[string]fields{
		typeProposal: {"tool": types.StringType, "key": types.StringType, "fingerprint": types.StringType, "occurrence": types.StringType,
			"intent": types.StringType, "revision": types.IntType, "entity": types.StringType, "touches": texts},
		typeTool:      {"name": types.StringType, "version": types.IntType, "class": types.StringType},
		typePrincipal: {"id": types.StringType, "person": types.StringType, "roles": texts},
		typeEntity: {"type": types.StringType, "id": types.StringType, "state": types.StringType, "version": types.IntType,
			"attributes": types.NewMapType(types.StringType, types.DynType)},
		typeWorkflow: {"id": types.StringType, "run_id": types.StringType},
		typeMoney:    {"currency": types.StringType, "minor": types.IntType},
	}
}

// The bounds of an expression's work. CEL's cost is roughly one for each step.
const (
	// maxCost ends an evaluation: a few milliseconds, inside a transaction that others wait for.
	maxCost = 100_000
	// maxEstimate refuses an expression whose cost on large arguments would be far beyond it.
	maxEstimate = 1_000_000
	// assumedText and assumedItems are the sizes that the estimate takes for what the schema does not bound.
	assumedText  = 1024
	assumedItems = 128
	// maxRegex bounds a regular expression's program.
	maxRegex = 1000
	// maxNodes and maxDepth bound the expression itself.
	maxNodes = 2000
	maxDepth = 50
)

// base is what every environment has in common. It is made once: the standard library is large.
var base = sync.OnceValues(func() (*cel.Env, error) {
	window, text, number := cel.StringType, cel.StringType, cel.IntType
	return cel.NewEnv(
		cel.EnableIdentifierEscapeSyntax(),
		cel.CrossTypeNumericComparisons(true),
		cel.ParserExpressionSizeLimit(MaxExpression),
		cel.ParserRecursionLimit(maxDepth),
		cel.ExpressionNodeLimit(maxNodes),
		cel.RegexProgramSizeLimit(maxRegex),
		cel.Variable("now", cel.TimestampType),
		cel.Function(functionCount,
			cel.Overload("count_window", []*cel.Type{window}, number, cel.LateFunctionBinding()),
			cel.Overload("count_text_window", []*cel.Type{text, window}, number, cel.LateFunctionBinding()),
			cel.Overload("count_int_window", []*cel.Type{number, window}, number, cel.LateFunctionBinding())),
		cel.Function(functionSum,
			cel.Overload("sum_text_window", []*cel.Type{number, text, window}, number, cel.LateFunctionBinding()),
			cel.Overload("sum_int_window", []*cel.Type{number, number, window}, number, cel.LateFunctionBinding())),
	)
})

const (
	functionCount = "count"
	functionSum   = "sum"
)

// environment gives the CEL environment of one tool.
func environment(arguments *Shape) (*cel.Env, error) {
	common, err := base()
	if err != nil {
		return nil, fmt.Errorf("the expressions' environment cannot be made: %w", err)
	}
	p := &provider{Provider: common.CELTypeProvider(), structs: fixedTypes()}
	args := p.declare(typeArguments, arguments)
	options := []cel.EnvOption{
		cel.CustomTypeProvider(p),
		cel.Variable("proposal", cel.ObjectType(typeProposal)),
		cel.Variable("args", args),
		cel.Variable("tool", cel.ObjectType(typeTool)),
		cel.Variable("principal", cel.ObjectType(typePrincipal)),
		cel.Variable("entity", cel.ObjectType(typeEntity)),
		cel.Variable("workflow", cel.ObjectType(typeWorkflow)),
	}
	for i := range MaxHistories {
		options = append(options, cel.Variable(historyVariable(i), cel.IntType))
	}
	return common.Extend(options...)
}

// historyVariable holds the value of an expression's i-th history function. No expression can write the name.
func historyVariable(i int) string { return fmt.Sprintf("@history%d", i) }
