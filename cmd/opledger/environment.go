package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/pflag"
)

// fromEnvironment is the annotation of flags that an environment variable can set.
const fromEnvironment = "opledger_environment"

// environmentName is the variable of a flag: "database-url" is OPLEDGER_DATABASE_URL.
func environmentName(flag string) string {
	return "OPLEDGER_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// allowEnvironment lets environment variables set the named flags, or all where none is named, and says so in their
// usage.
func allowEnvironment(flags *pflag.FlagSet, names ...string) {
	allow := func(f *pflag.Flag) {
		name := environmentName(f.Name)
		f.Usage += " [" + name + "]"
		if f.Annotations == nil {
			f.Annotations = map[string][]string{}
		}
		f.Annotations[fromEnvironment] = []string{name}
	}
	if len(names) == 0 {
		flags.VisitAll(allow)
	}
	for _, n := range names {
		allow(flags.Lookup(n))
	}
}

// applyEnvironment sets flags that the command line did not set. What the command line says goes first.
func applyEnvironment(flags *pflag.FlagSet) (err error) {
	flags.VisitAll(func(f *pflag.Flag) {
		names := f.Annotations[fromEnvironment]
		if len(names) == 0 || f.Changed || err != nil {
			return
		}
		if value, set := os.LookupEnv(names[0]); set && value != "" {
			if bad := flags.Set(f.Name, value); bad != nil {
				err = &usageError{fmt.Errorf("the environment variable %s: %w", names[0], bad)}
			}
		}
	})
	return err
}
