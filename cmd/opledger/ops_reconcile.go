package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"google.golang.org/protobuf/types/known/durationpb"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// evidenceFlags say what was found out, and how.
type evidenceFlags struct {
	id, verdict                    string
	by, value, ticket              string
	search, overrule               bool
	reason                         string
	seen                           int64
	vendorKey, clientReference     string
	objectID, effectID, providerID string
	result, note                   string
}

func newOpsReconcile() *cobra.Command {
	f := &evidenceFlags{}
	var wait time.Duration
	cmd := &cobra.Command{
		Use: "reconcile OPERATION", Short: "Find out what happened, or hand in what was found out", Args: cobra.ExactArgs(1),
		Long: "Without --verdict the tool's strategies are run now, and the answer says which lookup can be made by hand.\n" +
			"With --verdict what was found out is handed in: by a lookup at the provider (--by and --value, with the ticket of the\n" +
			"lookup that was asked for), or as a person's word (--reason and --seen-version, the version that \"ops show\" told).",
		Example: "  opledger ops reconcile op_01...\n" +
			"  opledger ops reconcile op_01... --verdict happened --by client_reference --value opr-... --ticket lk1... \\\n" +
			"      --client-reference opr-... --object-id ch_123\n" +
			"  opledger ops reconcile op_01... --verdict did_not_happen --seen-version 7 --reason \"called the bank\"",
	}
	c := addConnectionFlags(cmd)
	cmd.ValidArgsFunction = completeUnknown(c)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := atMost("wait", wait, longestWait); err != nil {
			return err
		}
		id, err := newRequestID()
		if err != nil {
			return err
		}
		req := &pb.ReconcileRequest{OperationId: args[0], RequestId: id}
		if req.Evidence, err = f.evidence(); err != nil {
			return err
		}
		if wait > 0 {
			req.Wait = durationpb.New(wait)
		}
		return c.call(cmd, wait, func(ctx context.Context, r *remote) error {
			res, err := r.operations.Reconcile(ctx, req)
			if err != nil {
				return err
			}
			return answer(cmd, res, func(p *printer) { p.reconciled(res) })
		})
	}
	flags := cmd.Flags()
	flags.StringVar(&f.verdict, "verdict", "", "what was found: happened, in_progress, did_not_happen, still_unknown")
	flags.StringVar(&f.by, "by", "", "the reference that the provider was asked by: vendor_key, client_reference, provider_request_id, object_id")
	flags.StringVar(&f.value, "value", "", "the value of that reference, as it was asked")
	flags.StringVar(&f.ticket, "ticket", "", "the ticket of the lookup that was asked for")
	flags.BoolVar(&f.search, "search", false, "a search index answered, not a read by key")
	flags.StringVar(&f.reason, "reason", "", "a person's word: how you know")
	flags.Int64Var(&f.seen, "seen-version", 0, "a person's word: the operation's version that you saw")
	flags.BoolVar(&f.overrule, "overrule", false, "a person's word: a recorded decision that overrules stronger statements")
	flags.StringVar(&f.vendorKey, "vendor-key", "", "the vendor key that the find carries")
	flags.StringVar(&f.clientReference, "client-reference", "", "the client reference that the find carries")
	flags.StringVar(&f.objectID, "object-id", "", "the provider's id of the object")
	flags.StringVar(&f.effectID, "effect-id", "", "the id of the effect, where it is not the object's")
	flags.StringVar(&f.providerID, "provider-request-id", "", "the provider's id of the request")
	flags.StringVar(&f.result, "result", "", "the result, as JSON")
	flags.StringVar(&f.note, "note", "", "a note for people")
	flags.StringVar(&f.id, "evidence-id", "", "a UUID of the statement; the same again is one (default: a new one)")
	flags.DurationVar(&wait, "wait", 0, "wait so long for an end")
	must(cmd.RegisterFlagCompletionFunc("verdict", completeWords(words(verdictEnum)...)))
	must(cmd.RegisterFlagCompletionFunc("by", completeWords(words(lookupByEnum)...)))
	return cmd
}

// evidence is the statement that the flags make, or nil where they make none.
func (f *evidenceFlags) evidence() (*pb.Evidence, error) {
	if f.verdict == "" {
		if *f != (evidenceFlags{}) {
			return nil, usagef("what was found out is said with --verdict")
		}
		return nil, nil
	}
	verdict, err := parseWord("verdict", verdictEnum, f.verdict)
	if err != nil {
		return nil, err
	}
	e := &pb.Evidence{EvidenceId: f.id, Verdict: pb.Verdict(verdict), Note: f.note}
	if e.EvidenceId == "" {
		if e.EvidenceId, err = newRequestID(); err != nil {
			return nil, err
		}
	}
	switch {
	case f.by != "" && f.reason != "":
		return nil, usagef("a statement is either a lookup's (--by, --value) or a person's word (--reason, --seen-version)")
	case f.by != "":
		if f.value == "" {
			return nil, usagef("--by needs --value: the reference as the provider was asked for it")
		}
		by, err := parseWord("by", lookupByEnum, f.by)
		if err != nil {
			return nil, err
		}
		lookup := &pb.LookupSource{LookupTicket: f.ticket, By: pb.LookupBy(by), Value: f.value}
		if f.search {
			lookup.Search = &f.search
		}
		e.Source = &pb.Evidence_Lookup{Lookup: lookup}
	case f.reason != "":
		if f.seen < 1 {
			return nil, usagef("a person's word names the version that the person saw: --seen-version (opledger ops show tells it)")
		}
		e.Source = &pb.Evidence_Person{Person: &pb.PersonSource{SeenOperationVersion: f.seen, Reason: f.reason, Overrule: f.overrule}}
	default:
		return nil, usagef("say how it is known: a lookup (--by, --value) or a person's word (--reason, --seen-version)")
	}
	if f.vendorKey != "" || f.clientReference != "" {
		e.Attribution = &pb.Attribution{VendorIdempotencyKey: f.vendorKey, ClientReference: f.clientReference}
	}
	if f.objectID != "" || f.effectID != "" || f.providerID != "" || f.result != "" {
		e.Answer = &pb.ProviderAnswer{ProviderObjectId: f.objectID, EffectId: f.effectID, ProviderRequestId: f.providerID, ResultJson: f.result}
	}
	return e, nil
}

// reconciled writes how things stand after it, and which lookup can be made by hand.
func (p *printer) reconciled(res *pb.ReconcileResponse) {
	p.facts("operation", res.Operation.GetOperationId(), "state", short(res.Operation.GetState()), "next", nextFact(res.Operation))
	if e := res.Evidence; e != nil {
		p.facts("the statement", short(e.Effect), "because", e.Explanation, "its grade", short(e.Grade))
	}
	p.result(res.Result)
	p.lookup(res.Lookup)
}

// nextFact is what its executor takes up next; empty where nothing is.
func nextFact(o *pb.Operation) string {
	if o.GetNextWork() == nil {
		return ""
	}
	return nextLook(o)
}

// lookup writes how a person can find out what happened.
func (p *printer) lookup(l *pb.LookupInstruction) {
	if l == nil {
		return
	}
	fmt.Fprintf(p, "\nAsk the provider %s, and hand in the answer with the ticket %s:\n", printable(l.Provider), printable(l.LookupTicket))
	for _, q := range l.Questions {
		fmt.Fprintf(p, "  --by %s --value %s  %s\n", short(q.By), printable(q.Value), printable(q.How))
	}
	if after := l.NotFoundCountsAfter.AsDuration(); l.NotFoundCountsAfter != nil && after > 0 {
		fmt.Fprintf(p, "\"Not found\" counts after %s.\n", lasting(after))
	}
}
