package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// approval writes what an approver must see, in the order in which one decides: what is going to happen exactly, what
// cannot be undone and what has changed, who asks and why, and what has been done before.
func (p *printer) approval(a *pb.Approval) {
	p.facts(
		"approval", a.GetApprovalId(),
		"state", short(a.GetState()),
		"tool", fmt.Sprintf("%s v%d", a.GetTool(), a.GetToolVersion()),
		"entity", entityName(a.GetEntity()),
	)
	fmt.Fprintf(p, "\narguments, exactly as they will be used:\n%s\n", indented(a.GetCanonicalArgumentsJson()))
	if left := a.GetRedactedPointers(); len(left) > 0 {
		fmt.Fprintf(p, "  not shown to you: %s\n", printable(strings.Join(left, " ")))
	}
	if a.GetWarning() != "" {
		fmt.Fprintf(p, "\nWARNING: %s\n", printable(a.GetWarning()))
	}
	if changes := a.GetChangesSince(); len(changes) > 0 {
		fmt.Fprintln(p, "\nchanged since people were asked:")
		for _, change := range changes {
			fmt.Fprintf(p, "  - %s\n", printable(change))
		}
	}
	fmt.Fprintln(p)
	p.facts(
		"asked by", a.GetRuleId(),
		"because", a.GetExplanation(),
		"proposer", a.GetProposer(),
		"requester", a.GetRequester(),
		"approved", approvalCount(a)+" by "+strings.Join(a.GetRoles(), " or "),
		"standing approval", a.GetStandingApprovalId(),
		"asked", clock(a.GetCreateTime()),
		"expires", clock(a.GetExpireTime()),
		"operation", a.GetOperationId(),
		"fingerprint", a.GetFingerprint(),
		"etag", a.GetEtag(),
	)
	p.approvalDecisions(a.GetDecisions())
	p.recentOperations(a.GetEntity(), a.GetRecentOperations())
}

func (p *printer) approvalDecisions(list []*pb.ApprovalDecision) {
	if len(list) == 0 {
		return
	}
	var rows [][]string
	for _, d := range list {
		word := "denied"
		if d.Approved {
			word = "approved"
		}
		rows = append(rows, []string{word, or(d.Person, d.Principal), d.Role, clock(d.Time), d.Comment})
	}
	fmt.Fprintln(p)
	p.table([]string{"DECIDED", "WHO", "AS", "TIME", "COMMENT"}, rows)
}

func (p *printer) recentOperations(entity *pb.Entity, list []*pb.RecentOperation) {
	if len(list) == 0 {
		return
	}
	var rows [][]string
	for _, o := range list {
		rows = append(rows, []string{o.OperationId, o.Tool, clock(o.Time), o.SafeUserMessage})
	}
	fmt.Fprintf(p, "\nbefore on %s:\n", printable(entityName(entity)))
	p.table([]string{"OPERATION", "TOOL", "CHANGED", "HOW IT STANDS"}, rows)
}

// indented writes JSON so that a person can read it. The text itself is the server's; text that is no JSON is shown as it
// is, harmless. Line breaks inside strings stay escaped by JSON.
func indented(text string) string {
	var out bytes.Buffer
	if err := json.Indent(&out, []byte(text), "  ", "  "); err != nil {
		return "  " + printable(text)
	}
	var lines []string
	for _, line := range strings.Split(out.String(), "\n") {
		lines = append(lines, printable(line))
	}
	return "  " + strings.Join(lines, "\n")
}
