package server_test

import (
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server/servertest"
)

// rawCodec sends bytes as they are: what no client library of ours would send.
type rawCodec struct{ encoding.CodecV2 }

func (rawCodec) Marshal(v any) (mem.BufferSlice, error) {
	return mem.BufferSlice{mem.SliceBuffer(v.([]byte))}, nil
}

// sendRaw sends bytes as the request of a method.
func sendRaw(t testing.TB, c *servertest.Client, method string, request []byte) error {
	reply := &pb.ProposeOperationResponse{}
	return c.Conn.Invoke(t.Context(), method, request, reply, grpc.ForceCodecV2(rawCodec{encoding.GetCodecV2("proto")}))
}

// TestUnreadableBytes: what is no message, or holds a string that is no UTF-8, is bad input and no fault of ours.
func TestUnreadableBytes(t *testing.T) {
	c := serve(servertest.SQLite(t))
	good, err := proto.Marshal(servertest.Proposal("payment.capture", ""))
	if err != nil {
		t.Fatal(err)
	}
	text := func(field protowire.Number, s string) []byte {
		return protowire.AppendString(protowire.AppendTag(nil, field, protowire.BytesType), s)
	}
	for name, call := range map[string]struct {
		method  string
		request []byte
	}{
		"arguments that are no UTF-8":         {pb.OperationService_ProposeOperation_FullMethodName, append(good[:len(good):len(good)], text(7, "{\"order_id\":\"\xff\"}")...)},
		"a tool that is no UTF-8":             {pb.OperationService_ProposeOperation_FullMethodName, append(good[:len(good):len(good)], text(5, "payment\xc3\x28")...)},
		"a result that is no UTF-8":           {pb.OperationService_ReportAttempt_FullMethodName, protowire.AppendBytes(protowire.AppendTag(nil, 15, protowire.BytesType), text(7, "\"\xed\xa0\x80\""))},
		"an operation id that is no UTF-8":    {pb.OperationService_GetOperation_FullMethodName, text(1, "op_\xff")},
		"an item of a batch that is no UTF-8": {pb.OperationService_BatchPropose_FullMethodName, protowire.AppendBytes(protowire.AppendTag(nil, 1, protowire.BytesType), text(7, "\xff"))},
		"no message at all":                   {pb.OperationService_ProposeOperation_FullMethodName, []byte("\xff\xff\xff\xff\xff")},
		"a message that is cut off":           {pb.OperationService_ProposeOperation_FullMethodName, good[:len(good)-3]},
	} {
		t.Run(name, func(t *testing.T) {
			refused(t, sendRaw(t, c, call.method, call.request), codes.InvalidArgument, "INVALID_REQUEST")
		})
	}
	if all := c.Operations(); len(all) != 0 {
		t.Fatalf("something was recorded: %v", all)
	}
}
