package ledger

// reads reports whether the proposal is one of a read in its own right.
func (p *Propose) reads() bool { return !p.Terms.Mutates() && p.Undoes == nil }

// inlineRead reports whether the proposal's permit needs no operation beside it: its proposer reads at once, and nothing
// counts it, bounds it, or has it wait. Every other read has its row from the start: a worker or the server takes it up,
// persons are asked about it, a limit holds it until its end.
func (p *Propose) inlineRead() bool {
	t := &p.Terms
	if !p.reads() || t.Queued() || t.BeginRequired || t.Group != "" || p.Revise != nil || p.RepeatNeeded || len(p.OverrideGrants) > 0 {
		return false
	}
	o := p.operation()
	if len(o.usages()) > 0 {
		return false
	}
	c, err := p.Rules.For(o.facts(p.asking()))
	return err == nil && len(c.Charges()) == 0 && !c.MayAsk()
}

// meetsOthers reports whether the proposal of a read is answered from another's: one under way, or one that is fresh
// enough. Others read by themselves, and look for nothing.
func (p *Propose) meetsOthers() bool {
	return p.reads() && (p.Terms.ReadCacheFor > 0 || !p.inlineRead())
}

// readReads are the rows that tell whether another read answers this one.
func (p *Propose) readReads(v *View) []Read {
	var reads []Read
	if request, ok := v.ClaimIfKnown(p.requestClaim("", "").ClaimID); ok && request.OperationID != "" {
		b := Bearer{Namespace: p.Namespace, OperationID: request.OperationID, AttemptID: request.AttemptID}
		reads = append(reads, b.reads(v)...)
	}
	if !p.meetsOthers() {
		return reads
	}
	for _, k := range p.keys() {
		read := CachedReadKey(p.Namespace, k).Read()
		reads = append(reads, read)
		if c, ok := v.records[read].(*CachedRead); ok && c.Operation != "" {
			reads = append(reads, readsOf(v, p.Namespace, c.Operation)...)
		}
	}
	if !p.inlineRead() {
		for _, k := range p.keys() {
			reads = append(reads, p.keyClaim(k, 1).Read())
		}
	}
	return reads
}

// read decides a proposal of a read. A read claims no key, since its answer does not stay true: another proposal is
// another read, unless one is under way or fresh enough. Only the same request gets the same read.
func (s *proposal) read() Decided {
	if o := s.requested(); o != nil {
		return s.answer(o)
	}
	if s.meetsOthers() {
		if o := s.readBefore(); o != nil {
			return s.answer(o)
		}
	}
	return s.create(nil)
}

// requested is the read that the same request earned before, which it gets again: its live permit, its result for ever,
// its next try. One that ended without a result, or has by now, answers nobody.
func (s *proposal) requested() *Operation {
	if s.request.OperationID == "" || s.PlanOnly {
		return nil
	}
	if s.request.AttemptID.isOfReading() {
		s.view.need(ReadingKey(s.Namespace, s.request.OperationID).Read())
	}
	o := s.view.Operation(s.Namespace, s.request.OperationID)
	if o == nil || s.byNow(o).State == FailedPermanent {
		return nil
	}
	return o
}

// byNow is the operation as the passing of time leaves it. Whether a read answers is asked of that: one whose last permit
// is over is no read under way. Where another is made instead, its due work still writes so; a reading has none, and is only
// seen so.
func (s *proposal) byNow(o *Operation) *Operation { return byNow(s.view, s.env, o, s.Jitter) }

// readBefore is another proposal's read that answers this one: the newest under its keys, or one that a release made that
// had reads claim their keys.
func (s *proposal) readBefore() *Operation {
	var known []*Operation
	for _, k := range s.keys() {
		if c, found := recordOf[CachedRead](s.view, CachedReadKey(s.Namespace, k)); found && c.Operation != "" {
			if o := s.view.Operation(s.Namespace, c.Operation); o != nil {
				known = append(known, o)
			}
		}
	}
	if !s.inlineRead() {
		known = append(known, s.revisions(s.keys())...)
	}
	for _, o := range known {
		if f := s.formFor(o); f != nil && f.matches(o) && s.byNow(o).answersRead(&s.Terms, s.view.Now) {
			return o
		}
	}
	return nil
}

// earns is the attempt that the proposal would earn by a read that it makes by itself.
func (s *proposal) earns(id AttemptID) bool {
	return id == s.NewAttempt || id == s.NewAttempt.ofReading()
}
