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
