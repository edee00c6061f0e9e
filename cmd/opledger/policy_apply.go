package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/policy"
	"github.com/opledger/opledger/policy/rulefile"
)

func newPolicyApply() *cobra.Command {
	var check bool
	var etag string
	cmd := &cobra.Command{
		Use: "apply FILE...", Short: "Store rules as their newest versions", Args: cobra.MinimumNArgs(1),
		Long: "Checks every rule first, in the files and against the server's tools, and applies nothing where one has an error. The\n" +
			"same rule again makes no new version. When the command returns, the new versions hold on every server.\n" +
			"A file holds one rule, or several divided by lines of three dashes. Of a folder the YAML files are read; files of cases\n" +
			"(test.yaml, *_test.yaml) are left out, they are for \"opledger policy test\".",
		Example: "  opledger policy apply examples/policy\n  opledger policy apply --check refund-above-300.yaml",
	}
	c := addConnectionFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		read, err := readRules(cmd, args)
		if err != nil {
			return err
		}
		if len(read.rules)+len(read.faults) == 0 {
			return fmt.Errorf("the files hold cases only (%s); run them: opledger policy test", strings.Join(read.leftOut, ", "))
		}
		if etag != "" && len(read.rules) != 1 {
			return usagef("--etag is of one rule, and the files hold %d", len(read.rules))
		}
		a := &application{applied: []json.RawMessage{}, faults: read.faults, leftOut: read.leftOut, etag: etag}
		if len(a.faults) == 0 {
			err = c.call(cmd, 0, func(ctx context.Context, r *remote) error { return a.apply(ctx, r, read.rules, check) })
		}
		// What was applied before a failure is told as well.
		if told := answer(cmd, a.json(), a.write); told != nil {
			return told
		}
		if err == nil && len(a.faults) > 0 {
			return fmt.Errorf("nothing was applied: the rules have %d errors", len(a.faults))
		}
		return err
	}
	cmd.Flags().BoolVar(&check, "check", false, "only ask the server whether it would take them")
	cmd.Flags().StringVar(&etag, "etag", "", "refuse where the rule is no longer at the etag that you saw")
	return cmd
}

// application is what comes of applying rules.
type application struct {
	etag    string
	applied []json.RawMessage
	faults  []problem
	leftOut []string
	text    printer
}

// apply asks about every rule before the first is stored, so that a fault in one leaves all of them as they were.
func (a *application) apply(ctx context.Context, r *remote, rules []rulefile.Source, checkOnly bool) error {
	for _, only := range []bool{true, false} {
		if !only && (checkOnly || len(a.faults) > 0) {
			return nil
		}
		for _, s := range rules {
			if err := a.one(ctx, r, s, only, only == checkOnly); err != nil {
				return err
			}
		}
	}
	return nil
}

// one sends one rule. A refusal for what the rule says becomes a fault in its file.
func (a *application) one(ctx context.Context, r *remote, s rulefile.Source, only, tell bool) error {
	id, err := newRequestID()
	if err != nil {
		return err
	}
	res, err := r.policy.ApplyRule(ctx, &pb.ApplyRuleRequest{RequestId: id, Rule: s.Proto, Etag: a.etag, ValidateOnly: only})
	if err != nil {
		if faults := refusedFor(s, err); len(faults) > 0 {
			a.faults = append(a.faults, faults...)
			return nil
		}
		return fmt.Errorf("%s:%d: %s: %w", s.File, s.Line, s.Rule.ID, err)
	}
	if !tell {
		return nil
	}
	one, err := protojson.MarshalOptions{UseProtoNames: true}.Marshal(res)
	if err != nil {
		return err
	}
	a.applied = append(a.applied, one)
	a.text.appliedRule(s.Rule.ID, res, only)
	return nil
}

// refusedFor finds the places in the file of what a server says is wrong with a rule. It is empty for any other error.
func refusedFor(s rulefile.Source, err error) []problem {
	st, _ := status.FromError(err)
	var found []policy.Problem
	placed := map[string]bool{}
	reason := ""
	add := func(field string, line, column int, message string) {
		found = append(found, policy.Problem{Rule: s.Rule.ID, Path: strings.TrimPrefix(strings.TrimPrefix(field, "rule"), "."), Line: line, Column: column, Code: "invalid_rule", Message: message})
	}
	for _, detail := range st.Details() {
		switch d := detail.(type) {
		case *errdetails.ErrorInfo:
			reason = d.Reason
		case *pb.RuleFaultDetail:
			add(d.Field, int(d.Line), int(d.Column), d.Description)
			placed[d.Field] = true
		}
	}
	if reason != strings.TrimPrefix(pb.ErrorReason_ERROR_REASON_INVALID_RULE.String(), "ERROR_REASON_") {
		return nil
	}
	for _, detail := range st.Details() {
		bad, ok := detail.(*errdetails.BadRequest)
		if !ok {
			continue
		}
		for _, v := range bad.FieldViolations {
			if !placed[v.Field] {
				add(v.Field, 0, 0, v.Description)
			}
		}
	}
	return ruleProblems(s.Locate(found))
}

func (a *application) json() map[string]any {
	return map[string]any{"applied": a.applied, "errors": append([]problem{}, a.faults...), "left_out": append([]string{}, a.leftOut...)}
}

func (a *application) write(p *printer) {
	p.problems(a.faults)
	_, _ = p.Write(a.text.Bytes())
	for _, name := range a.leftOut {
		fmt.Fprintf(p, "%s holds cases and was left out\n", printable(name))
	}
}

func (p *printer) appliedRule(id string, res *pb.ApplyRuleResponse, checked bool) {
	version := fmt.Sprintf("v%d", res.GetRule().GetVersion())
	switch {
	case checked && res.Created:
		fmt.Fprintf(p, "%s would become a new version\n", printable(id))
	case checked:
		fmt.Fprintf(p, "%s would stay as it is\n", printable(id))
	case res.Created:
		fmt.Fprintf(p, "%s is %s now\n", printable(id), version)
	default:
		fmt.Fprintf(p, "%s stays %s, unchanged\n", printable(id), version)
	}
	if res.GetRule().GetRule().GetShadow() {
		fmt.Fprintln(p, "  it is in shadow: it decides and records, and lets pass")
	}
}
