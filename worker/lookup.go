package worker

import (
	"context"
	"fmt"
	"strings"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// Lookup is a question about one operation, to put to its provider. It permits no effect.
type Lookup struct {
	OperationID string
	Tool        string
	ToolVersion int
	Provider    string
	Account     string // at the provider; empty: none is named
	Arguments   []byte // canonical, as JSON text
	// Questions are the ways to ask, the best first. Ask one of them.
	Questions []Question

	ticket string
}

// Question is one way to ask.
type Question struct {
	By     string // the reference to ask by: "vendor_key", "client_reference", "provider_request_id" or "object_id"
	Value  string // of the reference
	Search bool   // whether a search index is asked, which says less than a read by key
	How    string // in a sentence; empty: the tool does not say

	by pb.LookupBy
}

// Find is what the provider has. A find that shows neither the vendor key nor the client reference may be another
// operation's, and counts for nothing: state them as the find shows them, not as they were asked for.
type Find struct {
	VendorKey       string
	ClientReference string
	Answer          Answer
}

// Finding is the answer to a lookup. The zero value says that the provider could not be asked.
type Finding struct {
	verdict  pb.Verdict
	question Question
	find     Find
	// Note is for people.
	Note string
}

// Happened: the effect exists.
func Happened(q Question, f Find) Finding {
	return Finding{verdict: pb.Verdict_VERDICT_HAPPENED, question: q, find: f}
}

// InProgress: the provider is at it and will finish.
func InProgress(q Question, f Find) Finding {
	return Finding{verdict: pb.Verdict_VERDICT_IN_PROGRESS, question: q, find: f}
}

// DidNotHappen: the provider knows of no such effect. It counts only if it was asked late enough, which the ledger judges.
func DidNotHappen(q Question) Finding {
	return Finding{verdict: pb.Verdict_VERDICT_DID_NOT_HAPPEN, question: q}
}

// StillUnknown: the answer says neither.
func StillUnknown(q Question) Finding {
	return Finding{verdict: pb.Verdict_VERDICT_STILL_UNKNOWN, question: q}
}

// startLookup asks, in a goroutine of its own.
func (w *worker) startLookup(m *pb.LookupWork) {
	tool, served := w.config.Tools[m.Tool]
	l := lookupOf(m)
	if !served || tool.Lookup == nil || len(l.Questions) == 0 {
		return
	}
	w.room.take(m.Tool, 0, 1)
	w.handlers.Go(func() {
		defer w.room.take(m.Tool, 0, -1)
		ctx, cancel := context.WithCancel(w.acting)
		if life := m.Instruction.GetTicketRemaining().AsDuration(); life > 0 {
			ctx, cancel = context.WithTimeout(w.acting, life)
		}
		defer cancel()
		w.answer(l, w.ask(ctx, l, tool.Lookup))
	})
}

func lookupOf(m *pb.LookupWork) *Lookup {
	i := m.GetInstruction()
	l := &Lookup{
		OperationID: m.OperationId, Tool: m.Tool, ToolVersion: int(m.ToolVersion), Provider: i.GetProvider(), Account: i.GetProviderAccount(),
		Arguments: []byte(m.CanonicalArgumentsJson), ticket: i.GetLookupTicket(),
	}
	for _, q := range i.GetQuestions() {
		name, known := pb.LookupBy_name[int32(q.By)]
		if known { // one that this release does not know is left out
			by := strings.ToLower(strings.TrimPrefix(name, "LOOKUP_BY_"))
			l.Questions = append(l.Questions, Question{By: by, Value: q.Value, Search: q.Search, How: q.How, by: q.By})
		}
	}
	return l
}

// ask calls the handler. One that fails says that the provider could not be asked.
func (w *worker) ask(ctx context.Context, l *Lookup, ask LookupHandler) (finding Finding) {
	failed := func(what any) Finding {
		w.config.Logger.WarnContext(ctx, "a lookup failed", "operation_id", l.OperationID, "tool", l.Tool, "error", what)
		f := StillUnknown(l.Questions[0])
		f.Note = fmt.Sprintf("the lookup failed: %T", what)
		return f
	}
	defer func() {
		if r := recover(); r != nil {
			finding = failed(r)
		}
	}()
	finding, err := ask(ctx, l)
	if err != nil {
		return failed(err)
	}
	if finding.verdict == pb.Verdict_VERDICT_UNSPECIFIED || finding.question.Value == "" {
		return StillUnknown(l.Questions[0])
	}
	return finding
}

// answer hands the finding in, again under one id until the ledger has it.
func (w *worker) answer(l *Lookup, f Finding) {
	ctx, cancel := context.WithTimeout(w.telling, w.config.ReportTimeout)
	defer cancel()
	e := &pb.Evidence{
		EvidenceId: w.newID(), Verdict: f.verdict, Note: bounded(f.Note, maxNote),
		Source: &pb.Evidence_Lookup{Lookup: &pb.LookupSource{
			LookupTicket: l.ticket, By: f.question.by, Value: f.question.Value, Search: &f.question.Search,
		}},
	}
	if f.find != (Find{}) {
		e.Attribution = &pb.Attribution{VendorIdempotencyKey: f.find.VendorKey, ClientReference: f.find.ClientReference}
		e.Answer = f.find.Answer.proto()
	}
	request := &pb.AnswerLookupRequest{RequestId: w.newID(), OperationId: l.OperationID, Evidence: e}
	if _, _, err := again(ctx, w, request, w.work.AnswerLookup); err != nil {
		w.config.Logger.WarnContext(ctx, "a lookup's answer was not taken; it is asked again", "operation_id", l.OperationID, "error", err)
	}
}

// maxNote is the API's bound on notes.
const maxNote = 2000
