package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// said is an error as it is told.
type said struct {
	Code       string            `json:"code,omitempty"` // of gRPC
	Reason     string            `json:"reason,omitempty"`
	Message    string            `json:"message"`
	Violations []violation       `json:"violations,omitempty"`
	Metadata   map[string]string `json:"metadata,omitempty"`
	RetryAfter string            `json:"retry_after,omitempty"`
	Hints      []string          `json:"hints,omitempty"`
}

type violation struct {
	Field       string `json:"field"`
	Description string `json:"description"`
}

// explain takes an error apart: what the server said of it, and what can be done.
func explain(err error) said {
	var answered interface {
		error
		GRPCStatus() *status.Status
	}
	if !errors.As(err, &answered) {
		return said{Message: err.Error()}
	}
	st := answered.GRPCStatus()
	before := strings.TrimSuffix(err.Error(), answered.Error()) // what this program adds: which file, which tool
	s := said{Code: codeName(st.Code()), Message: before + st.Message()}
	for _, detail := range st.Details() {
		switch d := detail.(type) {
		case *errdetails.ErrorInfo:
			s.Reason, s.Metadata = d.Reason, d.Metadata
		case *errdetails.BadRequest:
			for _, v := range d.FieldViolations {
				s.Violations = append(s.Violations, violation{v.Field, v.Description})
			}
		case *errdetails.PreconditionFailure:
			for _, v := range d.Violations {
				s.Violations = append(s.Violations, violation{v.Subject, v.Description})
			}
		case *errdetails.RetryInfo:
			s.RetryAfter = lasting(d.RetryDelay.AsDuration())
			s.Hints = append(s.Hints, "run the same command again after "+s.RetryAfter)
		case *errdetails.Help:
			for _, l := range d.Links {
				s.Hints = append(s.Hints, strings.TrimSpace(l.Description+" "+l.Url))
			}
		case *pb.KeyReuseDetail:
			s.Hints = append(s.Hints, "what is recorded: opledger ops show "+d.OperationId)
		case *pb.OperationDetail:
			s.Hints = append(s.Hints, "how it stands: opledger ops show "+d.OperationId)
		}
	}
	if hint := hintFor(st.Code(), s.Reason); hint != "" {
		s.Hints = append(s.Hints, hint)
	}
	return s
}

// hintFor says what helps where the server cannot say it, because it was not reached or does not know of this program.
func hintFor(code codes.Code, reason string) string {
	switch {
	case reason == "UNAUTHENTICATED":
		return "a token is given with --token or OPLEDGER_TOKEN"
	case reason == "UNKNOWN_TOOL" || reason == "TOOL_NOT_FOUND":
		return "which tools there are: opledger tools list"
	case reason == "" && code == codes.Unavailable:
		return "is a server running? Start one with \"opledger serve\", or name another with --server"
	case reason == "" && code == codes.DeadlineExceeded:
		return "the server did not answer in time; --timeout gives it longer"
	}
	return ""
}

// codeName is a gRPC code as the protocol and the API's documents write it.
func codeName(c codes.Code) string {
	switch c {
	case codes.OK:
		return "OK"
	case codes.Canceled:
		return "CANCELLED"
	}
	var name strings.Builder
	for i, letter := range c.String() {
		if i > 0 && unicode.IsUpper(letter) {
			name.WriteByte('_')
		}
		name.WriteRune(unicode.ToUpper(letter))
	}
	return name.String()
}

// writeError tells an error.
func writeError(w io.Writer, err error, command string, asJSON bool) {
	s := explain(err)
	var usage *usageError
	if errors.As(err, &usage) || isCobraUsage(err) {
		s.Hints = append(s.Hints, command+" --help")
	}
	if asJSON {
		data, bad := json.Marshal(map[string]said{"error": s})
		if bad == nil {
			fmt.Fprintln(w, string(data))
			return
		}
	}
	fmt.Fprintf(w, "opledger: %s", printable(s.Message))
	if s.Reason != "" {
		fmt.Fprintf(w, " [%s]", s.Reason)
	}
	fmt.Fprintln(w)
	for _, v := range s.Violations {
		fmt.Fprintf(w, "  %s: %s\n", printable(v.Field), printable(v.Description))
	}
	names := make([]string, 0, len(s.Metadata))
	for name := range s.Metadata {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		fmt.Fprintf(w, "  %s = %s\n", printable(name), printable(s.Metadata[name]))
	}
	for _, hint := range s.Hints {
		fmt.Fprintf(w, "  -> %s\n", printable(hint))
	}
}

// isCobraUsage recognizes cobra's own complaints about a command line, which have no type.
func isCobraUsage(err error) bool {
	for _, begin := range []string{"unknown command", "accepts ", "requires at least", "requires at most", "required flag", "if any flags in the group", "at least one of the flags"} {
		if strings.HasPrefix(err.Error(), begin) {
			return true
		}
	}
	return false
}

// usagef makes a usageError.
func usagef(format string, args ...any) error { return &usageError{fmt.Errorf(format, args...)} }

// atMost bounds a wait that the API bounds as well, so that the message is about the flag.
func atMost(flag string, d, bound time.Duration) error {
	if d < 0 || d > bound {
		return usagef("--%s has to be between 0 and %s", flag, bound)
	}
	return nil
}
