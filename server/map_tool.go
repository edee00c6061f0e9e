package server

import (
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/registry"
	"github.com/opledger/opledger/registry/toolfile"
)

// toolOf is one version of a tool as a reader sees it: as it was applied, and with every default filled in.
func toolOf(t *tool, v *toolVersion) *pb.Tool {
	m := &pb.Tool{
		Name: t.head.Name, Version: int32(v.stored.Version), Definition: v.message, Effective: effectiveOf(v),
		Digest: v.stored.Digest, AppliedBy: string(v.stored.AppliedBy), ApplyTime: stamp(v.stored.AppliedAt),
		Newest: v == t.newest(), Etag: toolEtag(t.head),
	}
	for _, l := range registry.Loosened(v.compiled.Definition) {
		m.Loosened = append(m.Loosened, &pb.LoosenedSetting{Path: l.Path, ClassDefault: l.ClassDefault, Reason: l.Reason})
	}
	if t.head.Disabled {
		m.Disabled = &pb.ToolSwitch{Reason: t.head.Reason}
	}
	if v == t.newest() {
		for _, c := range t.continuing {
			if c != v {
				m.ContinuesVersions = append(m.ContinuesVersions, int32(c.stored.Version))
			}
		}
	}
	return m
}

// effectiveOf is the definition as the ledger goes by it. A stored definition was read when it was applied, so that this
// cannot fail for one of ours; a reader is shown nothing rather than something wrong.
func effectiveOf(v *toolVersion) *pb.ToolDefinition {
	effective, err := toolfile.Effective(v.message)
	if err != nil {
		return nil
	}
	return effective
}
