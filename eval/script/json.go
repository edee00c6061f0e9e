package script

import (
	"encoding/json"
	"reflect"
	"strings"

	"go.yaml.in/yaml/v3"
)

// jsonOf writes a node as JSON. A text is taken as it stands, so that what is no good JSON can be sent too; numbers of a
// mapping keep their digits.
func jsonOf(node *yaml.Node, resolve resolver) (string, error) {
	if node.Kind == yaml.ScalarNode {
		raw, err := text(node)
		if err != nil {
			return "", err
		}
		return resolve(node, raw)
	}
	var b strings.Builder
	err := writeJSON(&b, node, resolve)
	return b.String(), err
}

func writeJSON(b *strings.Builder, node *yaml.Node, resolve resolver) error {
	switch node.Kind {
	case yaml.MappingNode:
		open := "{"
		for k, v := range pairs(node) {
			b.WriteString(open + quoted(k.Value) + ":")
			if err := writeJSON(b, v, resolve); err != nil {
				return err
			}
			open = ","
		}
		if open == "{" {
			b.WriteString("{")
		}
		b.WriteString("}")
	case yaml.SequenceNode:
		b.WriteString("[")
		for i, item := range node.Content {
			if i > 0 {
				b.WriteString(",")
			}
			if err := writeJSON(b, item, resolve); err != nil {
				return err
			}
		}
		b.WriteString("]")
	default:
		return writeScalar(b, node, resolve)
	}
	return nil
}

func writeScalar(b *strings.Builder, node *yaml.Node, resolve resolver) error {
	switch node.Tag {
	case "!!null":
		b.WriteString("null")
	case "!!bool":
		b.WriteString(strings.ToLower(node.Value))
	case "!!int", "!!float":
		if !json.Valid([]byte(node.Value)) {
			return at(node, "%s is no number of JSON", node.Value)
		}
		b.WriteString(node.Value)
	default: // what YAML takes for a date is a text in JSON
		s, err := resolve(node, node.Value)
		if err != nil {
			return err
		}
		b.WriteString(quoted(s))
	}
	return nil
}

func quoted(s string) string {
	text, _ := json.Marshal(s) // a string always has a form in JSON
	return string(text)
}

// sameJSON reports whether two texts are one document, whatever the order of its members.
func sameJSON(a, b string) bool {
	parse := func(s string) (v any, err error) {
		d := json.NewDecoder(strings.NewReader(s))
		d.UseNumber()
		err = d.Decode(&v)
		return v, err
	}
	x, errX := parse(a)
	y, errY := parse(b)
	return errX == nil && errY == nil && reflect.DeepEqual(x, y)
}
