package policy

import (
	"errors"
	"fmt"
)

// maxEntityState bounds a state that a template gives; a longer value is no state but a text.
const maxEntityState = 256

// What a state can lack.
var (
	errNoState   = errors.New("the template of the entity's state reads what neither arguments nor result hold")
	errLongState = fmt.Errorf("the entity's state would be longer than %d bytes", maxEntityState)
)

// ExpandState writes out a template of ToolRules.SetsEntityState over the facts of an operation that has succeeded and
// its result (JSON; empty: none). An operation carries the template that it was made under, so that a later version of its
// tool changes nothing about it. The error says why there is no state to set; it holds no value of the arguments.
func ExpandState(text string, f Facts, result []byte) (string, error) {
	t, wrong := parseTemplate(text)
	if wrong != nil {
		return "", fmt.Errorf("the template of the entity's state cannot be read: %s", wrong.message)
	}
	args, err := parseObject(f.Canonical)
	if err != nil {
		return "", errNotAnObject
	}
	v := &values{facts: &f, args: args}
	if v.result, err = parseObject(result); err != nil {
		v.result = nil // a result that is no object has no fields
	}
	state, there := t.fill(v)
	switch {
	case !there || state == "":
		return "", errNoState
	case len(state) > maxEntityState:
		return "", errLongState
	}
	return state, nil
}

// EntityStateAfter gives the state that the entity of an operation gets when it has succeeded, by the tool's newest
// version. It sets none where the tool says nothing of it, the operation is about no entity, or there is nothing to set.
func (s *Set) EntityStateAfter(tool string, f Facts, result []byte) (state string, sets bool) {
	template := s.Rules(tool).SetsEntityState
	if template == "" || f.Entity.IsZero() {
		return "", false
	}
	state, err := ExpandState(template, f, result)
	return state, err == nil
}
