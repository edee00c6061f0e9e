package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is set by release builds: go build -ldflags "-X main.version=v1.2.3".
var version = ""

// versionNow is the program's version: that of the release, or what the build tells of the source.
func versionNow() string {
	if version != "" {
		return version
	}
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}

func newVersion() *cobra.Command {
	cmd := &cobra.Command{
		Use: "version", Short: "Say which version this is", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			v := struct {
				Version string `json:"version"`
				Go      string `json:"go"`
				System  string `json:"system"`
			}{versionNow(), runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH}
			return answer(cmd, v, func(p *printer) { fmt.Fprintf(p, "opledger %s (%s, %s)\n", v.Version, v.Go, v.System) })
		},
	}
	addJSONFlag(cmd)
	return cmd
}
