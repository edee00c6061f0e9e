// Package eval tries to make an Opledger act twice, lose an effect, or say what is not known, and counts at the provider
// whether it did.
//
// An evaluation is a suite of parts. Each part (a script with exact steps, a campaign of runs that are drawn from a seed,
// a search of every interleaving of a small world, a crowd of callers, a storm of killed processes) drives a running server,
// leaves a Record for each business intent, and has its records judged by the checkers. What comes out is a Report:
// findings, figures, and for each finding the command that shows it again.
//
// This package holds what the parts share and nothing that runs by itself:
//
//	eval/provider   the provider simulator, which keeps the only true count of effects
//	eval/world      a server and a provider on virtual time, on any engine
//	eval/script     scenarios in YAML: exact steps and what must come of them
//	eval/campaign   scripted agents and faults, drawn from a seed
//	eval/check      the checkers
//	eval/smallworld every interleaving of a small world of the pure core
//	eval/crowd      many callers at once, in real time, also at a server that is given
//	eval/storm      real processes that are killed and frozen, with faulty wires between them
//	eval/report     figures, text, JSON, JUnit XML and the page
package eval
