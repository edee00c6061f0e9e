package bench

import (
	"fmt"
	"os"
	"runtime"
)

// Machine is what was measured on.
type Machine struct {
	CPUs int    `json:"cpus"`
	OS   string `json:"os"`
	Arch string `json:"arch"`
	Go   string `json:"go"`
	// Load is how many processes wanted to run in the minute before; zero where the system does not say.
	Load float64 `json:"load_before"`
}

// idleShare is the load for each CPU up to which nothing else disturbs.
const idleShare = 0.25

// Busy reports whether something else ran before, and so probably during the run.
func (m Machine) Busy() bool { return m.Load > idleShare*float64(m.CPUs) }

func thisMachine() Machine {
	m := Machine{CPUs: runtime.NumCPU(), OS: runtime.GOOS, Arch: runtime.GOARCH, Go: runtime.Version()}
	if text, err := os.ReadFile("/proc/loadavg"); err == nil { // Linux alone has it
		if _, err := fmt.Sscan(string(text), &m.Load); err != nil {
			m.Load = 0
		}
	}
	return m
}
