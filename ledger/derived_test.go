package ledger_test

import (
	"regexp"
	"testing"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
	"github.com/opledger/opledger/registry"
)

// TestVendorKeysInTheProvidersForm: the same operation has the same key for ever, which these literals keep, and another
// revision, key or namespace has another.
func TestVendorKeysInTheProvidersForm(t *testing.T) {
	for format, c := range map[registry.VendorKeyFormat]struct {
		want, form string
		length     int
	}{
		registry.KeyText: {"opk-dugnli7xu6yzpn4y5qkc2keyvy3wtgbbqatuvdepkdwzhusxe6ra", `^opk-[a-z2-7]{52}$`, 64},
		registry.KeyUUID: {"3f2b43b6-b658-59e2-9715-4bb9750d0267", `^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`, 36},
		registry.KeyHex:  {"43601d7caefcf4fefc9bfc44c92aea38", `^[0-9a-f]{32}$`, 32},
	} {
		t.Run(string(format), func(t *testing.T) {
			key := ledger.VendorKeyOf("north", "k", 1, format, c.length)
			if !regexp.MustCompile(c.form).MatchString(key) {
				t.Errorf("%s is not of the form %s", key, c.form)
			}
			if key != c.want {
				t.Errorf("the key is %s, want %s", key, c.want)
			}
			seen := map[string]bool{key: true}
			for _, other := range []string{
				ledger.VendorKeyOf("north", "k", 2, format, c.length), ledger.VendorKeyOf("north", "l", 1, format, c.length), ledger.VendorKeyOf("south", "k", 1, format, c.length),
			} {
				if seen[other] {
					t.Errorf("two operations share the key %s", other)
				}
				seen[other] = true
			}
		})
	}
}

func TestOperationsHaveTheirProvidersKeys(t *testing.T) {
	c := capture
	c.Tool = c.Tool.With(func(t *ledger.Terms) { t.KeyFormat = registry.KeyUUID })
	o := ledgertest.New(t).Execute(c).Now()
	if want := ledger.VendorKeyOf(o.Namespace, o.Key, 1, registry.KeyUUID, 64); o.VendorKey != want {
		t.Errorf("the key is %s, want %s", o.VendorKey, want)
	}
}
