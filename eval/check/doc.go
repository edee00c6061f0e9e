// Package check judges what a run left behind: the provider's count, the histories, what was told, and the order of calls.
//
// A checker is a function from one record to findings. It is written from the design and reads messages of the API and
// the provider's truth alone; it imports neither the ledger nor a store, so that a defect there cannot excuse itself here.
//
//	Effects        the provider's own count against what was wanted and what the ledger says
//	History        events against the state table, and what is stored against the events
//	Ends           every operation ends known, or before a person
//	Answers        what is true of every answer: a permit exactly with EXECUTE, known reasons, sentences always
//	Wording        no sentence claims what was not known when it was said
//	Projection     the account of a workflow agrees with its operations
//	Linearizable   concurrent calls have an order in which each answer is the right one
//
// All judges one record by all of them. Together judges records of one ledger and one provider against each other. Count
// counts what figures are made of, for every arm; the checkers judge records of the arm with a ledger only.
package check
