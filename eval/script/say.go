package script

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"time"

	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/internal/yamlproto"
)

// briefly bounds what a history shows of one answer.
const briefly = 240

// brief is a message in one short line.
func brief(m proto.Message) string {
	if m == nil || !m.ProtoReflect().IsValid() {
		return "none"
	}
	switch a := m.(type) {
	case *pb.ProposeOperationResponse:
		return decisionLine(a)
	case interface{ GetOperation() *pb.Operation }:
		o := a.GetOperation()
		return fmt.Sprintf("%s %s", o.GetOperationId(), yamlproto.Word[string](o.GetState()))
	}
	text := document(m)
	if len(text) > briefly {
		return text[:briefly] + "..."
	}
	return text
}

// document is a message as JSON, the same in each run: protojson's own spaces are not.
func document(m proto.Message) string {
	text, err := protojson.Marshal(m)
	if err != nil {
		return err.Error()
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, text); err != nil {
		return err.Error()
	}
	return compact.String()
}

func decisionLine(m *pb.ProposeOperationResponse) string {
	parts := []string{yamlproto.Word[string](m.Decision), m.GetResult().GetOperationId()}
	if m.GetResult().GetState() != 0 {
		parts = append(parts, yamlproto.Word[string](m.GetResult().GetState()))
	}
	if m.Permit != nil {
		parts = append(parts, fmt.Sprintf("attempt %d", m.Permit.AttemptNumber))
	}
	if m.DecidedBy != nil {
		parts = append(parts, "by "+m.DecidedBy.RuleId)
	}
	if m.RetryAfter != nil {
		parts = append(parts, "after "+m.RetryAfter.AsDuration().String())
	}
	return strings.Join(parts, " ")
}

var anyID = regexp.MustCompile(`\b[a-z]{2,3}_[0-9A-Za-z]{20,}\b`)

// withoutIDs are an error's words without the ids that it is about.
func withoutIDs(err error) string { return anyID.ReplaceAllString(status.Convert(err).Message(), "x") }

// since is how long the scenario has run, by the world's time.
func (r *runner) since() time.Duration { return r.world.Now().Sub(r.began).Truncate(time.Millisecond) }
