package sqllint

import "strings"

// write is one INSERT, UPDATE or DELETE within a statement.
type write struct {
	at     token
	table  string
	simple bool // an INSERT without ON CONFLICT
}

// writes refuses two writes to one table in one statement, except where all are plain INSERTs.
// CockroachDB refuses the rest ("not supported unless they all use INSERT without ON CONFLICT"), since it
// once corrupted tables by them: https://github.com/cockroachdb/cockroach/pull/70976
func (c *checker) writes() {
	byTable := map[string][]write{}
	for i := range c.tokens {
		w, ok := c.write(i)
		if !ok {
			continue
		}
		before := byTable[w.table]
		byTable[w.table] = append(before, w)
		for _, earlier := range before {
			if !w.simple || !earlier.simple {
				c.report(w.at, "table %s is modified twice in one statement; only plain INSERTs may repeat", w.table)
				break
			}
		}
	}
}

// write reads the write that begins at a place, if one does. What begins one stands at the start of the
// statement or of a subquery, or behind the last subquery of a WITH; so FOR UPDATE and ON DELETE are none.
func (c *checker) write(i int) (write, bool) {
	if i > 0 && !c.at(i-1).is("(", ")", ";") {
		return write{}, false
	}
	w := write{at: c.tokens[i]}
	name := i + 1
	switch {
	case c.reads(i, "insert into"):
		name = i + 2
		w.simple = !c.hasOnConflict(i)
	case c.reads(i, "delete from"):
		name = i + 2
	case w.at.is("update"):
	default:
		return write{}, false
	}
	if c.at(name).is("only") {
		name++
	}
	if !c.at(name).isName() {
		return write{}, false
	}
	// A schema before the name does not make it another table; ours are all in one.
	for c.at(name+1).is(".") && c.at(name+2).isName() {
		name += 2
	}
	w.table = strings.ToLower(c.at(name).text)
	return w, true
}

// hasOnConflict looks for ON CONFLICT up to the end of the INSERT at a place.
func (c *checker) hasOnConflict(i int) bool {
	depth := c.tokens[i].depth
	for j := i + 1; j < len(c.tokens) && c.tokens[j].depth >= depth && !c.tokens[j].is(";"); j++ {
		if c.tokens[j].depth == depth && c.reads(j, "on conflict") {
			return true
		}
	}
	return false
}
