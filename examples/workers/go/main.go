// Command go is a worker in twenty lines: it prints in place of sending.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/opledger/opledger/worker"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	conn, err := grpc.NewClient(os.Getenv("OPLEDGER_SERVER"), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err == nil {
		err = worker.Run(ctx, conn, worker.Config{ID: "push-go", Tools: map[string]worker.Tool{"push.send": {Act: send, Room: 8}}})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func send(ctx context.Context, a *worker.Attempt) (worker.Outcome, error) {
	if err := a.Send(ctx); err != nil { // right before the first byte
		return worker.Outcome{}, err
	}
	fmt.Printf("sending %s under %s\n", a.Arguments(), a.ClientReference()) // one request, with ctx, and no other
	return worker.Succeeded(worker.Answer{ObjectID: "msg_" + a.ID(), ResultJSON: `{"sent":true}`}), nil
}
