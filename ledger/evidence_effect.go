package ledger

// Became is what became of a statement.
type Became string

// What becomes of statements.
const (
	BecameApplied     Became = "applied"     // it settled the operation or an attempt of it
	BecameWaiting     Became = "waiting"     // it is weighed when the time has come
	BecameNothing     Became = "nothing"     // it says nothing that counts: too early, not attributed, too weak
	BecameContradicts Became = "contradicts" // it stands against what is known, and an incident was raised
	BecameDuplicate   Became = "duplicate"   // it was known already
)

// Effect is what became of the statement as far as is known by now: one that waited may have counted since.
func (e *Evidence) Effect() Became {
	switch {
	case e.Became == BecameContradicts, e.Became == BecameDuplicate:
		return e.Became
	case e.Counted:
		return BecameApplied
	case e.Became == BecameWaiting:
		return BecameWaiting
	}
	return BecameNothing
}

// known is what an operation knew before a statement came.
type known struct {
	incidents int
	effects   int
	effect    bool
	none      bool
}

func (d *draft) known() known {
	o := d.op
	return known{
		incidents: d.raised, effects: len(o.Effects), effect: o.effectKnown(),
		none: len(o.Attempts) > 0 && o.allWithoutEffect() && !o.PresenceSaid,
	}
}

// judgeEffect says what became of a statement that was just weighed, held against what was known before it.
func (d *draft) judgeEffect(e *Evidence, before known) {
	o := d.op
	switch {
	case e.Became == BecameContradicts:
	case e.Says == SaysHappened && e.Counted && before.effect && len(o.Effects) == before.effects,
		e.Says == SaysNot && before.none && !o.effectKnown():
		e.Became = BecameDuplicate
	case e.Counted:
	case d.raised > before.incidents:
		e.Became = BecameContradicts
	case e.Says == SaysNot && o.Live != 0:
		e.Became, e.Why = BecameWaiting, first(e.Why, "a permit is out; it is weighed when the attempt ends")
	}
}
