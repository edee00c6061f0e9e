package policy

import "errors"

// ExpandState gives the state that a tool's template stands for once an operation has succeeded with a result (JSON;
// empty: none). An operation carries the template that it was made under, so that a later version of its tool changes
// nothing about it. It fails where the template reads what arguments or result lack.
func ExpandState(text string, f Facts, result []byte) (string, error) {
	t, wrong := parseTemplate(text)
	if wrong != nil {
		return "", errors.New(wrong.message)
	}
	args, err := parseObject(f.Canonical)
	if err != nil {
		return "", errors.New("the arguments are no JSON object")
	}
	v := &values{facts: &f, args: args}
	if v.result, err = parseObject(result); err != nil {
		v.result = nil // a result that is no object has no fields
	}
	state, complete := t.fill(v)
	switch {
	case !complete || state == "":
		return "", errors.New("the template reads what arguments or result lack")
	case len(state) > maxEntityState:
		return "", errors.New("the state would be too long")
	}
	return state, nil
}
