package provider

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/opledger/opledger/eval"
)

// journal is where a provider keeps what it was told, a line each, before it acts on it. The core being a function of what
// it is told and when, this is all that it has to keep.
type journal struct {
	file *os.File
	err  error // the first failure: what stands behind it in the file is unknown, so that nothing is written any more
}

// entry is one line of a journal.
type entry struct {
	At time.Time `json:"at"`
	// Profile is in the first line. Under another one the same lines would tell another story.
	Profile *Profile `json:"profile,omitempty"`
	// Write is a request and Fault what it met; Planned: the fault was the next one of the plan.
	Write   *Request   `json:"write,omitempty"`
	Fault   eval.Fault `json:"fault,omitempty"`
	Planned bool       `json:"planned,omitempty"`
	// Plan is what is to befall the next requests of a business key.
	Plan *Plan `json:"plan,omitempty"`
	// HandOut tells that webhooks were handed out.
	HandOut *handOut `json:"hand_out,omitempty"`
}

// handOut says which webhooks were handed out: those of one business key, or all, that were due by a time, of one event
// where that is named.
type handOut struct {
	BusinessKey string    `json:"business_key,omitempty"`
	All         bool      `json:"all,omitempty"`
	EventID     string    `json:"event_id,omitempty"`
	Until       time.Time `json:"until"`
}

// Open opens a provider whose count is kept in a file and outlives every process, or makes the file. A line that a crash
// cut short was never acted on, and is dropped. Of two processes, only one may have the file open.
func Open(path string, o Options) (*Provider, error) {
	p := New(o)
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := p.open(file); err != nil {
		return nil, errors.Join(fmt.Errorf("the provider's journal %s: %w", path, err), file.Close())
	}
	return p, nil
}

func (p *Provider) open(file *os.File) error {
	text, err := io.ReadAll(file)
	if err != nil {
		return err
	}
	end := int64(bytes.LastIndexByte(text, '\n') + 1)
	if err := file.Truncate(end); err != nil {
		return err
	}
	if _, err := file.Seek(end, io.SeekStart); err != nil {
		return err
	}
	number := 0
	for line := range bytes.Lines(text[:end]) {
		number++
		if err := p.readBack(line, number == 1); err != nil {
			return fmt.Errorf("line %d: %w", number, err)
		}
	}
	p.journal = &journal{file: file}
	if number > 0 {
		return nil
	}
	if err := p.record(entry{At: p.now(), Profile: &p.profile}); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(file.Name()))
}

// readBack does once more what a line says.
func (p *Provider) readBack(line []byte, first bool) error {
	var e entry
	if err := json.Unmarshal(line, &e); err != nil {
		return err
	}
	if first != (e.Profile != nil) {
		return errors.New("a profile must stand in the first line, and only there")
	}
	p.last = e.At
	switch {
	case e.Profile != nil:
		if *e.Profile != p.profile {
			return fmt.Errorf("it was kept under another profile: %+v", *e.Profile)
		}
	case e.Write != nil:
		b, known := behaviours[e.Fault]
		if !known {
			return fmt.Errorf("there is no fault %q", e.Fault)
		}
		p.write(*e.Write, b, e.Planned, e.At)
	case e.Plan != nil:
		p.add(*e.Plan)
	case e.HandOut != nil:
		p.settle(e.At)
		p.hand(*e.HandOut)
	default:
		return errors.New("it says nothing")
	}
	return nil
}

// record writes an entry and makes it last, before anything comes of it.
func (p *Provider) record(e entry) error {
	if p.journal == nil {
		return nil
	}
	return p.journal.append(e)
}

func (j *journal) append(e entry) error {
	if j.err != nil {
		return j.err
	}
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	if _, err = j.file.Write(append(line, '\n')); err == nil {
		err = j.file.Sync()
	}
	j.err = err
	return err
}

// syncFolder makes a new file's name last.
func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// Close closes the journal. A provider that keeps none has nothing to close.
func (p *Provider) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.journal == nil {
		return nil
	}
	return p.journal.file.Close()
}
