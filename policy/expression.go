package policy

import (
	"errors"
	"fmt"
	"time"

	"cel.dev/cel-go/cel"
	celast "cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/types"
)

// expression is a compiled condition.
type expression struct {
	text        string
	program     cel.Program
	readsArgs   bool
	readsEntity bool // beyond its type and id
	histories   []*historyCall
}

// historyCall is a history function in an expression: a counter that every operation in the rule's scope charges.
type historyCall struct {
	variable string   // that its value is bound to
	text     string   // what is counted, for people, without the window
	terms    []string // the function and its expressions: what its counter is told by
	window   time.Duration
	per      cel.Program // nil: one counter for all
	amount   cel.Program // nil: one for each operation
}

// exprFault is what is wrong with an expression, and where.
type exprFault struct {
	line, column int
	code         Code
	message      string
}

// compileExpression checks and compiles a condition. One that must be pure reads the proposal alone.
func compileExpression(env *cel.Env, text string, pure bool) (*expression, []exprFault) {
	checked, issues := env.Compile(text)
	if issues.Err() != nil {
		return nil, issueFaults(env, text, issues)
	}
	if t := checked.OutputType(); !t.IsExactType(cel.BoolType) && !t.IsExactType(cel.DynType) {
		return nil, []exprFault{{1, 1, CodeType, fmt.Sprintf("The condition is of type %s; write one that is true or false.", t)}}
	}
	cost, err := env.EstimateCost(checked, sizes{})
	if err != nil || cost.Max > maxEstimate {
		return nil, []exprFault{{1, 1, CodeCost, "The expression could take too long on large arguments; take out loops within loops, or put the cheap conditions first."}}
	}
	r := &reader{env: env, ast: checked.NativeRep()}
	r.read(r.ast.Expr(), false)
	if len(r.faults) == 0 && pure {
		r.mustBePure(r.seen, len(r.calls) > 0)
	}
	if len(r.faults) > 0 {
		return nil, r.faults
	}
	program, err := env.PlanProgram(r.ast, cel.EvalOptions(cel.OptOptimize), cel.CostLimit(maxCost))
	if err != nil {
		return nil, []exprFault{{1, 1, CodeSyntax, "The expression cannot be planned: " + err.Error() + "."}}
	}
	return &expression{text: text, program: program, readsArgs: r.seen.args, readsEntity: r.seen.entity, histories: r.calls}, nil
}

// issueFaults tells CEL's issues. What does not parse is told apart from what does not type-check.
func issueFaults(env *cel.Env, text string, issues *cel.Issues) []exprFault {
	code := CodeType
	if _, unparsed := env.Parse(text); unparsed.Err() != nil {
		code = CodeSyntax
	}
	var faults []exprFault
	for _, e := range issues.Errors() {
		faults = append(faults, exprFault{max(e.Location.Line(), 1), max(e.Location.Column()+1, 1), code, sentence(e.Message)})
	}
	if len(faults) == 0 {
		faults = append(faults, exprFault{1, 1, code, sentence(issues.Err().Error())})
	}
	return faults
}

// errNotBool is a condition whose value is neither true nor false, which one over untyped arguments may have.
var errNotBool = errors.New("the condition is neither true nor false")

// holds evaluates the condition.
func (e *expression) holds(vars map[string]any) (bool, error) {
	out, _, err := e.program.Eval(vars)
	if err != nil {
		return false, err
	}
	b, ok := out.(types.Bool)
	if !ok {
		return false, errNotBool
	}
	return bool(b), nil
}

// plan compiles a part of a checked expression as a program of its own.
func (r *reader) plan(e celast.Expr) (cel.Program, error) {
	sub := celast.NewCheckedAST(celast.NewAST(celast.NewExprFactory().CopyExpr(e), r.ast.SourceInfo()), r.ast.TypeMap(), r.ast.ReferenceMap())
	return r.env.PlanProgram(sub, cel.CostLimit(maxCost))
}
