package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// defaultServer is where "opledger serve" listens unless it is told otherwise.
const defaultServer = "127.0.0.1:7117"

// maxAnswerBytes bounds an answer: a page of a thousand operations is larger than gRPC's own bound.
const maxAnswerBytes = 64 << 20

// connection is how a command reaches a server.
type connection struct {
	server, token string
	timeout       time.Duration
}

// addConnectionFlags lets a command name a server.
func addConnectionFlags(cmd *cobra.Command) *connection {
	c := &connection{}
	flags := cmd.Flags()
	flags.StringVar(&c.server, "server", defaultServer, "the server: host:port (TLS unless on loopback), or http://host:port, https://host:port")
	flags.StringVar(&c.token, "token", "", "the token that lets you in, where the server asks for one")
	flags.DurationVar(&c.timeout, "timeout", 30*time.Second, "how long to wait for an answer")
	allowEnvironment(flags, "server", "token", "timeout")
	addJSONFlag(cmd)
	return c
}

// remote is a server that can be called.
type remote struct {
	conn          *grpc.ClientConn
	operations    pb.OperationServiceClient
	registry      pb.RegistryServiceClient
	leases        pb.LeaseServiceClient
	entities      pb.EntityServiceClient
	policy        pb.PolicyServiceClient
	approvals     pb.ApprovalServiceClient
	notifications pb.NotificationServiceClient
	workflows     pb.WorkflowServiceClient
}

func (r *remote) close() { _ = r.conn.Close() }

// connect prepares a connection; options are added. Nothing is sent until the first call.
func (c *connection) connect(options ...grpc.DialOption) (*grpc.ClientConn, error) {
	target, transport, err := c.target()
	if err != nil {
		return nil, err
	}
	return grpc.NewClient("passthrough:///"+target, append([]grpc.DialOption{
		grpc.WithTransportCredentials(transport),
		grpc.WithUserAgent("opledger-cli/" + versionNow()),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(maxAnswerBytes)),
		grpc.WithConnectParams(startingUp),
		grpc.WithUnaryInterceptor(func(ctx context.Context, method string, req, reply any, conn *grpc.ClientConn, call grpc.UnaryInvoker, options ...grpc.CallOption) error {
			awaitStart(ctx, conn)
			return call(c.withToken(ctx), method, req, reply, conn, options...)
		}),
		grpc.WithStreamInterceptor(func(ctx context.Context, desc *grpc.StreamDesc, conn *grpc.ClientConn, method string, open grpc.Streamer, options ...grpc.CallOption) (grpc.ClientStream, error) {
			awaitStart(ctx, conn)
			return open(c.withToken(ctx), desc, conn, method, options...)
		}),
	}, options...)...)
}

// dial prepares the connection of a command.
func (c *connection) dial() (*remote, error) {
	conn, err := c.connect()
	if err != nil {
		return nil, err
	}
	return &remote{
		conn:          conn,
		operations:    pb.NewOperationServiceClient(conn),
		registry:      pb.NewRegistryServiceClient(conn),
		leases:        pb.NewLeaseServiceClient(conn),
		entities:      pb.NewEntityServiceClient(conn),
		policy:        pb.NewPolicyServiceClient(conn),
		approvals:     pb.NewApprovalServiceClient(conn),
		notifications: pb.NewNotificationServiceClient(conn),
		workflows:     pb.NewWorkflowServiceClient(conn),
	}, nil
}

func (c *connection) withToken(ctx context.Context) context.Context {
	if c.token == "" {
		return ctx
	}
	return metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+c.token)
}

// target reads --server. A token is never sent in the clear over a network unless http:// asks for it.
func (c *connection) target() (string, credentials.TransportCredentials, error) {
	encrypted := credentials.NewTLS(&tls.Config{MinVersion: tls.VersionTLS12})
	if strings.Contains(c.server, "://") {
		u, err := url.Parse(c.server)
		if err != nil || u.Host == "" || u.Port() == "" || strings.Trim(u.Path, "/") != "" {
			return "", nil, usagef("--server %q is no http://host:port or https://host:port", c.server)
		}
		switch u.Scheme {
		case "http":
			return u.Host, insecure.NewCredentials(), nil
		case "https":
			return u.Host, encrypted, nil
		}
		return "", nil, usagef("--server %q: the scheme has to be http or https", c.server)
	}
	host, _, err := net.SplitHostPort(c.server)
	if err != nil {
		return "", nil, usagef("--server %q is no host:port", c.server)
	}
	if ip := net.ParseIP(host); host == "localhost" || ip != nil && ip.IsLoopback() {
		return c.server, insecure.NewCredentials(), nil
	}
	return c.server, encrypted, nil
}

// call carries out a command's calls within its time. The extra time is what the calls themselves ask to wait.
func (c *connection) call(cmd *cobra.Command, extra time.Duration, use func(ctx context.Context, r *remote) error) error {
	r, err := c.dial()
	if err != nil {
		return err
	}
	defer r.close()
	ctx, cancel := context.WithTimeout(cmd.Context(), c.timeout+extra)
	defer cancel()
	return use(ctx, r)
}

// newRequestID makes the id of a request. It is made once for each command and so kept in every retry of its call.
func newRequestID() (string, error) {
	id, err := uuid.NewRandom()
	if err != nil {
		return "", fmt.Errorf("no random bytes for a request id: %w", err)
	}
	return id.String(), nil
}
