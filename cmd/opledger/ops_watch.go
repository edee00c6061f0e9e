package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

func newOpsWatch() *cobra.Command {
	cmd := &cobra.Command{
		Use: "watch OPERATION", Short: "Tell each change of one operation until it has ended", Args: cobra.ExactArgs(1),
		Long: "Tells each change of one operation until it has ended. With --json each state is one line.\nThe --timeout does not bound it.",
	}
	c := addConnectionFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		r, err := c.dial()
		if err != nil {
			return err
		}
		defer r.close()
		req := &pb.WatchOperationRequest{OperationId: args[0]}
		var options []grpc.CallOption
		for {
			err := watchOnce(cmd, r, req, options...)
			switch {
			case cmd.Context().Err() != nil || err == nil:
				return err
			case !errors.Is(err, errServerClosed) && (status.Code(err) != codes.Unavailable || req.SinceVersion == nil):
				return err
			}
			// A server that stops, or a connection that broke, ends the stream and not the watch, once something was seen.
			fmt.Fprintln(cmd.ErrOrStderr(), "opledger: the connection was lost; waiting for the server")
			options = []grpc.CallOption{grpc.WaitForReady(true)}
		}
	}
	return cmd
}

// errServerClosed says that the server ended the stream before the operation ended.
var errServerClosed = errors.New("the server ended the watch")

// watchOnce follows one stream and notes the version that was seen last. No error: the operation has ended.
func watchOnce(cmd *cobra.Command, r *remote, req *pb.WatchOperationRequest, options ...grpc.CallOption) error {
	stream, err := r.operations.WatchOperation(cmd.Context(), req, options...)
	if err != nil {
		return err
	}
	ended := false
	for {
		res, err := stream.Recv()
		switch {
		case errors.Is(err, io.EOF) && ended:
			return nil
		case errors.Is(err, io.EOF):
			return errServerClosed
		}
		if err != nil {
			return err
		}
		o := res.Operation
		req.SinceVersion, ended = &o.Version, o.EndTime != nil
		err = answerLine(cmd, o, func(p *printer) {
			fmt.Fprintf(p, "%s  v%d  %s  %s\n", clock(o.UpdateTime), o.Version, short(o.State), printable(attention(o)))
		})
		if err != nil {
			return err
		}
	}
}
