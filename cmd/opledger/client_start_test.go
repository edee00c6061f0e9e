package main

import (
	"net"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/connectivity"
	"google.golang.org/grpc/credentials/insecure"
)

// TestACommandWaitsForAServerThatStarts: the server begins to listen only after the command has been refused.
func TestACommandWaitsForAServerThatStarts(t *testing.T) {
	held, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := held.Addr().String()
	_ = held.Close()
	conn, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()), grpc.WithConnectParams(startingUp))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	served := make(chan *grpc.Server, 1)
	go func() {
		for conn.GetState() != connectivity.TransientFailure && conn.WaitForStateChange(t.Context(), conn.GetState()) {
		}
		s := grpc.NewServer()
		served <- s
		if l, err := net.Listen("tcp", address); err == nil {
			_ = s.Serve(l)
		}
	}()
	awaitStart(t.Context(), conn)
	state := conn.GetState()
	(<-served).Stop()
	if state != connectivity.Ready {
		t.Errorf("the command did not wait: the connection is %s", state)
	}
}

// TestACommandDoesNotWaitForEver: where nobody listens, the call itself says so.
func TestACommandDoesNotWaitForEver(t *testing.T) {
	conn, err := grpc.NewClient("127.0.0.1:1", grpc.WithTransportCredentials(insecure.NewCredentials()), grpc.WithConnectParams(startingUp))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	began := time.Now()
	awaitStart(t.Context(), conn)
	if took := time.Since(began); took > 10*startPatience {
		t.Errorf("it waited %s", took)
	}
}
