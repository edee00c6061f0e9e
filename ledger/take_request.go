package ledger

import (
	"strconv"
	"time"

	"github.com/opledger/opledger/policy"
)

// TakeFor is a Take in answer to a worker's request. The request keeps what it earned, so that its repeat, after a lost
// answer, finds that again.
type TakeFor struct {
	Take
	Request Request
	Number  int // of the permit among those that the request may earn, from 1
}

// Decide takes the work up, and keeps a permit under the request.
func (t *TakeFor) Decide(v *View, env Env) Decided {
	out := t.Take.Decide(v, env)
	handed, ok := out.Reply.(*Handed)
	if !ok || handed.Permit == nil {
		return out
	}
	if out.Changes == nil {
		out.Changes = &Changes{} // a retry that sees its own write
	}
	earned := t.Request.earned(t.Number)
	earned.OperationID, earned.AttemptID = handed.Operation.ID, handed.Permit.Attempt.ID
	out.Changes.Claims = append(out.Changes.Claims, earned)
	out.Changes = t.Request.kept(out.Changes)
	return out
}

// earned is the claim under which a request keeps the permit of a number.
func (r *Request) earned(number int) Claim {
	id := r.ID + "/" + RequestID(strconv.Itoa(number))
	return Claim{ClaimID: ClaimID{Namespace: r.Namespace, Kind: ClaimRequest, Value: RequestValue(r.Principal, id)}, Fingerprint: r.Hash}
}

// AskWork is the beginning of a request for work: it asks whether the request has earned permits before. It changes
// nothing.
type AskWork struct{ Request Request }

// WorkAsked is the reply.
type WorkAsked struct {
	Repeated bool      // the request has earned permits before
	At       time.Time // the moment from which what the request waits counts
}

// Claims are none: a request that earns nothing leaves nothing behind.
func (a *AskWork) Claims() []Claim { return nil }

// Reads are what the request has earned.
func (a *AskWork) Reads(*View) []Read { return []Read{a.Request.Claims()[0].Read()} }

// Decide answers whether it has. Another request under the same id is refused.
func (a *AskWork) Decide(v *View, _ Env) Decided {
	repeated, no := a.Request.repeated(v)
	if no != nil {
		return Decided{Err: no}
	}
	return Decided{Reply: &WorkAsked{Repeated: repeated, At: v.Now}}
}

// TakeAgain hands out a permit that the same request has earned before, whose answer was lost. It does so only where that
// is safe whoever asks, since the process that asked first may have it too.
type TakeAgain struct {
	Request  Request
	Number   int // of the permit, as TakeFor counted
	Actor    Actor
	WorkerID string
	Epoch    int64 // the configuration epoch that the rules were read at
	Rules    *policy.Set
}

// Claims are none.
func (t *TakeAgain) Claims() []Claim { return nil }

// Reads are what the request has earned, and what the permit is judged by once more.
func (t *TakeAgain) Reads(v *View) []Read {
	read := t.Request.earned(t.Number).Read()
	reads := []Read{read, ReadOf(ReadEpoch, t.Request.Namespace, "")}
	for _, c := range v.claims[read] {
		reads = append(reads, judgedReads(v, t.Request.Namespace, c.OperationID, t.Rules)...)
	}
	return reads
}

// Decide hands the live permit out once more, on the record, or says why not.
func (t *TakeAgain) Decide(v *View, env Env) Decided {
	if epoch := v.Epoch(t.Request.Namespace); epoch != t.Epoch {
		return Decided{Err: &EpochMovedError{Have: t.Epoch, Now: epoch}}
	}
	earned, there := v.Claim(t.Request.earned(t.Number).ClaimID)
	if !there {
		return Decided{Reply: &Handed{Because: "the request has earned no permit of this number"}}
	}
	o := v.Operation(t.Request.Namespace, earned.OperationID)
	if o == nil {
		return Decided{Err: notFound(earned.OperationID)}
	}
	d := change(v, env, o, t.Actor.Principal, 0)
	d.tick()
	live := d.op.LiveAttempt()
	if live == nil || live.ID != earned.AttemptID || !d.mayHandAgain() {
		return d.handed(&Handed{Because: "the permit that the request has earned may not be handed out again"})
	}
	take := Take{Actor: t.Actor, WorkerID: t.WorkerID, Rules: t.Rules}
	q := take.asking(d.op)
	q.attempt = live
	if n := d.judge(q); n != nil {
		return d.handed(&Handed{Because: n.because})
	}
	if !live.HandedAgain {
		live.HandedAgain = true
		d.event(EventHandedAgain, live.Number, "worker_id", t.WorkerID)
	}
	return d.handed(&Handed{Permit: d.permit()})
}
