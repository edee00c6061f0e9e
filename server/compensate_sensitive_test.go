package server_test

import (
	"strings"
	"testing"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server/servertest"
)

// TestAStepShowsNothingSensitive: what a tool marks sensitive is shown in no step's arguments to who has not the right,
// before the step has an operation and after. Where the original's tool marks anything, none of the arguments is shown,
// since a template may have put it anywhere.
func TestAStepShowsNothingSensitive(t *testing.T) {
	t.Parallel() // most of it is waiting for disks
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		p := newProvider(t)
		people := newPeople(t, "default root administer,propose,execute", "default kim resolve,read kim@example.com", "default ana read,read_sensitive")
		anyone := w.Serve(servertest.WithCallers(people))
		root, kim, ana := anyone.As(people.token("root")), anyone.As(people.token("kim")), anyone.As(people.token("ana"))
		root.Apply(fieldTools)
		undoable(t, root)
		step := servertest.Definitions(t, strings.Replace(chargeRefund, "/note: {ignore: {}}", "/note: {text: {}}\n  sensitive: [/note]\n  change: {continues: {}}", 1))["charge.refund"]
		root.ApplyDefinition(step)
		noted := strings.Replace(capture, "}", `,"note":"his mother's card"}`, 1)
		permit := root.Execute("payment.capture", noted)
		root.Reported(permit, servertest.Succeeded(p.did(permit, 4900), `{"status":"captured","amount":"49.00"}`))
		id := permit.OperationId
		shows := func(c *servertest.Client, want bool) {
			t.Helper()
			if s := c.Operation(id).CompensationSteps[0]; strings.Contains(s.ArgumentsJson, "mother") != want || !strings.Contains(s.ArgumentsJson, "49.00") {
				t.Errorf("the step shows %s", s.ArgumentsJson)
			}
		}
		undone(t, kim, id)
		shows(kim, false)
		shows(ana, true)
		defer w.Dispatch()()
		stepBegun(t, kim, id)
		shows(kim, false)
		shows(ana, true)

		d := fieldTool(t, "payment.capture")
		d.Identity.Sensitive = []string{"/payment_method"}
		delete(d.Identity.Fields, "/payment_method")
		d.Identity.Change = &pb.IdentityChange{Relation: &pb.IdentityChange_Separate{Separate: &pb.IdentitySeparate{Reason: "a test"}}}
		d.Identity.KeyVersion = new(int32(2))
		d.Playbook = &pb.Playbook{Steps: []*pb.PlaybookStep{{Name: "refund", Tool: "charge.refund",
			ArgumentsTemplate: `{"order_id": "{args.order_id}", "charge": "{effect.id}", "amount": "49.00", "note": "{args.payment_method?}"}`}}}
		root.ApplyDefinition(d)
		second := root.Execute("payment.capture", `{"order_id":"order_9","amount":"49.00","currency":"USD","payment_method":"pm_secret"}`)
		root.Reported(second, servertest.Succeeded(p.did(second, 4900), `{}`))
		if s := undone(t, kim, second.OperationId).CompensationSteps[0]; s.ArgumentsJson != "" {
			t.Errorf("the step shows %s", s.ArgumentsJson)
		}
		if s := ana.Operation(second.OperationId).CompensationSteps[0]; !strings.Contains(s.ArgumentsJson, "pm_secret") {
			t.Errorf("the step shows %s", s.ArgumentsJson)
		}
	})
}
