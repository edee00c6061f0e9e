package ledger

// openReading finds a loaded reading that stands in the place of an operation's row.
func (v *View) openReading(ns Namespace, id OperationID) *Reading {
	if r, ok := v.records[ReadingKey(ns, id).Read()].(*Reading); ok && r.Operation != nil {
		return r
	}
	return nil
}

// asReading makes a new operation's draft a reading. Its permit has been given.
func (d *draft) asReading() {
	o := d.op
	r := &Reading{Tool: o.Tool, IdempotencyKey: o.Key, At: d.now}
	r.place(o.Namespace, string(o.ID), 0)
	d.reading = r
}

// readingChanges brings the reading in line with what the draft did, and hands out what is to be saved: the reading alone
// while the permit is out, then the operation's row with all its events.
func (d *draft) readingChanges() *Changes {
	r, o := *d.reading, d.op
	r.Version++
	if o.State == Dispatched {
		r.Operation, r.Noted = o, append(r.Noted[:len(r.Noted):len(r.Noted)], note(d.events)...)
		d.put(&r)
		return &Changes{Claims: d.claims, Scopes: d.scopes, Records: d.records}
	}
	events := append(r.Events(), d.events...)
	r.Operation, r.Noted = nil, nil
	d.put(&r)
	d.rememberFresh()
	o.Version++
	return &Changes{
		Operations: []*Operation{o}, Created: map[OperationKey]bool{o.RowKey(): true}, Events: events,
		Claims: d.claims, Scopes: d.scopes, Records: d.records,
	}
}

func note(events []Event) []noted {
	var all []noted
	for _, e := range events {
		all = append(all, noted{Type: e.Type, At: e.At, From: e.From, To: e.To, Attempt: e.Attempt, By: e.By, Detail: e.Detail})
	}
	return all
}

// reads are the rows that a command about one attempt depends on: those of its operation, or of the reading that
// stands in its place.
func (b *Bearer) reads(v *View) []Read {
	if !b.AttemptID.isOfReading() {
		return readsOf(v, b.Namespace, b.OperationID)
	}
	key := ReadingKey(b.Namespace, b.OperationID).Read()
	r := v.openReading(b.Namespace, b.OperationID)
	if r == nil && v.Loaded(key) { // it has a row by now
		return readsOf(v, b.Namespace, b.OperationID)
	}
	reads := []Read{key, wantedKey(b.Namespace).Read()}
	if r != nil {
		reads = append(reads, ReadOf(ReadTool, b.Namespace, r.Tool))
		reads = append(reads, followedBy(r.Operation)...)
		if r.Operation.Terms.ReadCacheFor > 0 {
			reads = append(reads, CachedReadKey(b.Namespace, r.IdempotencyKey).Read())
		}
	}
	return reads
}
