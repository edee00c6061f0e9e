package smallworld

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strings"
)

// key names a state among all: the first half of a SHA-256 of its canonical encoding. Of a hundred million states two
// share a key with a chance below 10^-22.
type key [16]byte

func keyOf(encoding []byte) key {
	sum := sha256.Sum256(encoding)
	return key(sum[:16])
}

// encoder writes what tells states apart: all that decides what can come of them. Identifiers, versions, and what is only
// told to people are left out.
type encoder struct{ bytes.Buffer }

func (e *encoder) numbers(ns ...int) {
	var b [binary.MaxVarintLen64]byte
	for _, n := range ns {
		e.Write(b[:binary.PutVarint(b[:], int64(n))])
	}
}

func (e *encoder) flags(bs ...bool) {
	bits := 0
	for i, b := range bs {
		if b {
			bits |= 1 << i
		}
	}
	e.numbers(bits)
}

func (e *encoder) text(s string) {
	e.WriteString(s)
	e.WriteByte(0)
}

// keys are the names of the state, and of its ledger alone. Operations of one tool are alike, and so are servers: states
// that differ in which of them is which are one state.
func (w *world) keys(r rules) (state, inLedgerOnly key) {
	var parts, inLedger [2][]byte
	for i := range r.operations {
		var e encoder
		e.operation(w.operation(i), r)
		e.lease(w, i)
		inLedger[i] = slices.Clone(e.Bytes())
		e.around(w, r, i)
		parts[i] = e.Bytes()
	}
	straight := w.encode(parts, [2]int{0, 1})
	ledgerOnly := w.shared(inLedger, [2]int{0, 1})
	if r.operations > 1 {
		if other := w.encode(parts, [2]int{1, 0}); bytes.Compare(other, straight) < 0 {
			straight = other
		}
		if other := w.shared(inLedger, [2]int{1, 0}); bytes.Compare(other, ledgerOnly) < 0 {
			ledgerOnly = other
		}
	}
	return keyOf(straight), keyOf(ledgerOnly)
}

// shared writes the operations in an order, and what they have in common.
func (w *world) shared(parts [2][]byte, order [2]int) []byte {
	var e encoder
	e.numbers(w.now, int(w.rows.epoch))
	for _, i := range order {
		e.numbers(len(parts[i]))
		e.Write(parts[i])
	}
	for _, s := range w.rows.scopes {
		if s.Ref.Group() == "" {
			continue // of the lease scope, leases and states tell all
		}
		for _, h := range s.Holders {
			e.numbers(slices.Index(order[:], operationIndex(h.OperationID)))
		}
	}
	return e.Bytes()
}

func operationIndex(id string) int { return int(id[len("op_")] - '1') }

// encode writes the whole state, with its operations in an order.
func (w *world) encode(parts [2][]byte, order [2]int) []byte {
	var e encoder
	e.Write(w.shared(parts, order))
	var held [servers][]byte
	for n, s := range w.servers {
		var h encoder
		h.server(w, s, order)
		held[n] = h.Bytes()
	}
	slices.SortFunc(held[:], bytes.Compare)
	for _, h := range held {
		e.numbers(len(h))
		e.Write(h)
	}
	return e.Bytes()
}

func (e *encoder) server(w *world, s server, order [2]int) {
	e.numbers(int(s.holds), int(s.epoch))
	if s.holds == nothing {
		return
	}
	o := w.operation(s.operation)
	if s.holds != question && s.stamp != o.Version {
		return // somebody has been at the operation since: it will do nothing, of whatever operation it is
	}
	e.numbers(slices.Index(order[:], s.operation))
	if s.holds == question {
		e.numbers(s.asked, int(s.attempts))
		e.flags(s.found)
	}
}

// around writes what the world holds of one operation beside the ledger.
func (e *encoder) around(w *world, r rules, i int) {
	e.flags(w.said[i])
	age := lag // above which all effects are alike
	if r.keyed() {
		age = retention
	}
	e.numbers(w.count(i))
	for _, f := range w.effects {
		if f.operation == i {
			e.numbers(min(w.now-f.at, age))
			if r.broken != nil {
				e.text(f.key)
			}
		}
	}
	for n := range w.processes {
		if p := &w.processes[n]; p.operation == i {
			e.process(w, r, p)
		}
	}
}

func (e *encoder) process(w *world, r rules, p *process) {
	e.numbers(p.attempt, int(p.phase), p.inFlight, p.pending)
	e.flags(p.copied, p.again, p.repeats)
	if p.phase != done {
		e.numbers(p.deadline)
	}
	if p.outcome != "" {
		id := w.report(r, p, p.outcome, true).ReportID
		e.text(string(p.outcome) + effectNumber(p.effect))
		e.flags(heard(w.operation(p.operation), id))
	}
}

// effectNumber is an effect id without its operation.
func effectNumber(id string) string { return id[strings.LastIndexByte(id, '_')+1:] }
