package callers

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestWhatClaimsMakeOfACaller(t *testing.T) {
	shop := func(change func(*Mapping)) Mapping {
		m := Mapping{Namespace: "shop"}
		if change != nil {
			change(&m)
		}
		return m
	}
	person := `"email":"ann@example.com","email_verified":true`
	for name, c := range map[string]struct {
		mapping Mapping
		claims  string // beside sub
		want    Caller
		fault   Fault
	}{
		"roles' names":      {shop(nil), `"roles":["read","propose","offline_access","read"]`, Caller{Roles: []Role{Propose, Read}}, ""},
		"words in a string": {shop(func(m *Mapping) { m.RolesClaim = "scope" }), `"scope":"openid read execute"`, Caller{Roles: []Role{Execute, Read}}, ""},
		"no roles":          {shop(nil), `"x":1`, Caller{}, ""},
		"roles of odd kind": {shop(nil), `"roles":{"read":true}`, Caller{}, ""},
		"numbers among":     {shop(nil), `"roles":[1,"read",null]`, Caller{Roles: []Role{Read}}, ""},
		"a path":            {shop(func(m *Mapping) { m.RolesClaim = "realm_access.roles" }), `"realm_access":{"roles":["read"]},"roles":["administer"]`, Caller{Roles: []Role{Read}}, ""},
		"a path to nothing": {shop(func(m *Mapping) { m.RolesClaim = "realm_access.roles" }), `"realm_access":"roles"`, Caller{}, ""},
		"a name with dots":  {shop(func(m *Mapping) { m.RolesClaim = "https://opledger.example/roles" }), `"https://opledger.example/roles":["read"]`, Caller{Roles: []Role{Read}}, ""},
		"values for roles": {shop(func(m *Mapping) {
			m.RolesClaim, m.RoleOf = "groups", map[string][]Role{"ops": {Administer, Read}, "audit": {ReadSensitive, Read}}
		}), `"groups":["ops","audit","propose"]`, Caller{Roles: []Role{Administer, Read, ReadSensitive}}, ""},
		"a prefix":           {shop(func(m *Mapping) { m.GroupPrefix = "opledger:" }), `"roles":["opledger:read","propose","opledger:x"]`, Caller{Roles: []Role{Read}}, ""},
		"a verified address": {shop(nil), `"roles":["approve"],` + person, Caller{Roles: []Role{Approve}, Person: "ann@example.com"}, ""},
		"verified, as text":  {shop(nil), `"email":"ANN@example.com","email_verified":"true"`, Caller{Person: "ann@example.com"}, ""},
		"not verified":       {shop(nil), `"email":"ann@example.com","email_verified":false`, Caller{}, ""},
		"verified by nobody": {shop(nil), `"email":"ann@example.com"`, Caller{}, ""},
		"another person":     {shop(func(m *Mapping) { m.PersonClaim = "oid" }), `"oid":"4F2A-11",` + person, Caller{Person: "4f2a-11"}, ""},
		"a person of spaces": {shop(func(m *Mapping) { m.PersonClaim = "name" }), `"name":"Ann Onym"`, Caller{}, ""},
		"another principal":  {shop(func(m *Mapping) { m.PrincipalClaim = "azp" }), `"azp":"checkout"`, Caller{Principal: "checkout"}, ""},
		"no such principal":  {shop(func(m *Mapping) { m.PrincipalClaim = "azp" }), `"x":1`, Caller{}, FaultUnusableName},
		"a tenant":           {Mapping{NamespaceClaim: "tenant.id"}, `"tenant":{"id":"berlin"}`, Caller{Namespace: "berlin"}, ""},
		"no tenant":          {Mapping{NamespaceClaim: "tenant.id"}, `"tenant":"berlin"`, Caller{}, FaultUnusableName},
		"an odd tenant":      {Mapping{NamespaceClaim: "tenant"}, `"tenant":"../shop"`, Caller{}, FaultUnusableName},
		"teams": {shop(func(m *Mapping) { m.TeamsClaim = "groups" }), `"groups":["support","finance-lead","Support","approve","support"]`,
			Caller{Teams: []string{"finance-lead", "support"}}, ""},
		"teams, with prefix": {shop(func(m *Mapping) { m.TeamsClaim, m.GroupPrefix = "groups", "/opl/" }), `"groups":["/opl/support","/hr"]`, Caller{Teams: []string{"support"}}, ""},
		"tools": {shop(func(m *Mapping) { m.ToolsClaim = "tools" }), `"tools":"payment.* refund.create *"`,
			Caller{Tools: []string{"payment.*", "refund.create"}}, ""},
		"tools not stated":  {shop(func(m *Mapping) { m.ToolsClaim = "tools" }), `"x":1`, Caller{Tools: []string{}}, ""},
		"act and decide":    {shop(nil), `"roles":["execute","resolve"],` + person, Caller{}, FaultRolesNotApart},
		"decides, nobody":   {shop(nil), `"roles":["override"]`, Caller{}, FaultNoPerson},
		"mapped, not apart": {shop(func(m *Mapping) { m.RoleOf = map[string][]Role{"all": {Propose, Approve}} }), `"roles":"all",` + person, Caller{}, FaultRolesNotApart},
	} {
		claims, err := readClaims([]byte(`{"sub":"a",` + c.claims + `}`))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got, err := c.mapping.caller(claims)
		var refused *UnauthenticatedError
		if errors.As(err, &refused) != (c.fault != "") || refused != nil && refused.Fault != c.fault {
			t.Errorf("%s: got %+v, %v", name, got, err)
		}
		if err != nil {
			continue
		}
		want := c.want
		if want.Principal == "" {
			want.Principal = "a"
		}
		if want.Namespace == "" {
			want.Namespace = "shop"
		}
		if got.Namespace != want.Namespace || got.Principal != want.Principal || !got.sameRights(want) {
			t.Errorf("%s: got %+v, want %+v", name, got, want)
		}
	}
}

func TestWhichToolsACallerReaches(t *testing.T) {
	for name, c := range map[string]struct {
		tools []string
		may   []string
		not   []string
	}{
		"no bound":    {nil, []string{"payment.capture", "x"}, nil},
		"none":        {[]string{}, nil, []string{"payment.capture", ""}},
		"one":         {[]string{"refund.create"}, []string{"refund.create"}, []string{"refund.create.x", "refund", "Refund.create"}},
		"a family":    {[]string{"payment.*"}, []string{"payment.capture", "payment.card.store"}, []string{"payment", "payment.", "payments.x", "xpayment.y"}},
		"two of them": {[]string{"payment.*", "order.get"}, []string{"order.get", "payment.x"}, []string{"order.put"}},
	} {
		caller := Caller{Tools: c.tools}
		for _, tool := range c.may {
			if !caller.MayTool(tool) {
				t.Errorf("%s: it may not %s", name, tool)
			}
		}
		for _, tool := range c.not {
			if caller.MayTool(tool) {
				t.Errorf("%s: it may %q", name, tool)
			}
		}
	}
	if !LocalCaller().MayTool("payment.capture") || !LocalCaller().InTeam("finance-lead") {
		t.Error("local is bounded")
	}
	if c := (Caller{Teams: []string{"support"}}); !c.InTeam("support") || c.InTeam("finance-lead") {
		t.Error("teams do not hold")
	}
}

func TestALineNamesTeamsAndTools(t *testing.T) {
	parse := func(rest string) (Caller, error) {
		e, _, err := parseLine(HashToken("x")+" namespace=shop principal=a roles=propose "+rest, lineForm[TokenHash]{subject: parseHash})
		return e.caller, err
	}
	c, err := parse("teams=support,finance-lead tools=refund.create,payment.* person=Ann@Example.com")
	if err != nil || !slices.Equal(c.Teams, []string{"finance-lead", "support"}) || !slices.Equal(c.Tools, []string{"payment.*", "refund.create"}) || c.Person != "ann@example.com" {
		t.Errorf("got %+v, %v", c, err)
	}
	for rest, says := range map[string]string{
		"teams=Support": "has to be", "teams=a,a": "twice", "teams=approve": "no role", "teams=a,": "has to be", "teams=" + strings.Repeat("a", 64): "has to be",
		"tools=*": "has to be", "tools=pay*": "has to be", "tools=.x": "has to be", "tools=a.*,a.*": "twice", "tools=a..b": "has to be", "tools=a.*.b": "has to be",
	} {
		if c, err := parse(rest); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: got %+v, %v", rest, c, err)
		}
	}
	first, second := HashToken("1"), HashToken("2")
	for name, rest := range map[string]string{"teams": "teams=a", "tools": "tools=a.b"} {
		_, err := OpenFile(write(t, first+" namespace=shop principal=a roles=read", second+" namespace=shop principal=a roles=read "+rest))
		if err == nil || !strings.Contains(err.Error(), "line 1") {
			t.Errorf("one principal with other %s: %v", name, err)
		}
	}
}

// FuzzLine: whatever a line is, what it lets in can be written down and is read back as the same.
func FuzzLine(f *testing.F) {
	f.Add("namespace=shop principal=ann roles=approve,read person=Ann@example.com teams=finance-lead")
	f.Add("namespace=shop principal=auth0|6 roles=propose tools=payment.*,a.b # x")
	f.Add("roles=propose,approve")
	f.Fuzz(func(t *testing.T, rest string) {
		form := lineForm[TokenHash]{subject: parseHash}
		e, _, err := parseLine(HashToken("x")+" "+rest, form)
		if err != nil {
			return
		}
		line, err := FormatLine("x", e.caller)
		if err != nil {
			t.Fatalf("%+v cannot be written: %v", e.caller, err)
		}
		again, _, err := parseLine(line, form)
		if err != nil || again.caller.Namespace != e.caller.Namespace || again.caller.Principal != e.caller.Principal || !again.caller.sameRights(e.caller) {
			t.Fatalf("%+v became %+v, %v", e.caller, again.caller, err)
		}
	})
}
