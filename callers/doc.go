// Package callers says who is let in: it turns the credential of a request into a caller with a namespace, a principal,
// roles and teams. What a caller may do never comes from the request itself.
//
// Where to look: role.go has the roles and which of them one credential may not hold together, grants.go teams and tools.
// A credential is judged by store.go (tokens whose hashes are kept: file.go, and
// database.go behind remembered.go), jwt.go (tokens of an issuer; mapping.go says what
// their claims make of a caller, keys.go and keys_remote.go whose signature counts) or mtls.go (client certificates);
// chain.go chooses among them, local.go is the one caller of a server without credentials, and listen.go says when such a
// server may listen at all. Files of callers are lines (line.go, lines.go) and are read again when they change (reload.go).
package callers
