package providers_test

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"testing"
	"time"

	"buf.build/go/protovalidate"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/durationpb"

	opledgerv1 "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/providers"
)

// TestEveryClaimHasASource: a profile decides what may be resent, so no part of it stands without who said so, and when.
func TestEveryClaimHasASource(t *testing.T) {
	for _, name := range providers.Names() {
		base, _ := providers.Find(name)
		if err := protovalidate.Validate(base.Profile); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if base.Title == "" || base.Notes == "" || len(base.Sources) == 0 || !strings.HasSuffix(name, ".v1") {
			t.Errorf("%s says too little of itself", name)
		}
		var sourced []string
		for _, s := range base.Sources {
			if !strings.HasPrefix(s.URL, "https://") || s.Says == "" {
				t.Errorf("%s has the source %+v", name, s)
			}
			if _, err := time.Parse(time.DateOnly, s.Read); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			sourced = append(sourced, s.Claims...)
		}
		for _, claim := range claims(base.Profile.ProtoReflect(), "") {
			if claim == "name" {
				continue
			}
			if !slices.ContainsFunc(sourced, func(s string) bool { return s == claim || strings.HasPrefix(claim, s+".") }) {
				t.Errorf("%s claims %s without a source", name, claim)
			}
		}
	}
}

// claims lists what a message sets, by path.
func claims(m protoreflect.Message, path string) (list []string) {
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		here := path + string(f.Name())
		if f.Message() != nil && !f.IsList() && f.Message().ParentFile() == m.Descriptor().ParentFile() {
			list = append(list, claims(v.Message(), here+".")...)
		} else {
			list = append(list, here)
		}
		return true
	})
	return list
}

// released are the digests of what profiles promise, which tools may name already. A profile never changes, because the
// version of a tool that names it does not: what a provider says anew is a new file. Its notes and sources may change.
var released = map[string]string{
	"adyen.v1":         "c1e6bd2ecbc63786",
	"amazon-ses.v1":    "f5cd141a2d36c5be",
	"github-issues.v1": "7c44e8b349843489",
	"jira.v1":          "89fc0118d07de625",
	"linear.v1":        "3f9105be841a9101",
	"mailgun.v1":       "1d7d26a4810ba3a3",
	"mailpit.v1":       "ed604eeae27c40de",
	"paypal.v1":        "64d499bd5e29149a",
	"postmark.v1":      "3fc333e0837b61ca",
	"redmine.v1":       "c2d9f8588e7c5481",
	"resend.v1":        "d1f3caa9760f0739",
	"sendgrid.v1":      "9a62c531197e3be0",
	"square.v1":        "4b4e1892fee2a9f2",
	"stripe.v1":        "64f6ff1a07e91b0d",
	"zendesk.v1":       "9019bf4b42cc7a17",
}

func TestReleasedProfilesStayAsTheyAre(t *testing.T) {
	for _, name := range providers.Names() {
		base, _ := providers.Find(name)
		text, err := proto.MarshalOptions{Deterministic: true}.Marshal(base.Profile)
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(text)
		if got := hex.EncodeToString(sum[:8]); got != released[name] {
			t.Errorf("%s is %s; one that was released is left as it is, and gets a next version instead", name, got)
		}
	}
}

func TestTheProfilesThatPeopleLookFor(t *testing.T) {
	want := []string{"adyen.v1", "amazon-ses.v1", "github-issues.v1", "jira.v1", "linear.v1", "mailgun.v1", "mailpit.v1", "paypal.v1", "postmark.v1",
		"redmine.v1", "resend.v1", "sendgrid.v1", "square.v1", "stripe.v1", "zendesk.v1"}
	if got := providers.Names(); !slices.Equal(got, want) {
		t.Errorf("there are %q", got)
	}
}

// TestMerge: what the tool sets wins, to the single field; a list wins as a whole.
func TestMerge(t *testing.T) {
	tool := &opledgerv1.ProviderProfile{
		Name: "stripe-eu", Base: "stripe.v1", Account: "acct_1", FiveXxMayCommit: new(false),
		IdempotencyKey: &opledgerv1.VendorKeyProfile{Retention: durationpb.New(time.Hour)},
		Lookups:        []*opledgerv1.LookupProfile{{By: opledgerv1.LookupBy_LOOKUP_BY_OBJECT_ID, ReadAfterWrite: true}},
	}
	before := proto.CloneOf(tool)
	merged, ok := providers.Merge(tool)
	if !ok {
		t.Fatal("there is no stripe.v1")
	}
	k := merged.GetIdempotencyKey()
	if !k.GetSupported() || k.GetHeader() != "Idempotency-Key" || k.GetMaxLength() != 255 || k.GetRetention().AsDuration() != time.Hour {
		t.Errorf("the key is %v", k)
	}
	if merged.GetName() != "stripe-eu" || merged.GetAccount() != "acct_1" || merged.GetBase() != "stripe.v1" || merged.FiveXxMayCommit == nil ||
		len(merged.GetLookups()) != 1 || !merged.GetStoresClientReference() || merged.GetPropagationDelay().AsDuration() != time.Hour {
		t.Errorf("merged to %v", merged)
	}
	again, _ := providers.Merge(merged)
	if !proto.Equal(again, merged) {
		t.Errorf("merged anew it is %v", again)
	}
	base, _ := providers.Find("stripe.v1")
	if !proto.Equal(tool, before) || base.Profile.GetIdempotencyKey().GetRetention().AsDuration() != 24*time.Hour {
		t.Error("merging changes what it merges")
	}
	if _, ok := providers.Merge(&opledgerv1.ProviderProfile{Base: "nobody.v1"}); ok {
		t.Error("nobody.v1 is found")
	}
}
