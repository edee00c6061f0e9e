package server

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/policy"
	"github.com/opledger/opledger/registry"
	"github.com/opledger/opledger/registry/toolfile"
	"google.golang.org/protobuf/proto"
)

// toolVersion is one immutable version of a tool, ready for use.
type toolVersion struct {
	compiled *registry.Compiled
	stored   ledger.ToolVersion
	message  *pb.ToolDefinition
}

// tool is a tool as a namespace has it at one configuration epoch.
type tool struct {
	head     ledger.ToolHead
	versions map[int64]*toolVersion
	// continuing are the versions whose keys a proposal claims, the newest first.
	continuing []*toolVersion
}

// configuration is a namespace's tools and rules at one epoch. It never changes; a newer one takes its place.
type configuration struct {
	epoch int64
	tools map[string]*tool
	// rules are those that hold, in the order of their ids.
	rules []*storedRule
	// parts is what the policy was compiled from, so that a candidate can be checked beside it.
	parts policy.Config
	// policy is never nil: a configuration whose rules do not compile has faults, and is not handed to who proposes.
	policy *policy.Set
	faults []policy.Problem
}

// toolCache keeps each namespace's newest known configuration. It may be behind: every transaction that grants a permit
// compares the epoch, and a command that was built at another one is built anew.
type toolCache struct {
	reader ledger.Reader
	log    *slog.Logger
	mu     sync.RWMutex
	byNS   map[ledger.Namespace]*configuration
}

func newToolCache(reader ledger.Reader, log *slog.Logger) *toolCache {
	return &toolCache{reader: reader, log: log, byNS: map[ledger.Namespace]*configuration{}}
}

// get answers the known configuration, and reads it where none is known. One whose rules do not compile is refused: what
// stands in the way is never passed because it cannot be read.
func (c *toolCache) get(ctx context.Context, ns ledger.Namespace) (*configuration, error) {
	c.mu.RLock()
	known := c.byNS[ns]
	c.mu.RUnlock()
	if known == nil || len(known.faults) > 0 {
		return c.refresh(ctx, ns)
	}
	return known, nil
}

// refresh reads the configuration anew, and refuses one whose rules do not compile.
func (c *toolCache) refresh(ctx context.Context, ns ledger.Namespace) (*configuration, error) {
	config, err := c.inspect(ctx, ns)
	if err != nil {
		return nil, err
	}
	if len(config.faults) > 0 {
		return nil, unreadablePolicy(config.faults)
	}
	return config, nil
}

// inspect reads the configuration anew for those who look at it or mend it: with faults, where there are any. Versions
// are immutable, so those that are compiled already are kept.
func (c *toolCache) inspect(ctx context.Context, ns ledger.Namespace) (*configuration, error) {
	set, err := c.reader.Tools(ctx, ns)
	if err != nil {
		return nil, err
	}
	c.mu.RLock()
	old := c.byNS[ns]
	c.mu.RUnlock()
	next := &configuration{epoch: set.Epoch, tools: map[string]*tool{}}
	for _, h := range set.Heads {
		next.tools[h.Name] = &tool{head: h, versions: map[int64]*toolVersion{}}
	}
	for _, v := range set.Versions {
		t := next.tools[v.Name]
		if t == nil {
			continue
		}
		if old != nil && old.tools[v.Name] != nil && old.tools[v.Name].versions[v.Version] != nil {
			t.versions[v.Version] = old.tools[v.Name].versions[v.Version]
			continue
		}
		if t.versions[v.Version], err = loadVersion(v); err != nil {
			return nil, fmt.Errorf("tool %s version %d: %w", v.Name, v.Version, err)
		}
	}
	for _, t := range next.tools {
		t.link()
	}
	c.loadPolicy(ctx, ns, next, set, old)
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := c.byNS[ns]; now != nil && now.epoch > next.epoch {
		return now, nil // another reader was faster and saw more
	}
	c.byNS[ns] = next
	return next, nil
}

// loadVersion compiles a stored definition.
func loadVersion(v ledger.ToolVersion) (*toolVersion, error) {
	message := &pb.ToolDefinition{}
	if err := proto.Unmarshal(v.Definition, message); err != nil {
		return nil, err
	}
	definition, problems := toolfile.FromProto(message)
	if len(problems) > 0 {
		return nil, registry.Problems(problems)
	}
	definition.Version = v.Version
	compiled, err := registry.Compile(definition)
	if err != nil {
		return nil, err
	}
	return &toolVersion{compiled: compiled, stored: v, message: message}, nil
}

// link finds the versions whose identity continues in the newest one.
func (t *tool) link() {
	var definitions []registry.Definition
	for v := int64(1); v <= t.head.Version; v++ {
		if t.versions[v] != nil {
			definitions = append(definitions, t.versions[v].compiled.Definition)
		}
	}
	t.continuing = nil
	// At no time in particular: a key that is claimed longer than it must be harms nobody.
	for _, d := range registry.Continuing(definitions, time.Time{}) {
		t.continuing = append(t.continuing, t.versions[d.Version])
	}
}

// newest is the version that proposals are made under.
func (t *tool) newest() *toolVersion { return t.versions[t.head.Version] }

// version finds a version where its namespace's configuration is known.
func (c *toolCache) version(ns ledger.Namespace, name string, version int64) *toolVersion {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if known := c.byNS[ns]; known != nil && known.tools[name] != nil {
		return known.tools[name].versions[version]
	}
	return nil
}
