package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
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
		for {
			err := watchOnce(cmd, r, req)
			// A server that stops, or a connection that broke, ends the stream and not the watch, once something was seen.
			if status.Code(err) != codes.Unavailable || req.SinceVersion == nil || cmd.Context().Err() != nil {
				return err
			}
			fmt.Fprintln(cmd.ErrOrStderr(), "opledger: the connection was lost; watching again")
		}
	}
	return cmd
}

// watchOnce follows one stream to its end and notes the version that was seen last.
func watchOnce(cmd *cobra.Command, r *remote, req *pb.WatchOperationRequest) error {
	stream, err := r.operations.WatchOperation(cmd.Context(), req)
	if err != nil {
		return err
	}
	for {
		res, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		o := res.Operation
		req.SinceVersion = &o.Version
		err = answerLine(cmd, o, func(p *printer) {
			fmt.Fprintf(p, "%s  v%d  %s  %s\n", clock(o.UpdateTime), o.Version, short(o.State), printable(attention(o)))
		})
		if err != nil {
			return err
		}
	}
}
