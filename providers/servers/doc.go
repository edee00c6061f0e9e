// Package servers tries the adapter and the shipped profiles against servers that the project did not write: Mailpit,
// localstripe and Redmine. A whole Opledger carries out the tools of examples/tools/http there, by way of a proxy that
// loses requests and answers, and what came of it is counted in the servers, by their own APIs.
//
// "make setup" gets what the tests need. What is missing skips a test with a sentence that says so; where CI is "true" it
// fails the test instead.
package servers
