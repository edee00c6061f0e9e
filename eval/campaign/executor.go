package campaign

import (
	"time"

	"github.com/opledger/opledger/eval"
	"github.com/opledger/opledger/eval/reply"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

const (
	// patience is how long an executor waits for its provider, if its permit lasts as long.
	patience = 20 * time.Second
	// longFreeze is how long a process stands that a broken promise freezes.
	longFreeze = time.Hour
)

// permit is the right to act in one process's hands.
type permit struct {
	*pb.Permit
	nonce    []byte
	begun    bool
	deadline time.Time // by the process's own count
}

func (a *actor) hold(m *pb.Permit, asked time.Time) *permit {
	return &permit{Permit: m, nonce: []byte(a.play.id()), deadline: asked.Add(m.Remaining.AsDuration())}
}

// left is how long the permit still lasts by the process's clocks.
func (a *actor) left(p *permit) time.Duration { return p.deadline.Sub(a.play.stage.clock()) }

// carryOut acts on a permit as a careful executor does: it begins where it must, looks at the clocks once more right before
// it sends, sends once, and reports. It answers the state that follows, where it heard of one. What befalls the run befalls
// the first executor that comes by.
func (a *actor) carryOut(m *pb.Permit, asked time.Time) pb.Operation_State {
	p, play := a.hold(m, asked), a.play
	if play.unbegun && play.befalls(eval.CrashBeforeSend) {
		a.crash("before it begins")
	}
	if !a.begin(p) {
		return a.report(p, reply.Unsent("PERMIT_LOST"))
	}
	a.restarts(beforeFirstByte)
	if play.befalls(eval.CrashBeforeSend) || play.replays(beforeSend) {
		a.crash("before it sends")
	}
	if play.befalls(eval.FreezeBeforeSend) {
		a.freeze(p, "before its last look at the clock")
	}
	still := play.breaks(eval.ClockSteps)
	if still {
		a.freeze(p, "and its clocks stand still meanwhile")
	}
	if !still && a.left(p) <= 0 {
		play.step(a.name, "its permit has run out, so it sends nothing")
		return a.report(p, reply.Unsent("PERMIT_EXPIRED"))
	}
	if play.breaks(eval.FreezeAfterLook) {
		play.step(a.name, "stands still for an hour between its last look at the clock and the first byte")
		a.sleep(longFreeze)
	}
	answer := play.sim.write(a, p, min(patience, max(a.left(p), tick)))
	if play.befalls(eval.CrashAfterSend) || play.replays(afterSend) {
		a.crash("after it has sent")
	}
	a.sleep(answer.Took)
	a.restarts(beforeReport)
	if play.befalls(eval.LostReport) {
		play.step(a.name, "its report never arrives, and it leaves it at that")
		return pb.Operation_STATE_UNSPECIFIED
	}
	return a.report(p, answer)
}

// The places in an operation's life at which a run's fault kills the server. With the first one an answer is lost.
const (
	whileProposed = iota
	beforeFirstByte
	beforeReport
	restartPlaces
)

// restarts kills the server and starts it again, where that is the run's fault and this is its place.
func (a *actor) restarts(at int) {
	p := a.play
	if p.restartAt != at || !p.befalls(eval.ServerRestart) {
		return
	}
	p.step(a.name, "the server is killed and starts again")
	p.stage.restart = true
	if at == whileProposed {
		p.lose["propose"]++ // whose caller waits before it asks again
		return
	}
	a.sleep(0)
}

// begin says the begin where the permit asks for one. It is one begin however often it is said.
func (a *actor) begin(p *permit) bool {
	if !p.BeginRequired {
		return true
	}
	if a.play.befalls(eval.LostBeginAnswer) {
		a.play.lose["begin"]++
	}
	answer, asked, err := again(a, "begin", &pb.BeginAttemptRequest{
		OperationId: p.OperationId, AttemptId: p.AttemptId, AttemptToken: p.AttemptToken, BeginNonce: p.nonce,
	}, a.play.stage.api.BeginAttempt)
	if err != nil {
		a.play.step(a.name, "begin of attempt %d: %s", p.AttemptNumber, reasonOf(err))
		return false
	}
	p.begun, p.deadline = true, asked.Add(answer.Begun.Remaining.AsDuration())
	a.play.step(a.name, "begins attempt %d of %s", p.AttemptNumber, a.play.name(p.OperationId))
	return true
}

// freeze lets the process stand until some time after its permit has run out.
func (a *actor) freeze(p *permit, where string) {
	late := time.Duration(1+a.play.run.luck("freeze").IntN(6)) * tick
	a.play.step(a.name, "stands still until %s after its deadline, %s", late, where)
	a.sleep(a.left(p) + late)
}

// report tells what came of an attempt, the same again until it is answered.
func (a *actor) report(p *permit, r reply.Reply) pb.Operation_State {
	request := &pb.ReportAttemptRequest{
		OperationId: p.OperationId, AttemptId: p.AttemptId, AttemptToken: p.AttemptToken, ReportId: a.play.id(), SenderReturned: true,
	}
	if p.begun {
		request.BeginNonce = p.nonce
	}
	r.Write(request)
	if a.play.befalls(eval.LostReportAnswer) {
		a.play.lose["report"]++
	}
	answer, _, err := again(a, "report", request, a.play.stage.api.ReportAttempt)
	a.play.heard(r.Effect)
	if err != nil {
		a.play.step(a.name, "reports %s of attempt %d: %s", r, p.AttemptNumber, reasonOf(err))
		return pb.Operation_STATE_UNSPECIFIED
	}
	a.play.step(a.name, "reports %s of attempt %d: %s", r, p.AttemptNumber, word(answer.Operation.GetState()))
	return answer.Operation.GetState()
}
