package rows

import (
	"hash/fnv"
	"time"

	"github.com/opledger/opledger/ledger"
)

// Shards is the number of parts into which due work is spread. A due time only grows, and an index that it leads would
// put every insert of a CockroachDB cluster on one range.
const Shards = 16

// Shard is the part that an operation's due work belongs to.
func Shard(ns, operationID string) int64 {
	h := fnv.New32a()
	h.Write([]byte(ns))
	h.Write([]byte{0})
	h.Write([]byte(operationID))
	return int64(h.Sum32() % Shards)
}

// ShardsFrom lists every shard, starting at one, so that no shard is always the last to be looked at.
func ShardsFrom(first uint64) []int64 {
	shards := make([]int64, Shards)
	for i := range shards {
		shards[i] = int64((first + uint64(i)) % Shards)
	}
	return shards
}

// Open is the row of an operation that has not ended or that time still changes.
type Open struct {
	Namespace   string
	OperationID string
	Shard       int64
	Tool        string
	Class       string
	State       string
	StateSince  time.Time
	At          time.Time // EndOfTime where time changes nothing
	Kind        string    // empty where time changes nothing
	Stamp       int64
	Claimer     string
}

// FromOpen makes an operation's row; false where it has none.
func FromOpen(o *ledger.Operation) (Open, bool) {
	row := Open{
		Namespace: string(o.Namespace), OperationID: string(o.ID), Shard: Shard(string(o.Namespace), string(o.ID)), Tool: o.Tool,
		Class: string(o.Terms.Class), State: string(o.State), StateSince: o.StateSince, At: EndOfTime, Stamp: o.Version,
	}
	due, waits := ledger.DueOf(o)
	if waits {
		row.At, row.Kind, row.Stamp = due.At, string(due.Kind), due.Stamp
	}
	return row, waits || !o.State.Ended()
}

// Due is the row as due work.
func (r Open) Due() ledger.Due {
	return ledger.Due{
		Namespace: ledger.Namespace(r.Namespace), OperationID: ledger.OperationID(r.OperationID), At: r.At,
		Kind: ledger.DueKind(r.Kind), Stamp: r.Stamp, Claimer: r.Claimer,
	}
}
