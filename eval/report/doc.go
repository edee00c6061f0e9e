// Package report tells what an evaluation came to: as text for a terminal, as JSON, as JUnit XML for a CI's own pages, and
// as one HTML page that needs nothing but itself. All four are made from one Report, and every figure in them from one
// table (figures.go), so that they cannot disagree.
//
// What it tells was written by anybody: business keys, messages and histories may hold markup, escape sequences and
// control characters. Nothing of it leaves its place in any of the forms.
package report
