package server_test

import (
	"slices"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server/servertest"
)

// decided expects a decision; that only EXECUTE carries a permit is checked of every answer.
func decided(t *testing.T, m *pb.ProposeOperationResponse, want pb.Decision) {
	t.Helper()
	if m.Decision != want {
		t.Fatalf("got %v (%v), want %v: %s", m.Decision, m.Result.GetState(), want, m.Result.GetModelMessage())
	}
}

// inState expects an operation's state.
func inState(t *testing.T, o *pb.Operation, want pb.Operation_State) {
	t.Helper()
	if o.State != want {
		t.Fatalf("%s is %v, want %v", o.OperationId, o.State, want)
	}
}

// sameOperation expects that two answers are about one operation.
func sameOperation(t *testing.T, a, b string) {
	t.Helper()
	if a == "" || a != b {
		t.Fatalf("one operation is wanted: %q and %q", a, b)
	}
}

// otherOperation expects that they are about two.
func otherOperation(t *testing.T, a, b string) {
	t.Helper()
	if a == "" || b == "" || a == b {
		t.Fatalf("two operations are wanted: %q and %q", a, b)
	}
}

// attempts expects how many attempts an operation has had.
func attempts(t *testing.T, o *pb.Operation, want int) {
	t.Helper()
	if len(o.Attempts) != want {
		t.Fatalf("%s has had %d attempts, want %d", o.OperationId, len(o.Attempts), want)
	}
}

// refused expects an error by its code and reason, and of its violations every one, by field; none are expected where
// none are named.
func refused(t *testing.T, err error, code codes.Code, reason string, fields ...string) {
	t.Helper()
	if status.Code(err) != code || servertest.InfoOf(err).GetReason() != reason {
		t.Fatalf("got %v (%s), want %v %s", err, servertest.InfoOf(err).GetReason(), code, reason)
	}
	if got := servertest.Violations(err); len(fields) > 0 && !slices.Equal(got, fields) {
		t.Fatalf("the violations name %q, want %q: %v", got, fields, err)
	}
}

// says expects words in a sentence.
func says(t *testing.T, sentence string, words ...string) {
	t.Helper()
	for _, w := range words {
		if !strings.Contains(sentence, w) {
			t.Errorf("%q does not say %q", sentence, w)
		}
	}
}
