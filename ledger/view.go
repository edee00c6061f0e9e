package ledger

import (
	"fmt"
	"slices"
	"time"

	"github.com/opledger/opledger/locks"
)

// ToolHead is what the transaction that grants a permit must know of a tool: its newest version and whether it is
// switched off. Definitions themselves are immutable per version and live outside the snapshot.
type ToolHead struct {
	Namespace Namespace
	Name      string
	Version   int64
	Digest    string // of that version's definition
	Disabled  bool
	Reason    string // of the switch
}

// ToolVersion is one stored version of a definition, in the form that its edge package gave it.
type ToolVersion struct {
	Namespace  Namespace
	Name       string
	Version    int64
	Definition []byte // opaque to the core
	Digest     string // of the definition, so that the same file applied again is the same version
	AppliedBy  Principal
	AppliedAt  time.Time
}

// View is the running snapshot of one batch: what was loaded, and what earlier commands of the batch made of it. A
// decision reads it and never changes it.
type View struct {
	Now time.Time

	loaded     map[Read]bool
	operations map[Read]*Operation
	claims     map[Read][]Claim // sorted by number
	scopes     map[Read]locks.Scope
	tools      map[Read]ToolHead
	epochs     map[Read]int64
	records    map[Read]Record
}

// NewView starts an empty snapshot at the database's time.
func NewView(now time.Time) *View {
	return &View{
		Now: now, loaded: map[Read]bool{}, operations: map[Read]*Operation{}, claims: map[Read][]Claim{},
		scopes: map[Read]locks.Scope{}, tools: map[Read]ToolHead{}, epochs: map[Read]int64{},
		records: map[Read]Record{},
	}
}

// Loaded reports whether the read was answered, with a row or without one.
func (v *View) Loaded(r Read) bool { return v.loaded[r] }

// Missing lists the reads that are not loaded yet, each once.
func (v *View) Missing(reads []Read) []Read {
	var missing []Read
	for _, r := range reads {
		if !v.loaded[r] && !slices.Contains(missing, r) {
			missing = append(missing, r)
		}
	}
	return missing
}

// MarkLoaded records that a read was answered; rows are put with the Put methods before or after.
func (v *View) MarkLoaded(r Read) { v.loaded[r] = true }

// PutOperation puts a loaded or changed operation.
func (v *View) PutOperation(o *Operation) {
	r := ReadOf(ReadOperation, o.Namespace, string(o.ID))
	v.operations[r], v.loaded[r] = o, true
}

// PutClaim puts a loaded or made claim.
func (v *View) PutClaim(c Claim) {
	r := c.Read()
	v.loaded[r] = true
	for i, have := range v.claims[r] {
		if have.ClaimID == c.ClaimID {
			v.claims[r][i] = c
			return
		}
	}
	v.claims[r] = append(v.claims[r], c)
	slices.SortFunc(v.claims[r], func(a, b Claim) int { return int(a.Number - b.Number) })
}

// PutScope puts a loaded or changed scope.
func (v *View) PutScope(s locks.Scope) {
	r := ReadScopeOf(s.Ref)
	v.scopes[r], v.loaded[r] = s, true
}

// PutTool puts a tool's head.
func (v *View) PutTool(t ToolHead) {
	r := ReadOf(ReadTool, t.Namespace, t.Name)
	v.tools[r], v.loaded[r] = t, true
}

// PutEpoch puts a namespace's configuration epoch.
func (v *View) PutEpoch(ns Namespace, epoch int64) {
	r := ReadOf(ReadEpoch, ns, "")
	v.epochs[r], v.loaded[r] = epoch, true
}

// PutRecord puts a loaded or changed record.
func (v *View) PutRecord(r Record) {
	read := r.Key().Read()
	v.records[read], v.loaded[read] = r, true
}

// NotLoadedError says that a decision asked for a row that its command did not foresee. The transaction script loads it,
// with those that will be asked for next, and asks again: a decision is a function of the view and changes nothing.
type NotLoadedError struct {
	Read   Read
	Beside []Read
}

func (e *NotLoadedError) Error() string {
	return fmt.Sprintf("%s %q is not in the snapshot", e.Read.Kind, e.Read.ID)
}

// need panics with NotLoadedError, which the transaction script turns into another try; a decision can then be written
// as a straight line.
func (v *View) need(r Read) {
	if !v.loaded[r] {
		panic(&NotLoadedError{Read: r})
	}
}

// needAll is need of several rows, which are loaded together.
func (v *View) needAll(reads []Read) {
	if missing := v.Missing(reads); len(missing) > 0 {
		panic(&NotLoadedError{Read: missing[0], Beside: missing[1:]})
	}
}

// Operation finds an operation by id, or nil where none exists. A reading that was loaded stands in the place of its row.
func (v *View) Operation(ns Namespace, id OperationID) *Operation {
	if r := v.openReading(ns, id); r != nil {
		return r.Operation
	}
	r := ReadOf(ReadOperation, ns, string(id))
	v.need(r)
	return v.operations[r]
}

// Claims lists who holds the claims under one value, by number.
func (v *View) Claims(id ClaimID) []Claim {
	v.need(id.Read())
	return v.claims[id.Read()]
}

// Claim finds one claim.
func (v *View) Claim(id ClaimID) (Claim, bool) {
	for _, c := range v.Claims(id) {
		if c.ClaimID == id {
			return c, true
		}
	}
	return Claim{}, false
}

// ClaimIfKnown finds a claim that is assumed to be free unless it was loaded. A save that meets a holder after all is
// tried again with the holder loaded, so that the assumption costs no read where it holds.
func (v *View) ClaimIfKnown(id ClaimID) (Claim, bool) {
	for _, c := range v.claims[id.Read()] {
		if c.ClaimID == id {
			return c, true
		}
	}
	return Claim{}, false
}

// Scope finds a scope; one that was never used is empty.
func (v *View) Scope(ref locks.Ref) locks.Scope {
	r := ReadScopeOf(ref)
	v.need(r)
	s := v.scopes[r]
	s.Ref = ref
	return s
}

// Tool finds a tool's head.
func (v *View) Tool(ns Namespace, name string) (ToolHead, bool) {
	r := ReadOf(ReadTool, ns, name)
	v.need(r)
	t, ok := v.tools[r]
	return t, ok
}

// Epoch is the namespace's configuration epoch; zero where nothing was ever configured.
func (v *View) Epoch(ns Namespace) int64 {
	r := ReadOf(ReadEpoch, ns, "")
	v.need(r)
	return v.epochs[r]
}

// Record gives what was loaded for a record's read, or nil.
func (v *View) Record(r Read) Record { return v.records[r] }

// recordOf finds a record; its zero value where none exists. The answer is the view's own: who changes it takes a copy.
func recordOf[T any, R interface {
	*T
	Record
}](v *View, key RecordKey) (R, bool) {
	read := key.Read()
	v.need(read)
	r, found := v.records[read].(R)
	if !found || r.RowVersion() == 0 {
		empty := R(new(T))
		empty.place(key.Namespace, key.ID, 0)
		return empty, false
	}
	return r, true
}

// Apply makes the changes of one decision visible to the commands after it.
func (v *View) Apply(c *Changes) {
	for _, o := range c.Operations {
		v.PutOperation(o)
	}
	for _, cl := range c.Claims {
		v.PutClaim(cl)
	}
	for _, s := range c.Scopes {
		v.PutScope(s)
	}
	for _, t := range c.Tools {
		v.PutTool(t)
	}
	for ns, e := range c.Epochs {
		v.PutEpoch(ns, e)
	}
	for _, r := range c.Records {
		v.PutRecord(r)
	}
}
