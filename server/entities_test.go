package server_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"
	"google.golang.org/grpc/codes"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server/servertest"
)

func stateRequest(id string, change func(*pb.SetEntityStateRequest)) *pb.SetEntityStateRequest {
	m := &pb.SetEntityStateRequest{RequestId: uuid.NewString(), Entity: order(id), Reason: "the shop says so"}
	change(m)
	return m
}

func toState(s string) func(*pb.SetEntityStateRequest) {
	return func(m *pb.SetEntityStateRequest) { m.State = &s }
}

func TestEntityStates(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		people := newPeople(t, "north shop set_entity_state,read", "north agent propose,execute,read", "south shop2 set_entity_state,read")
		c := w.Serve(servertest.WithCallers(people))
		as := func(who string) pb.EntityServiceClient {
			return pb.NewEntityServiceClient(c.As(people.token(who)).Conn)
		}
		shop, agent := as("shop"), as("agent")

		_, err := shop.GetEntityState(t.Context(), &pb.GetEntityStateRequest{Entity: order("a")})
		refused(t, err, codes.NotFound, "ENTITY_STATE_NOT_FOUND")
		_, err = agent.SetEntityState(t.Context(), stateRequest("a", toState("refunded")))
		refused(t, err, codes.PermissionDenied, "PERMISSION_DENIED") // what a rule reads does not come from whom it restrains

		set, err := shop.SetEntityState(t.Context(), stateRequest("a", func(m *pb.SetEntityStateRequest) {
			state, attributes := "paid", `{ "tier": "gold", "n": 1.0 }`
			m.State, m.AttributesJson = &state, &attributes
		}))
		if err != nil || set.EntityState.Version != 1 || set.EntityState.AttributesJson != `{"n":1,"tier":"gold"}` || set.EntityState.Principal != "shop" {
			t.Fatalf("%v, %v", set, err)
		}
		next, err := shop.SetEntityState(t.Context(), stateRequest("a", func(m *pb.SetEntityStateRequest) {
			toState("refunded")(m)
			m.Etag = set.EntityState.Etag
		}))
		if err != nil || next.EntityState.Version != 2 || next.EntityState.AttributesJson != set.EntityState.AttributesJson {
			t.Fatalf("%v, %v", next, err)
		}
		_, err = shop.SetEntityState(t.Context(), stateRequest("a", func(m *pb.SetEntityStateRequest) {
			toState("paid")(m)
			m.Etag = set.EntityState.Etag
		}))
		refused(t, err, codes.Aborted, "ETAG_MISMATCH")
		got, err := agent.GetEntityState(t.Context(), &pb.GetEntityStateRequest{Entity: order("a")})
		if err != nil || got.EntityState.State != "refunded" || got.EntityState.Entity.GetId() != "a" || got.EntityState.Reason != "the shop says so" {
			t.Fatalf("%v, %v", got, err)
		}
		_, err = as("shop2").GetEntityState(t.Context(), &pb.GetEntityStateRequest{Entity: order("a")})
		refused(t, err, codes.NotFound, "ENTITY_STATE_NOT_FOUND")
	})
}

func TestEntityStateBadInput(t *testing.T) {
	w := servertest.SQLite(t)
	entities := pb.NewEntityServiceClient(w.Serve().Conn)
	for name, c := range map[string]struct {
		change func(*pb.SetEntityStateRequest)
		reason string
	}{
		"nothing to set":        {func(*pb.SetEntityStateRequest) {}, "INVALID_REQUEST"},
		"no reason":             {func(m *pb.SetEntityStateRequest) { toState("paid")(m); m.Reason = "" }, "INVALID_REQUEST"},
		"no object":             {attributes(`["gold"]`), "INVALID_ARGUMENTS"},
		"no JSON":               {attributes(`{tier}`), "INVALID_ARGUMENTS"},
		"a name twice":          {attributes(`{"a":1,"a":2}`), "INVALID_ARGUMENTS"},
		"a number that changes": {attributes(`{"n":9007199254740993}`), "NUMBER_NOT_EXACT"},
		"a name beyond bounds": {func(m *pb.SetEntityStateRequest) {
			toState("paid")(m)
			m.Entity.Id = strings.Repeat("\U0001F600", 250)
		}, "INVALID_REQUEST"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := entities.SetEntityState(t.Context(), stateRequest("a", c.change))
			refused(t, err, codes.InvalidArgument, c.reason)
		})
	}
}

func attributes(text string) func(*pb.SetEntityStateRequest) {
	return func(m *pb.SetEntityStateRequest) { m.AttributesJson = &text }
}

func TestEntityStateList(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		entities := pb.NewEntityServiceClient(w.Serve().Conn)
		for i := range 12 {
			m := stateRequest(fmt.Sprint("o", i), toState([]string{"paid", "refunded", ""}[i%3]))
			if i >= 9 {
				m.Entity.Type = "customer"
			}
			if _, err := entities.SetEntityState(t.Context(), m); err != nil {
				t.Fatal(err)
			}
		}
		paid, none := "paid", ""
		for name, c := range map[string]struct {
			m    *pb.ListEntityStatesRequest
			want int
		}{
			"all":              {&pb.ListEntityStatesRequest{}, 12},
			"of a type":        {&pb.ListEntityStatesRequest{EntityType: "customer"}, 3},
			"in a state":       {&pb.ListEntityStatesRequest{State: &paid}, 4},
			"in no state":      {&pb.ListEntityStatesRequest{State: &none}, 4},
			"both":             {&pb.ListEntityStatesRequest{State: &paid, EntityType: "order"}, 3},
			"a part of a type": {&pb.ListEntityStatesRequest{EntityType: "cust"}, 0},
		} {
			for _, size := range []int32{0, 1, 5} {
				seen := map[string]bool{}
				c.m.PageSize, c.m.PageToken = size, ""
				for pages := 0; pages < 20; pages++ {
					page, err := entities.ListEntityStates(t.Context(), c.m)
					if err != nil {
						t.Fatalf("%s: %v", name, err)
					}
					for _, e := range page.EntityStates {
						seen[e.Entity.Type+"/"+e.Entity.Id] = true
					}
					if c.m.PageToken = page.NextPageToken; c.m.PageToken == "" {
						break
					}
				}
				if len(seen) != c.want {
					t.Errorf("%s, %d a page: %d were listed, want %d: %v", name, size, len(seen), c.want, seen)
				}
			}
		}
	})
}
