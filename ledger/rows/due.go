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

// Due is an operation's row of due work.
type Due struct {
	Namespace   string
	OperationID string
	Shard       int64
	At          time.Time
	Kind        string
	Stamp       int64
	Claimer     string
}

// FromDue makes a row of due work.
func FromDue(d ledger.Due) Due {
	return Due{
		Namespace: string(d.Namespace), OperationID: string(d.OperationID), Shard: Shard(string(d.Namespace), string(d.OperationID)),
		At: d.At, Kind: string(d.Kind), Stamp: d.Stamp,
	}
}

// Ledger gives the due work back.
func (r Due) Ledger() ledger.Due {
	return ledger.Due{
		Namespace: ledger.Namespace(r.Namespace), OperationID: ledger.OperationID(r.OperationID), At: r.At,
		Kind: ledger.DueKind(r.Kind), Stamp: r.Stamp, Claimer: r.Claimer,
	}
}
