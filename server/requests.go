package server

import (
	"crypto/sha256"
	"encoding/hex"

	"google.golang.org/protobuf/proto"

	"github.com/opledger/opledger/ledger"
)

// requested is a message that carries the id of its request.
type requested interface {
	proto.Message
	GetRequestId() string
}

// requestOf is the request behind a command, by which the core knows its repeats.
func requestOf(who call, m requested) ledger.Request {
	said := proto.Clone(m)
	fields := said.ProtoReflect().Descriptor().Fields()
	said.ProtoReflect().Clear(fields.ByName("request_id"))
	b, _ := proto.MarshalOptions{Deterministic: true}.Marshal(said) // what was unmarshalled always marshals
	sum := sha256.Sum256(append([]byte(said.ProtoReflect().Descriptor().FullName()), b...))
	return ledger.Request{
		Namespace: who.namespace(), Principal: who.Principal, ID: ledger.RequestID(m.GetRequestId()), Hash: hex.EncodeToString(sum[:]),
	}
}
