package toolfile_test

import (
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/opledger/opledger/providers"
	"github.com/opledger/opledger/registry"
	"github.com/opledger/opledger/registry/toolfile"
)

// based is a tool that starts from a shipped profile.
func based(class, base string) string {
	return "name: x.do\nclass: " + class + "\narguments_schema: {type: object, additionalProperties: false}\n" +
		"identity: {occurrence: NOBODY}\nprovider: {name: mine, base: " + base + "}\n"
}

// TestEveryShippedProfileIsAGoodOne: a tool that says no more than its base is accepted, in the class that the base admits.
func TestEveryShippedProfileIsAGoodOne(t *testing.T) {
	for _, name := range providers.Names() {
		base, _ := providers.Find(name)
		class := "EXTERNAL_NON_IDEMPOTENT_WRITE"
		if base.Profile.GetIdempotencyKey().GetRetention() != nil {
			class = "EXTERNAL_IDEMPOTENT_WRITE"
		}
		sources, problems := toolfile.Parse(name, []byte(based(class, name)))
		for _, p := range problems {
			t.Error(p)
		}
		for _, s := range sources {
			problems, warnings := s.Check(registry.ThisRelease())
			for _, p := range append(problems, warnings...) {
				t.Error(p)
			}
		}
	}
}

// TestABaseIsPartOfTheTool: what the ledger goes by shows the profile in full, and is the same when it is applied itself.
func TestABaseIsPartOfTheTool(t *testing.T) {
	sources, problems := toolfile.Parse("x.yaml", []byte(based("EXTERNAL_IDEMPOTENT_WRITE", "stripe.v1")))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	p := sources[0].Definition.Provider
	if p.Name != "mine" || p.Base != "stripe.v1" || p.VendorKey.Header != "Idempotency-Key" || p.VendorKey.Retention != 24*time.Hour || len(p.Lookups) != 2 {
		t.Errorf("the provider is %+v", p)
	}
	effective, err := toolfile.Effective(sources[0].Proto)
	if err != nil {
		t.Fatal(err)
	}
	again, err := toolfile.Effective(effective)
	if err != nil || !proto.Equal(again, effective) || effective.GetProvider().GetIdempotencyKey().GetHeader() != "Idempotency-Key" {
		t.Errorf("%v\n%v\n%v", err, effective.GetProvider(), again.GetProvider())
	}
}

func TestABaseThatDoesNotShip(t *testing.T) {
	_, problems := toolfile.Parse("x.yaml", []byte(based("EXTERNAL_IDEMPOTENT_WRITE", "nobody.v1")))
	if len(problems) == 0 || problems[0].Path != "provider.base" || problems[0].Line != 5 || !strings.Contains(problems[0].Message, "stripe.v1") {
		t.Errorf("problems %v", problems)
	}
}
