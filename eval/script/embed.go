package script

import (
	"embed"
	"io/fs"
)

//go:embed scenarios/*.yaml
var embedded embed.FS

// Shipped reads the scenarios that ship with the program.
func Shipped() ([]*Scenario, error) {
	scenarios, err := fs.Sub(embedded, "scenarios")
	if err != nil {
		return nil, err
	}
	return Load(scenarios)
}
