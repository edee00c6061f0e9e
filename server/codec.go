package server

import (
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/encoding/proto" // registers and names the codec that this one stands in front of
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/encoding/protowire"
	protobuf "google.golang.org/protobuf/proto"
)

// lenientCodec is grpc-go's own codec, except that a request which cannot be read (invalid UTF-8 in a string, broken
// bytes) is not answered INTERNAL by the transport before any of our code sees it: it is marked, and refused by the
// interceptors as what it is, bad input.
type lenientCodec struct{ encoding.CodecV2 }

func newCodec() encoding.CodecV2 { return lenientCodec{encoding.GetCodecV2(proto.Name)} }

// unreadable is the field number of the mark: the last one that protobuf has, which no message of the API uses.
const unreadable = protowire.MaxValidNumber

func (c lenientCodec) Unmarshal(data mem.BufferSlice, v any) error {
	err := c.CodecV2.Unmarshal(data, v)
	m, ok := v.(protobuf.Message)
	if err == nil || !ok {
		return err
	}
	protobuf.Reset(m)
	mark := protowire.AppendTag(nil, unreadable, protowire.BytesType)
	mark = protowire.AppendString(mark, "the message cannot be read: strings are valid UTF-8, and the bytes a protobuf message of this type")
	m.ProtoReflect().SetUnknown(mark)
	return nil
}

// whyUnreadable finds the mark.
func whyUnreadable(v any) (why string, marked bool) {
	m, ok := v.(protobuf.Message)
	if !ok {
		return "", false
	}
	b := m.ProtoReflect().GetUnknown()
	number, kind, n := protowire.ConsumeTag(b)
	if n < 0 || number != unreadable || kind != protowire.BytesType {
		return "", false
	}
	why, n = protowire.ConsumeString(b[n:])
	return why, n > 0
}
