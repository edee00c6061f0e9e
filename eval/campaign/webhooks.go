package campaign

import (
	"encoding/json"
	"time"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/inbox"
	"github.com/opledger/opledger/server"
)

// webhookSources is the source whose events tell of effects. They are handed in by RecordInboundEvent, on the caller's word.
const webhookSources = `
sources:
  - name: sim
    preset: none
    fields:
      event_id: /id
      event_type: /type
      event_time: /occurred
      client_reference: /client_reference
      object_id: /object_id
      verdict_by: /status
    verdicts: {succeeded: happened, pending: in_progress, failed: did_not_happen}
`

// webhookInbox lets a server take those events in.
func webhookInbox() server.Inbox {
	all, err := inbox.Parse("sources.yaml", []byte(webhookSources), inbox.Options{Unsigned: true})
	if err != nil {
		panic(err) // it is written above
	}
	return server.Inbox{Sources: func() *inbox.Sources { return all }}
}

// deliver hands in what the run's provider has to tell by now, where the tool's profile names its source.
func (p *play) deliver() {
	if !p.tool.hooked {
		p.sim.p.WebhooksOf(p.ref, p.clock())
		p.sim.p.WebhooksOf(p.sim.undoKey(), p.clock())
		return
	}
	p.sim.p.WebhooksOf(p.sim.undoKey(), p.clock()) // the tool that undoes has no source
	for _, d := range p.sim.p.WebhooksOf(p.ref, p.clock()) {
		body, err := json.Marshal(map[string]any{
			"id": d.ID, "type": d.Type, "status": d.Status, "occurred": d.Occurred.Format(time.RFC3339Nano),
			"client_reference": d.ClientReference, "object_id": d.ObjectID,
		})
		if err != nil {
			p.stage.fail(err)
			return
		}
		m, err := p.stage.api.RecordInboundEvent(p.stage.ctx, &pb.RecordInboundEventRequest{
			Source: "sim", EventId: d.ID, Payload: &pb.RecordInboundEventRequest_PayloadJson{PayloadJson: string(body)},
		})
		if err != nil {
			p.stage.fail(err)
			return
		}
		p.heard(d.ObjectID)
		p.step("webhook", "%s, deduplicated %t, matched %t", d.Status, m.Deduplicated, len(m.OperationIds) > 0)
	}
}
