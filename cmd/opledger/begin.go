package main

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"fmt"

	"github.com/spf13/cobra"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// nonceBytes is the length of the nonces that "begin" makes.
const nonceBytes = 32

// attemptFlags name an attempt that a script holds.
type attemptFlags struct{ token, nonce string }

func addAttemptFlags(cmd *cobra.Command) *attemptFlags {
	f := &attemptFlags{}
	cmd.Flags().StringVar(&f.token, "attempt-token", "", "the token that came with the permit")
	cmd.Flags().StringVar(&f.nonce, "begin-nonce", "", "the nonce of the accepted begin, in base64")
	allowEnvironment(cmd.Flags(), "attempt-token", "begin-nonce")
	return f
}

func (f *attemptFlags) begun() ([]byte, error) {
	if f.nonce == "" {
		return nil, nil
	}
	nonce, err := base64.StdEncoding.DecodeString(f.nonce)
	if err != nil {
		return nil, usagef("--begin-nonce is no base64: %v", err)
	}
	return nonce, nil
}

func newBegin() *cobra.Command {
	cmd := &cobra.Command{
		Use: "begin OPERATION ATTEMPT", Short: "Say that an attempt begins, right before the first byte", Args: cobra.ExactArgs(2),
		Long: "Says that an attempt begins, where its tool requires it. Where this fails nothing may be sent. It prints the nonce that\n" +
			"\"opledger report --begin-nonce\" takes; the same nonce again is the same begin.",
	}
	c := addConnectionFlags(cmd)
	f := addAttemptFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		nonce, err := f.begun()
		if err != nil {
			return err
		}
		if nonce == nil {
			nonce = make([]byte, nonceBytes)
			if _, err := rand.Read(nonce); err != nil {
				return err
			}
		}
		return c.call(cmd, 0, func(ctx context.Context, r *remote) error {
			res, err := r.operations.BeginAttempt(ctx, &pb.BeginAttemptRequest{
				OperationId: args[0], AttemptId: args[1], AttemptToken: f.token, BeginNonce: nonce,
			})
			if err != nil {
				return err
			}
			if res.Begun == nil {
				return fmt.Errorf("the server did not accept the begin; nothing may be sent")
			}
			text := base64.StdEncoding.EncodeToString(nonce)
			told := map[string]string{"begin_nonce": text, "remaining": res.Begun.Remaining.AsDuration().String()}
			return answer(cmd, told, func(p *printer) {
				p.facts("begin nonce", text, "remaining", lasting(res.Begun.Remaining.AsDuration()))
			})
		})
	}
	return cmd
}
