package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const vectorsText = `{"format":"opledger-canonical-vectors/1","title":"ours","vectors":[
 {"id":"same","group":"numbers","why":"one number","basis":"rfc8785","a":"{\"n\":1}","b":"{\"n\":1.0}","same":true},
 {"id":"wrong","group":"strings","why":"a claim that is not so","basis":"rfc8785","a":"{\"s\":\"7\"}","b":"{\"s\":\"007\"}","same":%s}]}`

func TestVectorsOfOnesOwn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vectors.json")
	write := func(same string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(strings.Replace(vectorsText, "%s", same, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("false")
	if got := do(t, "identity", "test", path); got.status != exitOK || !strings.Contains(got.out, "2 passed") {
		t.Errorf("right vectors: %+v", got)
	}
	write("true")
	got := do(t, "identity", "test", path)
	if got.status != exitFailed || got.err != "" {
		t.Errorf("a wrong vector: %+v", got)
	}
	has(t, "the difference", got.out, "FAIL wrong", "a claim that is not so", `{"s":"007"}`, "FAILED")
	if m := parse(t, do(t, "identity", "test", path, "--json").out); m["failed"] != 1.0 {
		t.Errorf("as JSON: %v", m)
	}
	if got := doWith(t, "{}", "identity", "test", "-"); got.status != exitFailed || !strings.Contains(got.err, "format") {
		t.Errorf("no vectors: %+v", got)
	}
}

// TestIdentityIsExplainedAlikeWithAndWithoutAServer holds the two ways against each other.
func TestIdentityIsExplainedAlikeWithAndWithoutAServer(t *testing.T) {
	r := serveProcess(t, nil)
	r.ok(t, "tools", "apply", tool("refund.create"))
	for name, c := range map[string]struct {
		a, b     string
		relation string
	}{
		"the same":        {refund, `{"order_id":" order_123","amount":"10","currency":"usd","reason":"reworded"}`, "IDENTITY_RELATION_SAME"},
		"another amount":  {refund, `{"order_id":"order_123","amount":"9.99","currency":"USD"}`, "IDENTITY_RELATION_DIFFERENT"},
		"refused":         {refund, `{"order_id":"order_123"}`, "IDENTITY_RELATION_REFUSED"},
		"no JSON at all":  {refund, `{"order_id":`, "IDENTITY_RELATION_REFUSED"},
		"twice a member":  {refund, `{"order_id":"a","order_id":"b","amount":"1","currency":"USD"}`, "IDENTITY_RELATION_REFUSED"},
		"an empty string": {`{"order_id":" ","amount":"1","currency":"USD"}`, refund, "IDENTITY_RELATION_REFUSED"},
	} {
		offline := do(t, "identity", "explain", "--json", "--file", tool("refund.create"), "--arguments", c.a, "--and", c.b)
		online := r.at(t, "identity", "explain", "--json", "--tool", "refund.create", "--arguments", c.a, "--and", c.b)
		if offline.status != online.status || (offline.status == exitOK) == (c.relation == "IDENTITY_RELATION_REFUSED") {
			t.Errorf("%s: status %d without a server, %d with one\n%s%s", name, offline.status, online.status, offline.err, online.err)
			continue
		}
		without, with := parse(t, offline.out), parse(t, online.out)
		if got := text(without, "comparison.relation"); got != c.relation || text(with, "comparison.relation") != got {
			t.Errorf("%s: %s without a server, %s with one", name, got, text(with, "comparison.relation"))
		}
		for _, path := range []string{"a.idempotency_key", "b.idempotency_key", "a.fingerprint", "b.fingerprint", "b.canonical_arguments_json"} {
			if text(without, path) != text(with, path) {
				t.Errorf("%s: %s is %q without a server, %q with one", name, path, text(without, path), text(with, path))
			}
		}
	}
	human := do(t, "identity", "explain", "--file", tool("refund.create"), "--arguments", `{"order_id":" order_123","amount":"10.00","currency":"usd"}`)
	has(t, "for a person", human.out, "refund:order_123:1000:USD:~:v1", "order/order_123", "/amount", "money", `"usd"`)
	r.stop(t)
}

func TestExplainAsksForATool(t *testing.T) {
	if got := do(t, "identity", "explain"); got.status != exitUsage {
		t.Errorf("got %+v", got)
	}
	two := readExample(t, "refund.create") + "\n---\n" + readExample(t, "email.send")
	if got := doWith(t, two, "identity", "explain", "--file", "-"); got.status != exitUsage || !strings.Contains(got.err, "refund.create, email.send") {
		t.Errorf("two tools: %+v", got)
	}
	if got := doWith(t, two, "identity", "explain", "--file", "-", "--tool", "refund.create", "--arguments", refund); got.status != exitOK {
		t.Errorf("one of two: %+v", got)
	}
}
