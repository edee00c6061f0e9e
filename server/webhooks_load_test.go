package server_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server/servertest"
)

// TestConcurrentRedelivery: of many deliveries of one event at once, through two servers, one is stored and every other is
// answered as its repeat.
func TestConcurrentRedelivery(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		c := w.Serve(withInbox(t))
		c.ApplyDefinition(hookedCapture(t))
		addresses := []string{c.Address, w.Twin().Address}
		p := c.Execute("payment.capture", capture)
		c.Reported(p, servertest.Ambiguous())
		v := newVendor(t, w)
		body := chargeEvent("evt_1", "charge.succeeded", "ch_1", p.ClientReference, v.now())
		header := v.signature(body, v.now())
		var fresh, all atomic.Int64
		var wait sync.WaitGroup
		for i := range 24 {
			wait.Go(func() {
				r, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+addresses[i%2]+v.path, bytes.NewReader(body))
				r.Header.Set("Stripe-Signature", header)
				reply, err := http.DefaultClient.Do(r)
				if err != nil {
					t.Error(err)
					return
				}
				defer reply.Body.Close()
				var a answer
				if err := json.NewDecoder(reply.Body).Decode(&a); err != nil || reply.StatusCode != http.StatusOK {
					t.Errorf("%d %v", reply.StatusCode, err)
					return
				}
				all.Add(1)
				if !a.Again {
					fresh.Add(1)
				}
			})
		}
		wait.Wait()
		if fresh.Load() != 1 || all.Load() != 24 {
			t.Fatalf("%d of %d deliveries were new", fresh.Load(), all.Load())
		}
		if o := c.Operation(p.OperationId); len(o.Evidence) != 1 || o.State != pb.Operation_STATE_COMPLETED_SUCCESS {
			t.Fatalf("%s with %v", o.State, o.Evidence)
		}
	})
}

// TestManyDeliveriesAtOnce: each of more deliveries than are taken at once is stored, or told to come again.
func TestManyDeliveriesAtOnce(t *testing.T) {
	w := servertest.SQLite(t)
	c := w.Serve(withInbox(t))
	v := newVendor(t, w)
	var stored, later atomic.Int64
	var wait sync.WaitGroup
	for i := range 200 {
		body := chargeEvent(fmt.Sprintf("evt_%d", i), "charge.succeeded", "ch_"+strconv.Itoa(i), "", v.now())
		header := v.signature(body, v.now())
		wait.Go(func() {
			r, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+c.Address+v.path, bytes.NewReader(body))
			r.Header.Set("Stripe-Signature", header)
			reply, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Error(err)
				return
			}
			_ = reply.Body.Close()
			switch {
			case reply.StatusCode == http.StatusOK:
				stored.Add(1)
			case reply.StatusCode == http.StatusServiceUnavailable && reply.Header.Get("Retry-After") != "":
				later.Add(1)
			default:
				t.Errorf("%d", reply.StatusCode)
			}
		})
	}
	wait.Wait()
	if stored.Load() == 0 || stored.Load()+later.Load() != 200 {
		t.Fatalf("%d stored, %d later", stored.Load(), later.Load())
	}
}
