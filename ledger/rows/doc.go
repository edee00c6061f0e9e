// Package rows turns what decisions produce into the rows that every SQL engine keeps, and rows back into what decisions
// read. It is the part of a store that has nothing to do with an engine: encoding, order, bounds, and the checks without
// which nothing is written. It decides nothing about operations.
package rows
