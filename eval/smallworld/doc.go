// Package smallworld visits every interleaving of a small world in which the real core is the ledger: the commands of
// package ledger, run by the real transaction script over rows in memory.
//
// In that world there are one or two operations of one tool, callers that propose them at any time and again, two workers
// that hold permits (they stall, die, lose answers, come twice), two servers that hold what they have claimed or asked and
// send it late or never, a provider that commits now, later or never, and lookups that lag. Time is counted in ticks. The
// search goes breadth first, so that the first history that breaks a promise is a shortest one.
//
// What is promised, and checked in every state:
//
//	once           no operation has more than one effect
//	truth          completed_success: an effect is there; failed: none is there, and none can come any more
//	heed           once anybody has said that the effect exists, no permit, begin or extension is given
//	one permit     of an operation's attempts at most one is live, the newest, exactly while it is dispatched
//	group          of an exclusive group's operations on one entity at most one holds a permit, and none is made beside an open one
//	lease          an entity is granted to a workflow only while no other workflow's operation on it may have its effect
//	fencing        the fencing numbers of a scope only grow
//	configuration  no permit and no begin is given against a rule that holds by then, whatever a server has read before
//	claims         claimed work does nothing once somebody else has been at its operation
//	sight          an operation that has not ended is due for something, or a person has been asked
//	a way          from every state, time alone leads every operation to an end or to a person
//
// What is assumed of the world, and no more: a request that left is committed within its flight or never, one that the
// provider took on within its time to finish or never; a commit shows in lookups within the lag; in classes 3 and 4 a
// process sends before its permit's deadline only, in class 5 not even that.
package smallworld
