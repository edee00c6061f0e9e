package server_test

import (
	"net/http"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server/servertest"
)

// seeds are texts that have broken JSON readers before.
var seeds = []string{
	``, `{}`, `null`, `[]`, capture, mail, `{"a":1,"\u0061":2}`, `{"a":"\ud800"}`, `{"a":"\u0000"}`, "{\"a\":\"\xff\"}", "\xef\xbb\xbf{}",
	`{"n":9007199254740993}`, `{"n":1e400}`, `{"n":-0}`, `{"n":1E+0}`, `{"n":01}`, `{"a":` + nested(63) + `}`, `{"a":` + nested(2000) + `}`,
	`{"a":{"b":{"c":[1,2,{"d":null}]}}}`, `{"":""}`, `{"a/b~c":1}`, "{\"a\":\"\t\"}", `{"a":tru}`, `{"order_id":"x","amount":1e-7,"currency":"USD"}`,
	`{"order_id":"x","amount":"99999999999999999999","currency":"JPY"}`, `{"template":"t","ref":"r","to":["@","a@b","ä@ö.de"]}`,
}

// FuzzArgumentsJSON feeds raw bytes to the arguments of a proposal and to the result of a report, as the bytes of the
// protobuf strings. Whatever they are, it is an answer or bad input, never a fault of ours.
func FuzzArgumentsJSON(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	c := serve(servertest.SQLite(f))
	tools := []string{"record.write", "payment.capture", "email.send"}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, tool := range tools {
			r, err := proto.Marshal(servertest.Proposal(tool, ""))
			if err != nil {
				t.Fatal(err)
			}
			r = protowire.AppendBytes(protowire.AppendTag(r, 7, protowire.BytesType), text)
			neverOurs(t, sendRaw(t, c, pb.OperationService_ProposeOperation_FullMethodName, r))
		}
		p := &pb.Permit{OperationId: "op_1", AttemptId: "att_1", AttemptToken: "t"}
		r, err := proto.Marshal(servertest.Report(p, servertest.NotSent()))
		if err != nil {
			t.Fatal(err)
		}
		answer := protowire.AppendBytes(protowire.AppendTag(nil, 7, protowire.BytesType), text)
		r = protowire.AppendBytes(protowire.AppendTag(r, 15, protowire.BytesType), answer)
		neverOurs(t, sendRaw(t, c, pb.OperationService_ReportAttempt_FullMethodName, r))
	})
}

// FuzzJSONBody feeds raw bytes to the JSON entry over HTTP.
func FuzzJSONBody(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s))
		f.Add(proposalJSON(s))
	}
	c := serve(servertest.SQLite(f))
	f.Fuzz(func(t *testing.T, body []byte) {
		if code, text := post(t, c, body, nil); code >= http.StatusInternalServerError {
			t.Fatalf("%q is answered %d %s", body, code, text)
		}
	})
}

func neverOurs(t *testing.T, err error) {
	t.Helper()
	switch status.Code(err) {
	case codes.OK, codes.InvalidArgument, codes.NotFound, codes.FailedPrecondition, codes.ResourceExhausted:
	default:
		t.Fatalf("it is answered %v", err)
	}
}
