package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"
	"google.golang.org/protobuf/encoding/protojson"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

func newToolsApply() *cobra.Command {
	var dryRun bool
	cmd := &cobra.Command{
		Use: "apply FILE...", Short: "Store tool definitions as their newest versions", Args: cobra.MinimumNArgs(1),
		Long: "Checks the files first and applies nothing where one has an error. Then each tool becomes the newest version of its name, in\n" +
			"the order of the files; the same definition again makes no new version. When the command returns, the new versions hold on\n" +
			"every server.",
		Example: "  opledger tools apply examples/tools/*.yaml\n  opledger tools apply --dry-run payment.capture.yaml",
	}
	c := addConnectionFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		tools, faults, _, err := readTools(cmd, args)
		if err != nil {
			return err
		}
		if len(faults) > 0 {
			err := answer(cmd, map[string]any{"errors": faults}, func(p *printer) { p.problems(faults) })
			if err != nil {
				return err
			}
			return fmt.Errorf("nothing was applied: the files have %d errors", len(faults))
		}
		applied := []json.RawMessage{}
		p := &printer{}
		err = c.call(cmd, 0, func(ctx context.Context, r *remote) error {
			for _, s := range undoersFirst(tools) {
				id, err := newRequestID()
				if err != nil {
					return err
				}
				res, err := r.registry.ApplyTool(ctx, &pb.ApplyToolRequest{RequestId: id, Definition: s.Proto, ValidateOnly: dryRun})
				if err != nil {
					return fmt.Errorf("%s:%d: %s: %w", s.File, s.Line, s.Definition.Name, err)
				}
				one, err := protojson.MarshalOptions{UseProtoNames: true}.Marshal(res)
				if err != nil {
					return err
				}
				applied = append(applied, one)
				p.applied(s.Definition.Name, res, dryRun)
			}
			return nil
		})
		// What was applied before a failure is told as well.
		if told := answer(cmd, map[string]any{"applied": applied}, func(to *printer) { to.Write(p.Bytes()) }); told != nil {
			return told
		}
		return err
	}
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "only ask the server whether it would take them")
	return cmd
}

func (p *printer) applied(name string, res *pb.ApplyToolResponse, dryRun bool) {
	version := ""
	if v := res.Tool.GetVersion(); v > 0 {
		version = fmt.Sprintf(" v%d", v)
	}
	switch {
	case dryRun && res.Created:
		fmt.Fprintf(p, "%s would become%s\n", name, or(version, " a new version"))
	case dryRun:
		fmt.Fprintf(p, "%s would stay%s\n", name, or(version, " as it is"))
	case res.Created:
		fmt.Fprintf(p, "%s is%s now\n", name, version)
	default:
		fmt.Fprintf(p, "%s stays%s, unchanged\n", name, version)
	}
	for _, w := range res.Warnings {
		fmt.Fprintf(p, "  warning: %s: %s [%s]\n", printable(w.Path), printable(w.Description), printable(w.Code))
	}
	if d := res.Tool.GetDisabled(); d != nil {
		fmt.Fprintf(p, "  it is switched off: %s\n", printable(d.Reason))
	}
}

func or(text, other string) string {
	if text == "" {
		return other
	}
	return text
}
