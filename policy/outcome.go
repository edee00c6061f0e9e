package policy

import (
	"fmt"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
)

// OutcomeCondition is a condition over an operation that has happened: its canonical arguments, its result and one of its
// effects. It reads no entity, no clock and no history, so that it says the same whenever it is asked about one outcome.
type OutcomeCondition struct {
	expression *expression
	arguments  *Shape
}

// Happened is what came of an operation.
type Happened struct {
	Canonical []byte // canonical arguments, as rules read them
	Result    []byte // JSON; empty: none
	EffectID  string // empty: the effect has no id
	Provider  string
	Account   string
}

const typeEffect = "Effect"

// OutcomeEnvironment lists what a condition over an outcome may name.
func OutcomeEnvironment() []Name {
	return []Name{
		{"args", "Arguments", "The canonical arguments, as every rule reads them."},
		{"result", "dyn", "The recorded result. Nothing is declared of it: a field that may be absent is asked for with has() first."},
		{"effect", typeEffect, "The effect that is to be undone: id, provider, account (strings; empty: none)."},
	}
}

// CompileOutcome checks and compiles a condition over outcomes of a tool. The place of a problem is within the text.
func CompileOutcome(arguments *Shape, text string) (*OutcomeCondition, []Problem) {
	env, err := outcomeEnvironment(arguments)
	if err != nil {
		return nil, []Problem{{Code: CodeSyntax, Message: err.Error()}}
	}
	e, faults := compileExpression(env, text, true)
	var problems []Problem
	for _, f := range faults {
		problems = append(problems, Problem{Line: f.line, Column: f.column, Code: f.code, Message: f.message})
	}
	if len(problems) > 0 {
		return nil, problems
	}
	return &OutcomeCondition{expression: e, arguments: arguments}, nil
}

func outcomeEnvironment(arguments *Shape) (*cel.Env, error) {
	common, err := base()
	if err != nil {
		return nil, fmt.Errorf("the expressions' environment cannot be made: %w", err)
	}
	p := &provider{Provider: common.CELTypeProvider(), structs: fixedTypes()}
	p.structs[typeEffect] = fields{"id": types.StringType, "provider": types.StringType, "account": types.StringType}
	return common.Extend(
		cel.CustomTypeProvider(p),
		cel.Variable("args", p.declare(typeArguments, arguments)),
		cel.Variable("result", cel.DynType),
		cel.Variable("effect", cel.ObjectType(typeEffect)),
	)
}

// Holds asks the condition. An error says that it could not be evaluated; it holds no value of the arguments.
func (c *OutcomeCondition) Holds(h Happened) (bool, error) {
	args, err := parseObject(h.Canonical)
	if err != nil {
		return false, errNotAnObject
	}
	result, err := parseObject(h.Result)
	if err != nil {
		result = map[string]any{} // a result that is no object has no fields
	}
	holds, err := c.expression.holds(map[string]any{
		"args": typed(args, c.arguments), "result": typed(result, nil),
		"effect": map[string]any{"id": h.EffectID, "provider": h.Provider, "account": h.Account},
	})
	if err != nil {
		return false, fmt.Errorf("the condition cannot be evaluated: %s", shortened(err))
	}
	return holds, nil
}
