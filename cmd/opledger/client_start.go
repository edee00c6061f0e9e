package main

import (
	"context"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/connectivity"
)

// startPatience is how long a command waits for a server that does not listen yet: "opledger serve &" and the next line of
// a script begin at the same moment.
const startPatience = 2 * time.Second

// startingUp is how often it is tried meanwhile.
var startingUp = grpc.ConnectParams{
	Backoff:           backoff.Config{BaseDelay: 20 * time.Millisecond, Multiplier: 1.6, Jitter: 0.2, MaxDelay: 500 * time.Millisecond},
	MinConnectTimeout: 20 * time.Second,
}

// awaitStart waits until the server is there, or for so long that it seems not to be: the call itself then says why.
func awaitStart(ctx context.Context, conn *grpc.ClientConn) {
	ctx, cancel := context.WithTimeout(ctx, startPatience)
	defer cancel()
	for {
		state := conn.GetState()
		switch state {
		case connectivity.Ready, connectivity.Shutdown:
			return
		case connectivity.Idle:
			conn.Connect()
		}
		if !conn.WaitForStateChange(ctx, state) {
			return
		}
	}
}
