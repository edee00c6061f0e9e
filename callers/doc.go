// Package callers says who is let in: it turns the credential of a request into a caller with a namespace, a principal and
// roles. What a caller may do never comes from the request itself.
//
// Where to look: role.go has the roles and which of them one credential may not hold together, file.go the file of
// tokens, local.go the one caller of a server without credentials, and listen.go when a server without credentials may
// listen at all.
package callers
