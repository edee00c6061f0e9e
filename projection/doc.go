// Package projection writes the account of a workflow for a model's context: what happened, what did not, and what is not
// known, as JSON of the schema "opledger.projection/1" and in prose. The model's memory is never asked.
//
// It is a function of the workflow and its operations alone. The same state gives the same bytes, at whatever time and on
// whatever server; no word in it depends on when it is read.
//
// It is complete: every operation is told by its id or counted. Where the whole does not fit the size that is asked for,
// ended operations are summed up, oldest first. Open ones never are: if all that has ended is summed up and it still does
// not fit, open ones lose their texts, then their arguments, and then all but id, tool and state. If that is still too much
// the account is longer than was asked, and says so: an open operation that a model is not told of is one that it repeats.
//
// It is honest: what may have happened is told as such, and never as done or not done. Arguments that a tool marks
// sensitive are not in it, nor are results of such a tool, whoever asks.
package projection
