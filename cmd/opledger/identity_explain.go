package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/registry/toolfile"
)

// explainFlags are the flags of "identity explain".
type explainFlags struct {
	file, tool            string
	version               int32
	arguments, and        string
	occurrence, andOccurs string
	key                   string
}

func newIdentityExplain() *cobra.Command {
	f := &explainFlags{}
	cmd := &cobra.Command{
		Use: "explain", Short: "Show how arguments become one operation, and whether two are the same", Args: cobra.NoArgs,
		Long: "Shows the canonical form of arguments, the key and its parts, and what each rule changed. With --and it says whether two\n" +
			"sets of arguments are the same operation, and why. Nothing is recorded.\n\n" +
			"The tool comes from a file with --file, and then no server is needed, or from a server by its name with --tool.\n" +
			"The exit status is 1 where arguments are refused.",
		Example: "  opledger identity explain --file refund.create.yaml --arguments '{\"order_id\":\"o_1\",\"amount\":\"10.00\",\"currency\":\"USD\"}'\n" +
			"  opledger identity explain --tool refund.create --arguments @a.json --and @b.json",
	}
	c := addConnectionFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		req, err := f.request(cmd)
		if err != nil {
			return err
		}
		var res *pb.ExplainIdentityResponse
		if definition := req.GetDefinition(); definition != nil {
			res, err = explainOffline(definition, req.A, req.B)
		} else {
			err = c.call(cmd, 0, func(ctx context.Context, r *remote) (err error) {
				res, err = r.operations.ExplainIdentity(ctx, req)
				return err
			})
		}
		if err != nil {
			return err
		}
		err = answer(cmd, res, func(p *printer) { p.explained(res) })
		if err == nil && len(res.A.GetFaults())+len(res.B.GetFaults()) > 0 {
			return errSaid
		}
		return err
	}
	flags := cmd.Flags()
	flags.StringVar(&f.file, "file", "", "the tool file; with several tools in it, --tool names one")
	flags.StringVar(&f.tool, "tool", "", "the tool, by name")
	flags.Int32Var(&f.version, "version", 0, "the version of the server's tool (default: the newest)")
	flags.StringVar(&f.arguments, "arguments", "{}", argumentsUsage)
	flags.StringVar(&f.and, "and", "", "other arguments to compare with, in the same forms")
	flags.StringVar(&f.occurrence, "occurrence", "", "the occurrence")
	flags.StringVar(&f.andOccurs, "and-occurrence", "", "the occurrence of the other arguments")
	flags.StringVar(&f.key, "key", "", "the caller's own key, where the tool takes one")
	cmd.MarkFlagsOneRequired("file", "tool")
	return cmd
}

// request is what the flags ask.
func (f *explainFlags) request(cmd *cobra.Command) (*pb.ExplainIdentityRequest, error) {
	req := &pb.ExplainIdentityRequest{}
	if f.file != "" {
		definition, err := f.definition(cmd)
		if err != nil {
			return nil, err
		}
		req.Contract = &pb.ExplainIdentityRequest_Definition{Definition: definition}
	} else {
		req.Contract = &pb.ExplainIdentityRequest_Tool{Tool: f.tool}
		if f.version != 0 {
			req.ToolVersion = &f.version
		}
	}
	input := func(text, occurrence string) (*pb.IdentityInput, error) {
		arguments, err := readArguments(cmd, text)
		if err != nil {
			return nil, err
		}
		return &pb.IdentityInput{Arguments: &pb.IdentityInput_ArgumentsJson{ArgumentsJson: arguments}, Occurrence: occurrence, IdempotencyKey: f.key}, nil
	}
	var err error
	if req.A, err = input(f.arguments, f.occurrence); err != nil {
		return nil, err
	}
	if f.and != "" {
		req.B, err = input(f.and, f.andOccurs)
	}
	return req, err
}

// definition is the tool of the file.
func (f *explainFlags) definition(cmd *cobra.Command) (*pb.ToolDefinition, error) {
	text, err := readFile(cmd, f.file)
	if err != nil {
		return nil, err
	}
	tools, problems := toolfile.Parse(f.file, text)
	if len(problems) > 0 {
		return nil, problems[0]
	}
	var names []string
	for _, t := range tools {
		if t.Definition.Name == f.tool || f.tool == "" && len(tools) == 1 {
			return t.Proto, nil
		}
		names = append(names, t.Definition.Name)
	}
	return nil, usagef("%s holds the tools %s; name one of them with --tool", f.file, strings.Join(names, ", "))
}

// explained writes an explanation for a person.
func (p *printer) explained(res *pb.ExplainIdentityResponse) {
	if res.B == nil {
		p.identity("", res.A)
		return
	}
	p.identity("first ", res.A)
	fmt.Fprintln(p)
	p.identity("second ", res.B)
	if c := res.Comparison; c != nil {
		fmt.Fprintf(p, "\n%s: %s\n", strings.ToUpper(short(c.Relation)), printable(c.Explanation))
		p.facts("they differ at", strings.Join(c.DifferingPointers, " "), "ignored, differing", strings.Join(c.IgnoredDifferences, " "))
	}
}

func (p *printer) identity(which string, e *pb.IdentityExplanation) {
	for _, f := range e.GetFaults() {
		fmt.Fprintf(p, "%srefused: %s %s [%s]\n", which, printable(f.Pointer), printable(f.Description), f.Reason)
	}
	if len(e.GetFaults()) > 0 {
		return
	}
	var touches []string
	for _, t := range e.Touches {
		touches = append(touches, entityName(t))
	}
	p.facts(which+"key", e.IdempotencyKey, "canonical", e.CanonicalArgumentsJson, "fingerprint", e.Fingerprint,
		"entity", entityName(e.Entity), "touches", strings.Join(touches, " "), "ignored", strings.Join(e.IgnoredPointers, " "),
		"also claimed", strings.Join(e.ContinuedKeys, " "))
	if len(e.Components) > 0 {
		var rows [][]string
		for _, c := range e.Components {
			rows = append(rows, []string{c.Name, c.Value})
		}
		fmt.Fprintln(p)
		p.table([]string{"PART OF THE KEY", "VALUE"}, rows)
	}
	if len(e.Changes) > 0 {
		var rows [][]string
		for _, c := range e.Changes {
			rows = append(rows, []string{c.Pointer, c.Rule, or(c.BeforeJson, "(absent)"), or(c.AfterJson, "(left out)")})
		}
		fmt.Fprintln(p)
		p.table([]string{"FIELD", "RULE", "BEFORE", "AFTER"}, rows)
	}
}
