package jsonport

import (
	"cmp"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"connectrpc.com/vanguard"
	"connectrpc.com/vanguard/vanguardgrpc"
	"google.golang.org/grpc"
)

// The bounds of one HTTP connection.
const (
	headerTimeout  = 10 * time.Second
	idleTimeout    = 2 * time.Minute
	maxHeaderBytes = 64 << 10
	maxBodyBytes   = 4 << 20 // as one gRPC message
	// DefaultBodyTimeout is how long a body may take to come: nobody is known by then, so that a stranger could keep
	// connections with half a body for ever.
	DefaultBodyTimeout = 30 * time.Second
)

// Options say which requests a browser may cause.
type Options struct {
	// Hosts are the host names, beside loopback's own, under which this server is known. A request for another is refused:
	// a page whose name was made to resolve to this machine speaks for nobody here.
	Hosts []string
	// Origins are the origins of pages that may call. A request from another page is refused.
	Origins []string
	// Webhooks takes what is sent to paths under /webhooks/, by senders who prove themselves with each delivery. Nil: none.
	Webhooks http.Handler
	// BodyTimeout bounds how long the body of a JSON call may take to come. Zero: DefaultBodyTimeout.
	BodyTimeout time.Duration
}

// NewServer makes the HTTP side of a gRPC server. The errors of JSON callers are those of the API, as the Connect protocol
// writes them.
func NewServer(g *grpc.Server, options Options) (*http.Server, error) {
	transcoder, err := vanguardgrpc.NewTranscoder(g, vanguard.WithUnknownHandler(http.HandlerFunc(unknown)))
	if err != nil {
		return nil, err
	}
	return &http.Server{
		Handler: encrypted(withWebhooks(options, cautious(options, readable(cmp.Or(options.BodyTimeout, DefaultBodyTimeout), transcoder)))), ConnContext: keepTLS,
		ReadHeaderTimeout: headerTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeaderBytes,
	}, nil
}

// withWebhooks hands deliveries to who takes them. They are no pages' requests: what proves them is their signature, which
// no page can make. The Host must be known all the same, as for every request.
func withWebhooks(options Options, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case options.Webhooks == nil || !strings.HasPrefix(r.URL.Path, "/webhooks/"):
			next.ServeHTTP(w, r)
		case !knownHost(options.Hosts, r):
			refuse(w, refusedPage, "this server is not known by that Host; use its own name, or name it when starting the server")
		default:
			options.Webhooks.ServeHTTP(w, r)
		}
	})
}

// cautious lets only through what no foreign page can send: a known Host, JSON, and no foreign Origin.
func cautious(options Options, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case !knownHost(options.Hosts, r):
			refuse(w, refusedPage, "this server is not known by that Host; use its own name, or name it when starting the server")
		case !knownOrigin(options.Origins, r):
			refuse(w, refusedPage, "pages of that Origin may not call this server")
		case r.Method != http.MethodPost:
			w.Header().Set("Allow", http.MethodPost)
			refuse(w, refusedMethod, "POST a JSON object to /opledger.v1.SERVICE/METHOD")
		case !isJSON(r.Header.Get("Content-Type")):
			refuse(w, refusedType, "send Content-Type: application/json")
		default:
			// Without this header the transcoder takes JSON for a REST call of an annotated path, of which the API has none.
			r.Header.Set("Connect-Protocol-Version", "1")
			next.ServeHTTP(w, r)
		}
	})
}

func unknown(w http.ResponseWriter, _ *http.Request) {
	refuse(w, refusedUnknown, "there is no such method; POST to /opledger.v1.SERVICE/METHOD, and look the names up by reflection")
}

func isJSON(contentType string) bool {
	kind, _, err := mime.ParseMediaType(contentType)
	return err == nil && kind == "application/json"
}

// knownHost admits loopback's own names and addresses, and the configured ones.
func knownHost(hosts []string, r *http.Request) bool {
	host := r.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.ToLower(strings.Trim(host, "[]"))
	if host == "localhost" || slices.Contains(hosts, host) {
		return true
	}
	address, err := netip.ParseAddr(host)
	return err == nil && address.IsLoopback()
}

// knownOrigin admits requests that no page caused, and those of configured pages.
func knownOrigin(origins []string, r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin == "" {
		return r.Header.Get("Sec-Fetch-Site") == "" || r.Header.Get("Sec-Fetch-Site") == "none"
	}
	u, err := url.Parse(origin)
	return err == nil && u.Host != "" && slices.Contains(origins, origin)
}
