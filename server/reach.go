package server

import (
	"context"

	"google.golang.org/grpc/codes"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// unreached refuses a call about a tool that its credential does not reach.
func (c call) unreached(tool string) error {
	return fail(codes.PermissionDenied, pb.ErrorReason_ERROR_REASON_PERMISSION_DENIED,
		"the credential of "+string(c.Principal)+" does not reach the tool "+tool+"; use one that does", nil)
}

// mayDecideAbout refuses a decision about an operation whose tool the credential does not reach. An operation's tool never
// changes, so that what is read here holds when the command is carried out.
func (s *Server) mayDecideAbout(ctx context.Context, id string) error {
	c := callOf(ctx)
	if c.Tools == nil {
		return nil
	}
	o, err := s.operation(ctx, id)
	if err == nil && !c.MayTool(o.Tool) {
		return c.unreached(o.Tool)
	}
	return err
}

// maySpeakFor refuses evidence of a source other than the one whose word the operation's tool takes.
func (s *Server) maySpeakFor(ctx context.Context, id, source string) error {
	o, err := s.operation(ctx, id)
	if err != nil {
		return err
	}
	if own := o.Terms.WebhookSource; own != "" && own != source {
		return invalidField(pb.ErrorReason_ERROR_REASON_INVALID_REQUEST, "evidence.webhook.source", "the tool "+o.Tool+" takes the word of the source "+own+" alone; hand it in under that name")
	}
	return nil
}

// mayDecideAboutWorkflow refuses to take a workflow over or to end it where the credential does not reach the tools of what
// is open in it: that would give up, or take out of their agent's hands, operations that it may not touch one by one.
func (s *Server) mayDecideAboutWorkflow(ctx context.Context, id string) error {
	c := callOf(ctx)
	if c.Tools == nil {
		return nil
	}
	open, err := s.openOperations(ctx, id)
	if err != nil {
		return err
	}
	for _, o := range open {
		if !c.MayTool(o.Tool) {
			return c.unreached(o.Tool)
		}
	}
	return nil
}

// mayVouchFor refuses an event on the caller's own word where its source settles operations of tools that the credential
// does not reach. A delivery that its source has signed needs nobody's word.
func (s *Server) mayVouchFor(ctx context.Context, source string) error {
	c := callOf(ctx)
	if c.Tools == nil {
		return nil
	}
	config, err := s.tools.refresh(ctx, c.namespace())
	if err != nil {
		return s.statusOf(ctx, err)
	}
	for name, t := range config.tools {
		if c.MayTool(name) {
			continue
		}
		for _, v := range t.versions {
			if v.compiled.Definition.Provider.WebhookSource == source {
				return c.unreached(name)
			}
		}
	}
	return nil
}
