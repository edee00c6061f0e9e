package callers

import (
	"fmt"
	"slices"
	"strings"
)

// Role is one right of a credential.
type Role string

// The roles. A credential holds those that its line names and no other; none includes another.
const (
	Propose        Role = "propose"          // propose operations, cancel and revise them as far as their tool allows
	Execute        Role = "execute"          // begin, extend and report attempts, and hand in a lookup's answer
	Webhook        Role = "webhook"          // hand in events that a provider sent
	Read           Role = "read"             // read operations, events, tools and decisions
	ReadSensitive  Role = "read_sensitive"   // see what tools mark sensitive, in what the other roles let one read
	Administer     Role = "administer"       // apply tools, switch them off and on
	Approve        Role = "approve"          // decide approvals
	Resolve        Role = "resolve"          // settle an operation by a person's word
	Override       Role = "override"         // give one-use grants: override and repeat
	BreakLeases    Role = "break_leases"     // break leases and lift what holds an entity
	SetEntityState Role = "set_entity_state" // set an entity's state from outside
)

// Roles lists every role, those that act first and those that decide over them last.
var Roles = []Role{Propose, Execute, Webhook, Read, ReadSensitive, Administer, Approve, Resolve, Override, BreakLeases, SetEntityState}

// acting are the roles whose holder asks for effects or makes them.
var acting = []Role{Propose, Execute}

// deciding are the roles that decide over those who act. One credential never holds roles of both kinds, since what an
// agent can reach it can also be talked into using.
var deciding = []Role{Approve, Resolve, Override, BreakLeases, SetEntityState}

// personal are the roles whose use is some person's decision. Dual control compares persons and not credentials, so that
// a credential with one of them names its person.
var personal = []Role{Approve, Resolve, Override, BreakLeases}

// parseRoles reads a comma-separated list.
func parseRoles(list string) ([]Role, error) {
	var roles []Role
	for _, word := range strings.Split(list, ",") {
		role := Role(word)
		if !slices.Contains(Roles, role) {
			return nil, fmt.Errorf("%q is no role; the roles are %s", word, joinRoles(Roles))
		}
		if slices.Contains(roles, role) {
			return nil, fmt.Errorf("the role %s is named twice", role)
		}
		roles = append(roles, role)
	}
	slices.Sort(roles)
	return roles, nil
}

// checkApart refuses roles that one credential may not hold together, and those of a person where there is none.
func checkApart(roles []Role, person string) (Fault, error) {
	if acts, decides, both := mixed(roles); both {
		return FaultRolesNotApart, fmt.Errorf("a credential that may %s never may %s as well; give the person a credential of their own", acts, decides)
	}
	if role := firstOf(personal, roles); role != "" && person == "" {
		return FaultNoPerson, fmt.Errorf("the role %s is used by a person; say who", role)
	}
	return "", nil
}

// mixed names the first acting and the first deciding role among the roles, where there are both.
func mixed(roles []Role) (acts, decides Role, both bool) {
	acts, decides = firstOf(acting, roles), firstOf(deciding, roles)
	return acts, decides, acts != "" && decides != ""
}

func firstOf(wanted, among []Role) Role {
	for _, role := range wanted {
		if slices.Contains(among, role) {
			return role
		}
	}
	return ""
}

func joinRoles(roles []Role) string {
	words := make([]string, len(roles))
	for i, role := range roles {
		words[i] = string(role)
	}
	return strings.Join(words, ", ")
}
