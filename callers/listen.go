package callers

import (
	"fmt"
	"net"
)

// CheckListener refuses a server without credentials that could be reached from another machine.
func CheckListener(addr net.Addr, haveCredentials bool) error {
	if haveCredentials || IsLoopback(addr) {
		return nil
	}
	return fmt.Errorf("refusing to listen on %s without credentials: everybody who reaches it could do everything. "+
		"Make a token with \"opledger tokens new\", put the line that it prints into a file and start with --tokens FILE; "+
		"or let callers in by their tokens of an issuer (--oidc-issuer) or by certificates (--client-ca); "+
		"or listen on loopback (--listen 127.0.0.1:7117)", addr)
}

// CheckClear refuses to take calls unencrypted from other machines: tokens would be there to read on the way, and whoever
// reads one is its bearer.
func CheckClear(addr net.Addr) error {
	if IsLoopback(addr) {
		return nil
	}
	return fmt.Errorf("refusing to take callers' tokens in the clear on %s: give --tls-cert and --tls-key; "+
		"or, where a mesh or a proxy in front of this server encrypts the way to it, say so with --allow-plaintext", addr)
}
