package smallworld

import "fmt"

// verb is a kind of step.
type verb byte

// step is one thing that can happen next. It is small, since the search keeps one for each state.
type step struct {
	verb    verb
	actor   byte // the operation, the server, or the holder's operation
	attempt byte // of a holder
	copied  bool
	detail  byte // of a server: the operation
}

// The steps. Their words stand in the same order below.
const (
	start verb = iota
	passTick
	proposes
	proposesAgain
	wishesCancel
	acquires
	releases
	forbids
	claimsDue
	sendsDue
	claimsWork
	sendsTake
	asks
	asksInVain
	handsIn
	serverDies
	givesUp
	begins
	beginAnswerLost
	dies
	givenUpOutside
	extendsPermit
	sendsRejected
	sendsInFlight
	sendsCommitted
	sendsTakenOn
	arrivesLate
	neverArrives
	providerFinishes
	providerGivesUp
	reports
	reportAnswerLost
	reportsTwice
	diesUnreported
)

var words = [...]string{
	start:            "",
	passTick:         "a tick passes",
	proposes:         "somebody proposes operation %d",
	proposesAgain:    "the request that earned operation %d its permit comes again, and gets it",
	wishesCancel:     "somebody wishes operation %d cancelled",
	acquires:         "the workflow of operation %d takes the lease",
	releases:         "the workflow of operation %d gives the lease back",
	forbids:          "the operator forbids the tool",
	claimsDue:        "claims the due work of operation %d",
	sendsDue:         "sends the due work that it claimed of operation %d",
	claimsWork:       "claims the work of operation %d",
	sendsTake:        "takes up the work that it claimed of operation %d",
	asks:             "asks the provider about operation %d",
	asksInVain:       "asks the provider about operation %d, which will miss what is there",
	handsIn:          "hands in the provider's answer about operation %d",
	serverDies:       "dies with what it held",
	givesUp:          "gives up unsent",
	begins:           "begins",
	beginAnswerLost:  "begins, and the answer is lost",
	dies:             "dies",
	givenUpOutside:   "is given up by a layer round it, which reports ambiguous",
	extendsPermit:    "extends its permit",
	sendsRejected:    "sends: rejected",
	sendsInFlight:    "sends, and hears nothing",
	sendsCommitted:   "sends: it happens",
	sendsTakenOn:     "sends: the provider takes it on",
	arrivesLate:      "has its request arrive late, and it happens",
	neverArrives:     "has its request lost",
	providerFinishes: "has its request finished by the provider",
	providerGivesUp:  "has its request given up by the provider",
	reports:          "reports what it saw",
	reportAnswerLost: "reports what it saw, and the answer is lost",
	reportsTwice:     "reports ambiguous, and a layer round it is about to report not_sent",
	diesUnreported:   "dies before its report",
}

// String is the step in words.
func (s step) String() string {
	text := words[s.verb]
	switch {
	case s.verb >= givesUp:
		which := ""
		if s.copied {
			which = ", the second to hold it"
		}
		return fmt.Sprintf("the holder of permit %d of operation %d%s %s", s.attempt, s.actor+1, which, text)
	case s.verb == serverDies:
		return fmt.Sprintf("server %d %s", s.actor+1, text)
	case s.verb >= claimsDue:
		return fmt.Sprintf("server %d "+text, s.actor+1, s.detail+1)
	case s.verb == passTick || s.verb == forbids || s.verb == start:
		return text
	}
	return fmt.Sprintf(text, s.actor+1)
}
