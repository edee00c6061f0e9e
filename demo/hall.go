package demo

import "google.golang.org/grpc"

// hall is where an act is played by several who each have a connection and a token of their own.
type hall struct {
	*backstage
	screen *screen
	notes  []note
	open   []*grpc.ClientConn
}

func (h *hall) close() {
	for _, conn := range h.open {
		_ = conn.Close() // it carries nothing any more
	}
}

// as reaches the ledger with somebody's token.
func (h *hall) as(principal string) (*grpc.ClientConn, error) {
	conn, err := connect(h.address, h.credentials.token(principal))
	if err == nil {
		h.open = append(h.open, conn)
	}
	return conn, err
}

func (h *hall) tell(n note) {
	h.notes = append(h.notes, n)
	h.screen.tell(n)
}
