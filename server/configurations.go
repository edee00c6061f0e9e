package server

import (
	"context"

	"github.com/opledger/opledger/dispatch"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/registry"
)

var _ dispatch.Configurations = (*Server)(nil)

// Configuration gives a namespace's tools and rules to whoever acts within this process, from what the server has compiled
// already.
func (s *Server) Configuration(ctx context.Context, ns ledger.Namespace, fresh bool) (*dispatch.Configuration, error) {
	read := s.tools.get
	if fresh {
		read = s.tools.refresh
	}
	c, err := read(ctx, ns)
	if err != nil {
		return nil, err
	}
	return &dispatch.Configuration{Epoch: c.epoch, Rules: c.policy, Tool: c.definition}, nil
}

// definition finds a version of a tool with its defaults filled in, version zero the newest; nil where there is none.
func (c *configuration) definition(name string, version int64) *registry.Definition {
	if t := c.tools[name]; t != nil {
		if version == 0 {
			version = t.head.Version
		}
		if v := t.versions[version]; v != nil {
			return &v.compiled.Definition
		}
	}
	return nil
}
