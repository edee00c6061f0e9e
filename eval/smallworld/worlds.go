package smallworld

import "github.com/opledger/opledger/registry"

const (
	class3 = registry.ExternalIdempotentWrite
	class4 = registry.ExternalNonIdempotentWrite
	class5 = registry.Irreversible
)

// worlds are those that are searched. The depths are chosen so that all together take some tens of seconds on two
// processors; Part takes another depth for who has more time. The first ones are so short that nothing is left to search,
// the next have one operation and go deep, the last have two, which meet on an entity or only in the workers and servers
// that they share.
var worlds = []rules{
	{class: class4, operations: 1, begin: true, queued: true, horizon: 2, depth: 100},
	{class: class4, operations: 1, begin: true, horizon: 1, depth: 100},
	{class: class4, operations: 2, group: true, begin: true, horizon: 0, depth: 100},
	{class: class3, operations: 1, horizon: 0, depth: 100},

	{class: class4, operations: 1, horizon: 7, depth: 11},
	{class: class4, operations: 1, replays: true, horizon: 7, depth: 9},
	{class: class4, operations: 1, babbles: true, horizon: 7, depth: 10},
	{class: class4, operations: 1, begin: true, horizon: 7, depth: 11},
	{class: class4, operations: 1, begin: true, replays: true, horizon: 7, depth: 9},
	{class: class4, operations: 1, begin: true, lookupsLie: true, horizon: 7, depth: 11},
	{class: class4, operations: 1, begin: true, finishesLater: true, horizon: 7, depth: 10},
	{class: class4, operations: 1, begin: true, cancels: true, extends: true, horizon: 7, depth: 9},
	{class: class4, operations: 1, begin: true, queued: true, horizon: 7, depth: 13},
	{class: class5, operations: 1, horizon: 7, depth: 11},
	{class: class5, operations: 1, begin: true, queued: true, horizon: 7, depth: 13},
	{class: class3, operations: 1, horizon: 7, depth: 9},
	{class: class3, operations: 1, unasked: true, horizon: 7, depth: 11},
	{class: class3, operations: 1, replays: true, horizon: 7, depth: 8},
	{class: class3, operations: 1, queued: true, horizon: 7, depth: 11},

	{class: class4, operations: 2, group: true, begin: true, horizon: 7, depth: 10},
	{class: class4, operations: 2, group: true, queued: true, horizon: 7, depth: 11},
	{class: class4, operations: 2, group: true, begin: true, leases: true, horizon: 7, depth: 8},
	{class: class4, operations: 2, begin: true, horizon: 7, depth: 8},
	{class: class4, operations: 2, begin: true, configures: true, horizon: 7, depth: 8},
	{class: class5, operations: 2, group: true, begin: true, finishesLater: true, horizon: 7, depth: 9},
	{class: class3, operations: 2, group: true, horizon: 7, depth: 8},
	{class: class3, operations: 2, queued: true, horizon: 7, depth: 10},
}
