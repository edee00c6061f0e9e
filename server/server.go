package server

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/health"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/reflection"

	"github.com/opledger/opledger/breaker"
	"github.com/opledger/opledger/callers"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/ledger/transact"
	"github.com/opledger/opledger/notify"
	"github.com/opledger/opledger/server/jsonport"
)

// The limits of the edge, each with its reason.
const (
	// MaxMessageBytes bounds one request: arguments and results are at most 1 MiB each, a batch is cut to fit.
	MaxMessageBytes = 4 << 20
	// receiveBytes is what is read of one request: somewhat more, so that most that are too large are answered with their
	// reason. Beyond it the transport refuses, with the same code.
	receiveBytes = 2 * MaxMessageBytes
	// DefaultDeadline bounds a call whose client set none, so that nothing waits for ever.
	DefaultDeadline = 30 * time.Second
	// MaxDeadline bounds every unary call; the longest wait in a request is a minute.
	MaxDeadline = 2 * time.Minute
	// MaxConcurrentStreams bounds the calls of one connection.
	MaxConcurrentStreams = 1000
	// idleConnection ends connections that nobody uses.
	idleConnection = 30 * time.Minute
	// keepaliveMinimum is the shortest interval of pings that a client may use.
	keepaliveMinimum = 10 * time.Second
)

// Observer is told what happens, for metrics. Its methods must not block.
type Observer interface {
	Decision(tool, class, decision string)
	Incident(kind string)
	RPC(method, code string, took time.Duration)
}

// Config is what a server is made of. Ledger, Callers and TokenKey are required.
type Config struct {
	Ledger   *transact.Ledger
	Callers  callers.Authenticator
	TokenKey []byte // by which attempt tokens are made and known again; equal on all servers of a database
	Logger   *slog.Logger
	Observer Observer
	Random   io.Reader // nil: the system's
	// Clock is this server's own clock. It measures how long calls take and decides nothing: every decision is made at the
	// database's time. Nil: the system's; tests set it wrong to show that nothing hangs on it.
	Clock func() time.Time
	// Poll is how often other servers' changes are looked for while somebody waits for one. Zero: DefaultPoll.
	Poll time.Duration
	// AllowPlainHTTP lets tools that the server carries out send without TLS. A tool that does is refused without it.
	AllowPlainHTTP bool
	// Breakers keep work away from providers that fail. Nil: none ever does.
	Breakers *breaker.Set
	// QueueLimit is how many operations of a tool may wait for its executor in a namespace before new ones are put off.
	// Zero: any number.
	QueueLimit int64
	// DepthTick, where set, says when it is counted what waits. Nil: every five seconds.
	DepthTick <-chan time.Time
	// Poke, where set, is called when due work may have come earlier.
	Poke func()
	// FiguresTick, where set, says when the figures of rules are written. Nil: every ten seconds.
	FiguresTick <-chan time.Time
	// Notify is what subscriptions may name. A zero value lets none be made.
	Notify notify.Rules
	// Inbox is whose webhooks are taken in.
	Inbox Inbox
	// JSON says which browsers' requests are heeded.
	JSON jsonport.Options
}

// Server is the gRPC edge of one process.
type Server struct {
	config Config
	log    *slog.Logger
	ids    identities
	tokens tokens
	tools  *toolCache
	hub    *hub
	work   *workHub
	// waiting is how much waits for executors.
	waiting *backpressure
	// figures count what rules said.
	figures *figures
	grpc    *grpc.Server
	json    *http.Server
	health  *health.Server
	stop    context.CancelFunc
}

// New makes the server with its interceptors and services. It does not listen yet.
func New(config Config) (*Server, error) {
	if config.Ledger == nil || config.Callers == nil || len(config.TokenKey) < 32 {
		return nil, errors.New("a server needs a ledger, authentication of callers, and a token key of at least 32 bytes")
	}
	if config.Logger == nil {
		config.Logger = slog.New(slog.DiscardHandler)
	}
	if config.Observer == nil {
		config.Observer = noObserver{}
	}
	if config.Clock == nil {
		config.Clock = time.Now
	}
	if config.Poll <= 0 {
		config.Poll = DefaultPoll
	}
	if config.FiguresTick == nil {
		config.FiguresTick = time.Tick(figuresInterval)
	}
	if config.DepthTick == nil {
		config.DepthTick = time.Tick(depthInterval)
	}
	background, stop := context.WithCancel(context.Background())
	s := &Server{
		config: config, log: config.Logger, ids: identities{random: config.Random}, tokens: tokens{key: config.TokenKey},
		tools: newToolCache(config.Ledger.Engine(), config.Logger), hub: newHub(config.Ledger.Engine(), config.Poll), work: newWorkHub(config.Ledger.Engine()), stop: stop,
		figures: newFigures(config.Ledger.Engine(), config.Logger),
	}
	go s.hub.run(background)
	go s.work.run(background, config.Poll)
	go s.figures.run(background, config.FiguresTick)
	s.waiting = newBackpressure(config.QueueLimit, config.Ledger.Engine(), config.Clock, config.Logger)
	go s.waiting.run(background, config.DepthTick)
	s.grpc = grpc.NewServer(
		grpc.ForceServerCodecV2(newCodec()),
		grpc.ChainUnaryInterceptor(s.unaryInterceptors()...),
		grpc.ChainStreamInterceptor(s.streamInterceptors()...),
		grpc.MaxRecvMsgSize(receiveBytes),
		grpc.MaxConcurrentStreams(MaxConcurrentStreams),
		grpc.KeepaliveParams(keepalive.ServerParameters{MaxConnectionIdle: idleConnection}),
		grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{MinTime: keepaliveMinimum, PermitWithoutStream: true}),
	)
	s.register()
	config.JSON.Webhooks = newWebhooks(s)
	json, err := jsonport.NewServer(s.grpc, config.JSON)
	if err != nil {
		stop()
		return nil, err
	}
	s.json = json
	return s, nil
}

// register puts every service of the API on the server. What a later release builds answers UNIMPLEMENTED until then.
func (s *Server) register() {
	pb.RegisterOperationServiceServer(s.grpc, &operationService{Server: s})
	pb.RegisterRegistryServiceServer(s.grpc, &registryService{Server: s})
	pb.RegisterApprovalServiceServer(s.grpc, &approvalService{Server: s})
	pb.RegisterEntityServiceServer(s.grpc, &entityService{Server: s})
	pb.RegisterLeaseServiceServer(s.grpc, &leaseService{Server: s})
	pb.RegisterNotificationServiceServer(s.grpc, &notificationService{Server: s})
	pb.RegisterPolicyServiceServer(s.grpc, &policyService{Server: s})
	pb.RegisterWorkServiceServer(s.grpc, &workService{Server: s})
	pb.RegisterWorkflowServiceServer(s.grpc, &workflowService{Server: s})
	s.health = health.NewServer()
	s.health.SetServingStatus("", healthpb.HealthCheckResponse_SERVING)
	healthpb.RegisterHealthServer(s.grpc, s.health)
	reflection.Register(s.grpc)
}

// Serve answers calls on the listener, gRPC and JSON over HTTP alike, until Drain.
func (s *Server) Serve(l net.Listener) error {
	forGRPC, forHTTP := jsonport.Split(l)
	go func() {
		if err := s.json.Serve(forHTTP); err != nil && !errors.Is(err, http.ErrServerClosed) && !errors.Is(err, net.ErrClosed) {
			s.log.Error("JSON calls are not served any more", "error", err)
		}
	}()
	return s.grpc.Serve(forGRPC)
}

// Drain stops taking calls, lets those under way end, and cuts them off where the context ends first. What was counted
// of rules is written at last.
func (s *Server) Drain(ctx context.Context) {
	s.health.Shutdown()
	s.hub.close() // those who wait are answered with the current state
	done := make(chan struct{})
	go func() {
		_ = s.json.Shutdown(ctx)
		s.grpc.GracefulStop()
		close(done)
	}()
	select {
	case <-done:
	case <-ctx.Done():
		_ = s.json.Close()
		s.grpc.Stop()
	}
	s.stop()
	if ctx.Err() == nil {
		s.figures.write(ctx)
	}
}

// The services of this release. Each embeds the generated answers for what it does not build yet.
type (
	operationService struct {
		pb.UnimplementedOperationServiceServer
		*Server
	}
	registryService struct {
		pb.UnimplementedRegistryServiceServer
		*Server
	}
	leaseService struct {
		pb.UnimplementedLeaseServiceServer
		*Server
	}
	entityService struct {
		pb.UnimplementedEntityServiceServer
		*Server
	}
	policyService struct {
		pb.UnimplementedPolicyServiceServer
		*Server
	}
	approvalService struct {
		pb.UnimplementedApprovalServiceServer
		*Server
	}
	notificationService struct {
		pb.UnimplementedNotificationServiceServer
		*Server
	}
	workflowService struct {
		pb.UnimplementedWorkflowServiceServer
		*Server
	}
)

type noObserver struct{}

func (noObserver) Decision(string, string, string)   {}
func (noObserver) Incident(string)                   {}
func (noObserver) RPC(string, string, time.Duration) {}
