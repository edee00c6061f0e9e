package main

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/opledger/opledger/canon"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/registry"
	"github.com/opledger/opledger/registry/toolfile"
)

// explainOffline explains identity by a definition alone, as a server does that never saw the tool. The hashes of
// sensitive fields are keyed by a server's secret; here they stand for themselves, so that equal values still compare as
// equal.
func explainOffline(definition *pb.ToolDefinition, a, b *pb.IdentityInput) (*pb.ExplainIdentityResponse, error) {
	plain, problems := toolfile.FromProto(definition)
	if len(problems) > 0 {
		return nil, problems[0]
	}
	compiled, err := registry.Compile(plain)
	if err != nil {
		return nil, err
	}
	first, core := explainInput(compiled, a)
	res := &pb.ExplainIdentityResponse{A: first}
	if b == nil {
		return res, nil
	}
	second, other := explainInput(compiled, b)
	res.B, res.Comparison = second, compareInputs(core, other)
	return res, nil
}

// explainInput explains one set of arguments; those that are refused are explained by their faults alone.
func explainInput(compiled *registry.Compiled, in *pb.IdentityInput) (*pb.IdentityExplanation, *canon.Explanation) {
	m := &pb.IdentityExplanation{}
	arguments, faults := canon.Parse([]byte(in.GetArgumentsJson()), canon.Limits{})
	if len(faults) == 0 {
		faults = compiled.Validate(arguments)
	}
	refuse := func(f canon.Fault, where string) {
		m.Faults = append(m.Faults, &pb.ArgumentFault{Pointer: f.Pointer, Reason: string(f.Reason), Description: where + f.Message})
	}
	for _, f := range faults {
		refuse(f, "")
	}
	if len(faults) > 0 {
		return m, nil
	}
	call := registry.Call{Arguments: arguments, Occurrence: in.Occurrence, CallerKey: in.IdempotencyKey, RepeatGranted: true}
	own, wrong := compiled.Identify(call, offlineHash)
	for _, f := range wrong {
		where := ""
		if f.Field != registry.FieldArguments {
			where = string(f.Field) + ": "
		}
		refuse(f.Fault, where)
	}
	if len(wrong) > 0 {
		return m, nil
	}
	core := &canon.Explanation{
		Canonical: string(own.Canonical), Fingerprint: own.Fingerprint, Key: own.Key, Components: own.Components,
		Changes: own.Normalized.Changes, Ignored: own.Normalized.Ignored, Normalized: own.Normalized,
	}
	m.CanonicalArgumentsJson, m.Fingerprint, m.IdempotencyKey = core.Canonical, own.Fingerprint, string(own.Key)
	for _, c := range own.Components {
		m.Components = append(m.Components, &pb.KeyComponent{Name: c.Name, Value: c.Text})
	}
	for _, c := range core.Changes {
		m.Changes = append(m.Changes, &pb.FieldChange{Pointer: c.Pointer, Rule: string(c.Rule), BeforeJson: c.Before, AfterJson: c.After})
	}
	for _, f := range core.Ignored {
		m.IgnoredPointers = append(m.IgnoredPointers, f.Pointer)
	}
	m.Entity = protoEntity(own.Entity)
	for _, t := range own.Touches {
		m.Touches = append(m.Touches, protoEntity(t))
	}
	return m, core
}

func compareInputs(a, b *canon.Explanation) *pb.IdentityComparison {
	if a == nil || b == nil {
		return &pb.IdentityComparison{
			Relation:    pb.IdentityRelation_IDENTITY_RELATION_REFUSED,
			Explanation: "One of the two is refused, so that they can never be taken for one operation.",
		}
	}
	c := canon.Compare(a, b)
	relation := map[canon.Verdict]pb.IdentityRelation{
		canon.SameOperation:  pb.IdentityRelation_IDENTITY_RELATION_SAME,
		canon.OtherOperation: pb.IdentityRelation_IDENTITY_RELATION_DIFFERENT,
		canon.KeyReused:      pb.IdentityRelation_IDENTITY_RELATION_KEY_REUSED,
	}[c.Verdict]
	return &pb.IdentityComparison{
		Relation: relation, Explanation: c.Why, DifferingPointers: c.Differing, IgnoredDifferences: c.IgnoredDiffering,
	}
}

func protoEntity(e canon.Entity) *pb.Entity {
	if e.IsZero() {
		return nil
	}
	return &pb.Entity{Type: e.Type, Id: e.ID}
}

// offlineHash stands for the keyed hash of a sensitive value.
func offlineHash(pointer string, canonical []byte) string {
	sum := sha256.Sum256(append([]byte(pointer+"\x00"), canonical...))
	return "offline-sha256:" + hex.EncodeToString(sum[:])
}
