package policy

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"cel.dev/cel-go/cel"
	celast "cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/cost"
	"cel.dev/cel-go/common/types"
)

// seen says which of the environment's variables an expression reads.
type seen struct {
	args, entity, now bool // entity: beyond its type and id
	firstNow          int64
	firstEntity       int64
}

// reader walks through a checked expression. It notes what the expression reads, and puts a variable in the place of each
// history function, so that nothing is left that an evaluation would have to search for.
type reader struct {
	env    *cel.Env
	ast    *celast.AST
	seen   seen
	calls  []*historyCall
	faults []exprFault
	within bool // within the arguments of a history function
}

func (r *reader) fault(id int64, code Code, format string, args ...any) {
	at := r.ast.SourceInfo().GetStartLocation(id)
	r.faults = append(r.faults, exprFault{max(at.Line(), 1), max(at.Column()+1, 1), code, fmt.Sprintf(format, args...)})
}

// read walks through an expression; loop: it is evaluated for each item of something.
func (r *reader) read(e celast.Expr, loop bool) {
	switch e.Kind() {
	case celast.IdentKind:
		r.ident(e)
	case celast.SelectKind:
		s := e.AsSelect()
		if s.Operand().Kind() == celast.IdentKind && s.Operand().AsIdent() == "entity" && (s.FieldName() == "type" || s.FieldName() == "id") {
			return
		}
		r.read(s.Operand(), loop)
	case celast.CallKind:
		c := e.AsCall()
		if name := c.FunctionName(); !c.IsMemberFunction() && (name == functionCount || name == functionSum) {
			r.history(e, loop)
			return
		}
		if c.IsMemberFunction() {
			r.read(c.Target(), loop)
		}
		for _, a := range c.Args() {
			r.read(a, loop)
		}
	case celast.ListKind:
		for _, item := range e.AsList().Elements() {
			r.read(item, loop)
		}
	case celast.MapKind:
		for _, entry := range e.AsMap().Entries() {
			r.read(entry.AsMapEntry().Key(), loop)
			r.read(entry.AsMapEntry().Value(), loop)
		}
	case celast.StructKind:
		r.fault(e.ID(), CodeType, "A %s cannot be made in an expression; compare its fields.", e.AsStruct().TypeName())
	case celast.ComprehensionKind:
		c := e.AsComprehension()
		r.read(c.IterRange(), loop)
		for _, part := range []celast.Expr{c.AccuInit(), c.LoopCondition(), c.LoopStep(), c.Result()} {
			r.read(part, true)
		}
	}
}

func (r *reader) ident(e celast.Expr) {
	switch e.AsIdent() {
	case "args":
		r.seen.args = true
	case "entity":
		if !r.seen.entity {
			r.seen.entity, r.seen.firstEntity = true, e.ID()
		}
	case "now":
		if !r.seen.now {
			r.seen.now, r.seen.firstNow = true, e.ID()
		}
	}
}

// history takes a history function out of the expression.
func (r *reader) history(e celast.Expr, loop bool) {
	name, args := e.AsCall().FunctionName(), e.AsCall().Args()
	switch {
	case r.within:
		r.fault(e.ID(), CodeNotPure, "History functions do not nest: what they count by is an expression over the proposal alone.")
		return
	case loop:
		r.fault(e.ID(), CodeNotPure, "%s(...) cannot stand within a loop: what it counts is declared ahead, once for the proposal.", name)
		return
	case len(r.calls) == MaxHistories:
		r.fault(e.ID(), CodeBounds, "An expression has at most %d history functions; divide it into several rules.", MaxHistories)
		return
	}
	call := &historyCall{variable: historyVariable(len(r.calls))}
	last := args[len(args)-1]
	window, message := constantWindow(last)
	if message != "" {
		r.fault(last.ID(), CodeWindow, "%s", message)
		return
	}
	call.window = window
	parts := args[:len(args)-1]
	call.text, call.terms = name, []string{name}
	if name == functionSum {
		call.text += " of " + r.text(parts[0])
		call.amount, parts = r.part(call, parts[0]), parts[1:]
	}
	if len(parts) > 0 {
		call.text += " per " + r.text(parts[0])
		call.per = r.part(call, parts[0])
	}
	r.calls = append(r.calls, call)
	e.SetKindCase(celast.NewExprFactory().NewIdent(e.ID(), call.variable))
	r.ast.SetReference(e.ID(), celast.NewIdentReference(call.variable, nil))
}

// part compiles an argument of a history function, which reads the proposal alone.
func (r *reader) part(call *historyCall, e celast.Expr) cel.Program {
	call.terms = append(call.terms, r.text(e))
	inner := &reader{env: r.env, ast: r.ast, within: true}
	inner.read(e, false)
	inner.mustBePure(inner.seen, false)
	r.seen.args = r.seen.args || inner.seen.args
	if r.faults = append(r.faults, inner.faults...); len(inner.faults) > 0 {
		return nil
	}
	program, err := r.plan(e)
	if err != nil {
		r.fault(e.ID(), CodeSyntax, "The expression cannot be planned: %v.", err)
	}
	return program
}

// mustBePure refuses what differs between two judgements of one proposal: it would be charged to one counter and read
// from another.
func (r *reader) mustBePure(s seen, histories bool) {
	if s.now {
		r.fault(s.firstNow, CodeNotPure, "now cannot be read here: this is over the proposal alone, so that it says the same at every judgement.")
	}
	if s.entity {
		r.fault(s.firstEntity, CodeNotPure, "Of the entity only type and id can be read here: this is over the proposal alone, so that it says the same at every judgement.")
	}
	if histories {
		r.faults = append(r.faults, exprFault{1, 1, CodeNotPure, "count(...) and sum(...) cannot stand here: this is over the proposal alone."})
	}
}

func (r *reader) text(e celast.Expr) string {
	text, err := cel.ExprToString(e, r.ast.SourceInfo())
	if err != nil {
		return strconv.FormatInt(e.ID(), 10)
	}
	return text
}

var wholeDays = regexp.MustCompile(`^([0-9]{1,3})d$`)

// constantWindow reads a window such as "24h" or "7d". It must be written out: a counter's buckets are cut by it.
func constantWindow(e celast.Expr) (time.Duration, string) {
	var text types.String
	ok := e.Kind() == celast.LiteralKind
	if ok {
		text, ok = e.AsLiteral().(types.String)
	}
	if !ok {
		return 0, `The window must be a constant such as "24h" or "7d"; its counter is declared ahead.`
	}
	d, err := time.ParseDuration(string(text))
	if m := wholeDays.FindStringSubmatch(string(text)); m != nil {
		n, _ := strconv.Atoi(m[1])
		d, err = time.Duration(n)*day, nil
	}
	if err != nil || d < MinPeriod || d > MaxPeriod {
		return 0, fmt.Sprintf("%q is no window; write one from 1s to 400d, such as \"30m\", \"24h\" or \"7d\".", string(text))
	}
	return d, ""
}

// sizes assumes a size for whatever the schema does not bound.
type sizes struct{}

// EstimateCallCost leaves the cost of calls to CEL.
func (sizes) EstimateCallCost(string, string, *cost.AstNode, []cost.AstNode) *cost.CallEstimate {
	return nil
}

// EstimateSize gives the assumed size of a value of the input.
func (sizes) EstimateSize(node cost.AstNode) *cost.SizeEstimate {
	if node.ComputedSize() != nil {
		return nil
	}
	switch node.Type().Kind() {
	case types.ListKind, types.MapKind:
		return &cost.SizeEstimate{Min: 0, Max: assumedItems}
	case types.IntKind, types.DoubleKind, types.BoolKind, types.TimestampKind:
		return &cost.SizeEstimate{Min: 1, Max: 1}
	}
	return &cost.SizeEstimate{Min: 0, Max: assumedText}
}

// sentence makes a message of CEL a sentence.
func sentence(message string) string {
	if message == "" {
		return "The expression is refused."
	}
	return strings.ToUpper(message[:1]) + strings.TrimSuffix(message[1:], ".") + "."
}
