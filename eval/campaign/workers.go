package campaign

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/opledger/opledger/eval"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// workerRoom is how much of one tool the campaign's workers take at a time.
const workerRoom = 1000

// piece is a piece of work and the run that it belongs to.
type piece struct {
	play   *play
	number int // of its operation within the run
	item   *pb.WorkItem
}

// poll takes work up for all runs in one call, as a pool of workers does, and starts a handler for each piece: a process of
// its own, with the run's faults. The order is the runs', not the one in which the ledger hands out.
func (s *stage) poll() {
	if s.failed() != nil || len(s.plays) == 0 {
		return
	}
	credits := make([]*pb.ToolCredit, 0, len(tools()))
	for _, name := range workerTools() {
		credits = append(credits, &pb.ToolCredit{Tool: name, Dispatches: workerRoom, Lookups: workerRoom})
	}
	asked := s.clock()
	s.polls++
	most := int32(workerRoom)
	request := &pb.PollWorkRequest{
		RequestId: fmt.Sprintf("00000000-0000-4000-9000-%012d", s.polls), WorkerId: "workers", Credits: credits, MaxItems: &most,
	}
	m, err := s.api.PollWork(s.ctx, request)
	if err != nil {
		s.fail(err)
		return
	}
	pieces := make([]piece, 0, len(m.Items))
	for _, item := range m.Items {
		operation, arguments := item.GetDispatch().GetOperationId(), item.GetDispatch().GetDispatchArgumentsJson()
		if l := item.GetLookup(); l != nil {
			operation, arguments = l.OperationId, l.CanonicalArgumentsJson
		}
		p := s.byRef[orderOf(arguments)]
		if p == nil {
			continue // of a run that is over
		}
		pieces = append(pieces, piece{play: p, number: p.hear(operation), item: item})
	}
	slices.SortFunc(pieces, func(a, b piece) int {
		return cmp.Or(cmp.Compare(a.play.number, b.play.number), cmp.Compare(a.number, b.number))
	})
	for len(pieces) > 0 {
		p, n := pieces[0].play, 1
		for n < len(pieces) && pieces[n].play == p {
			n++
		}
		p.polled(request, pieces[:n], asked)
		for _, w := range pieces[:n] {
			p.work(w.item, asked)
		}
		pieces = pieces[n:]
	}
}

// polled keeps the call as far as it brought work of this run.
func (p *play) polled(request *pb.PollWorkRequest, pieces []piece, asked time.Time) {
	answer := &pb.PollWorkResponse{}
	for _, w := range pieces {
		answer.Items = append(answer.Items, w.item)
	}
	c := eval.Call{By: "workers", Method: "poll", Began: asked, Sequence: p.sequence, Request: request, Answer: answer}
	p.sequence++
	p.done(&c)
}

// orderOf is the order that arguments are about.
func orderOf(arguments string) string {
	var a struct {
		OrderID string `json:"order_id"`
	}
	_ = json.Unmarshal([]byte(arguments), &a) // arguments of a tool of the campaign
	return a.OrderID
}

// work starts a handler of one piece of work.
func (p *play) work(item *pb.WorkItem, asked time.Time) {
	if l := item.GetLookup(); l != nil {
		p.undoes[l.OperationId] = tools()[l.Tool]
		p.act("lookup", func(a *actor) {
			if i := l.Instruction; len(i.GetQuestions()) > 0 {
				a.answerLookup(l.OperationId, i, i.Questions[0])
			}
		})
		return
	}
	permit := item.GetDispatch()
	p.act("worker", func(a *actor) {
		p.step(a.name, "takes up attempt %d of %s", permit.AttemptNumber, p.name(permit.OperationId))
		a.carryOut(permit, asked)
	})
}
