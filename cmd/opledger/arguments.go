package main

import (
	"strings"

	"github.com/spf13/cobra"
)

// argumentsUsage describes flags that take arguments of a tool.
const argumentsUsage = "the arguments as a JSON object, @FILE, or @- for the standard input"

// readArguments reads JSON text, or the file that "@" names. The text goes to the server as it is, so that no number is
// lost on the way.
func readArguments(cmd *cobra.Command, text string) (string, error) {
	name, fromFile := strings.CutPrefix(text, "@")
	if !fromFile {
		return text, nil
	}
	data, err := readFile(cmd, name)
	return string(data), err
}
