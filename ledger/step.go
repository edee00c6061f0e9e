package ledger

import "time"

// Step is one step of one compensation: a row unique by (original, revision, effect, step), which answers every repeat
// whatever the playbook is by then.
type Step struct {
	row
	Original    OperationID `json:"original"`
	Revision    int64       `json:"revision"` // of the original
	EffectID    string      `json:"effect_id"`
	Name        string      `json:"name"`
	Number      int         `json:"number"` // within the playbook, from 1
	Tool        string      `json:"tool"`
	Arguments   []byte      `json:"arguments"` // rendered, JSON
	Status      string      `json:"status"`
	OperationID OperationID `json:"operation_id,omitempty"` // that carries it out, once it was proposed
	CreatedAt   time.Time   `json:"created_at"`
	NextAt      time.Time   `json:"next_at,omitzero"` // when due work must look at it; zero: never
}

// Key names it.
func (s *Step) Key() RecordKey { return s.key(RecordStep) }

// Index lists steps by their original, in order.
func (s *Step) Index() RecordIndex {
	return RecordIndex{Status: s.Status, Subject: string(s.Original), Tool: s.Tool, At: s.CreatedAt, DueAt: s.NextAt}
}

// Undoes says what an operation undoes.
type Undoes struct {
	Original OperationID `json:"original"`
	StepID   string      `json:"step_id"` // of RecordStep
}

// Undoing is one effect that a compensation has undone or is undoing.
type Undoing struct {
	EffectID string    `json:"effect_id"`
	By       Principal `json:"by"`
	Reason   string    `json:"reason"`
	At       time.Time `json:"at"`
	Steps    []string  `json:"steps"` // ids of RecordStep, in the playbook's order
	// UndoneAt is when every step was known to be done; zero: it is under way.
	UndoneAt time.Time `json:"undone_at,omitzero"`
}
