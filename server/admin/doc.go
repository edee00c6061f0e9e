// Package admin is the port for those who run a server: metrics for Prometheus, liveness and readiness, and profiles where
// they are switched on. It tells nothing of arguments, results or callers, and changes nothing.
//
// metrics.go has what is counted as it happens, gauges.go what is asked of the database when somebody looks, work.go both of
// the work that waits and of requests to providers, port.go the
// HTTP side.
package admin
