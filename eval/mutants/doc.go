// Package mutants proves the harness: it breaks one rule of the core, the stores, the dispatcher or the adapter at a time,
// runs one scenario against a server that is built so, and asks whether a checker notices.
//
// A mutation is a patch in this folder (NN-name.patch, a unified diff under a sentence that says what is broken), and has
// an entry in mutants.yaml: the shortest scenario that shows it, the engine and the seed, and the checker that must
// notice. The patch is applied to a copy and handed to the compiler as an overlay, so that the tree is never touched. A
// patch that no longer applies fails the run: the code that it was made for has moved.
//
// Caught means: the mutant builds, the internal assertions of the core are off (assertions-off.patch), the program
// without the mutation passes the same scenario with the same seed, and with it the named checker has a finding. What a
// scenario itself expects ("expect"), an error of a call or a crash do not count: users have no scenario of their own for
// each rule, and only the checkers look at every run.
package mutants
