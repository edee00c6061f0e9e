package server

import (
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/encoding/proto" // registers and names the codec that this one stands in front of
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/encoding/protowire"
	protobuf "google.golang.org/protobuf/proto"
)

// lenientCodec is grpc-go's own codec, except that a request which cannot be read (invalid UTF-8 in a string, broken
// bytes) or that is too large is not answered by the transport, INTERNAL or without a reason, before any of our code sees
// it: it is marked, and refused by the interceptors as what it is, bad input.
type lenientCodec struct{ encoding.CodecV2 }

func newCodec() encoding.CodecV2 { return lenientCodec{encoding.GetCodecV2(proto.Name)} }

// unreadable is the field number of the mark: the last one that protobuf has, which no message of the API uses.
const unreadable = protowire.MaxValidNumber

func (c lenientCodec) Unmarshal(data mem.BufferSlice, v any) error {
	m, ok := v.(protobuf.Message)
	if ok && data.Len() > MaxMessageBytes {
		return mark(m, tooLarge)
	}
	err := c.CodecV2.Unmarshal(data, v)
	if err == nil || !ok {
		return err
	}
	return mark(m, "the message cannot be read: strings are valid UTF-8, and the bytes a protobuf message of this type")
}

// tooLarge marks a message beyond its limit.
const tooLarge = "the message is larger than 4 MiB; make it smaller, or send it in parts"

// mark empties the message and says in it why.
func mark(m protobuf.Message, why string) error {
	protobuf.Reset(m)
	m.ProtoReflect().SetUnknown(protowire.AppendString(protowire.AppendTag(nil, unreadable, protowire.BytesType), why))
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
