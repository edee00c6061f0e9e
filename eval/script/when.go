package script

import (
	"strconv"

	"go.yaml.in/yaml/v3"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// came reports whether the step of a label came to something: it was answered, and where it asked for a permit or a lease
// it was given one. So a scenario can say what a process does that heeds its answers, whatever they are: what it leads to
// is left to the checkers.
func (r *runner) came(label string) bool {
	if label == "" {
		return true
	}
	o := r.labels.steps[label]
	if o == nil || o.err != nil {
		return false
	}
	switch m := o.answer.(type) {
	case *pb.ProposeOperationResponse, *pb.PollWorkResponse:
		return o.permit() != nil
	case *pb.AcquireEntityLeaseResponse:
		return m.GetGrant() != nil
	}
	return true
}

// readWanted reads how many effects are wanted of a business key, {order_1: 0}: the truth that checkers go by, and no
// expectation. Of a key that is not named, one is wanted.
func (s *Scenario) readWanted(node *yaml.Node) error {
	if err := mapping(node); err != nil {
		return err
	}
	s.wanted = map[string]int{}
	for k, v := range pairs(node) {
		n, err := strconv.Atoi(v.Value)
		if err != nil || n < 0 {
			return at(v, "a number of effects is wanted here")
		}
		s.wanted[k.Value] = n
	}
	return nil
}
