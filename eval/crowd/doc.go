// Package crowd lets many callers at once do what callers do, in real time, and asks of the servers' answers whether there
// is one order of the calls that explains all of them.
//
// Part Operations: agents propose the same few business intents, with arguments that they word anew, under request ids of
// their own and under shared ones; take permits and act on them at a simulated provider, or die with them; use permits that
// others were given; look effects up; lose calls and answers. In the end every operation is led to its end, and effects are
// counted. Part Leases: workflows take, lengthen, give back and break the leases of few entities.
//
// Nothing of it needs a server that the evaluation has started, so that one that is given is evaluated too. Tools and
// business keys are the evaluation's own. What an agent draws hangs on the seed; how calls interleave is the machine's, so
// that the same seed makes the same draws and not the same history.
package crowd
