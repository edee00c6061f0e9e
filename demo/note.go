package demo

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"sync"
)

// noteKind says how a line is shown.
type noteKind string

// The kinds of notes.
const (
	noteCall   noteKind = "call"   // a call is made
	noteLost   noteKind = "lost"   // its answer did not come
	noteAgain  noteKind = "again"  // the loop calls again
	noteResult noteKind = "result" // the loop has its result
	noteLedger noteKind = "ledger" // what the ledger answered
	noteAsk    noteKind = "ask"    // the provider is asked
	noteDeath  noteKind = "death"  // a process was killed
	notePerson noteKind = "person" // a person says a word
)

// note is one thing that happened to an agent. An agent in a process of its own writes them as lines of JSON.
type note struct {
	Who         string   `json:"who,omitempty"`
	Kind        noteKind `json:"kind"`
	Text        string   `json:"text"`
	Tool        string   `json:"tool,omitempty"`
	OperationID string   `json:"operation_id,omitempty"`
	Decision    string   `json:"decision,omitempty"`
	// What the ledger wants said, with an answer.
	SafeUserMessage string `json:"safe_user_message,omitempty"`
	ModelMessage    string `json:"model_message,omitempty"`
}

// noteWriter writes notes as lines.
type noteWriter struct {
	mu  sync.Mutex
	out *json.Encoder
	who string
}

func (w *noteWriter) say(n note) {
	w.mu.Lock()
	defer w.mu.Unlock()
	n.Who = w.who
	_ = w.out.Encode(n) // nobody listens any more: the stage is gone, and the agent is about to be
}

// readNotes tells every note of a process until it has ended.
func readNotes(r io.Reader, tell func(note)) error {
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		var n note
		if err := json.Unmarshal(lines.Bytes(), &n); err != nil {
			return fmt.Errorf("an agent wrote what is no note: %s", lines.Text())
		}
		tell(n)
	}
	return lines.Err()
}
