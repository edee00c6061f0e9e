//go:build !unix

package main

import "github.com/spf13/cobra"

// newEvalProcesses are none where processes cannot be frozen: no evaluation starts any.
func newEvalProcesses() []*cobra.Command { return nil }
