package template_test

import (
	"net/url"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/opledger/opledger/canon"
	"github.com/opledger/opledger/registry/template"
)

// from gives values from JSON: arguments below args, and words beside them.
func from(t testing.TB, text string) template.Values {
	t.Helper()
	v, faults := canon.Parse([]byte(text), canon.Limits{})
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	return func(r template.Reference) *canon.Value {
		found, ok := v.At(append(canon.Pointer{r.Word}, r.Path...))
		if !ok {
			return nil
		}
		return found
	}
}

const call = `{"args":{"id":"a b/c?d&e=f#g","n":4900,"half":0.5,"yes":true,"none":null,"tags":["x","y"],"buyer":{"id":"b_1"},"quote":"say \"hi\"\n","empty":"","dots":".."},"vendor_key":"opk-1"}`

func TestTexts(t *testing.T) {
	values := from(t, call)
	for text, want := range map[string]string{
		"plain": "plain", "": "", "{vendor_key}": "opk-1", "a{args.n}b{args.half}{args.yes}": "a4900b0.5true",
		"{args.buyer.id}/{args.tags.1}": "b_1/y", "{{id}} }}{{": "{id} }{", "{args.quote}": "say \"hi\"\n",
	} {
		tt, fault := template.ParseText(text)
		if fault != nil {
			t.Errorf("%s: %v", text, fault)
			continue
		}
		if got, there, err := tt.Fill(values); got != want || !there || err != nil {
			t.Errorf("%s: %q, %v, %v", text, got, there, err)
		}
	}
	for _, text := range []string{"x{args.note?}", "{args.none?}y"} {
		tt, _ := template.ParseText(text)
		if _, there, err := tt.Fill(values); there || err != nil {
			t.Errorf("%s: %v, %v", text, there, err)
		}
	}
	for text, words := range map[string]string{"{args.note}": "no value", "{args.none}": "no value", "{args.tags}": "array", "{args.buyer}": "object"} {
		tt, _ := template.ParseText(text)
		if _, _, err := tt.Fill(values); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestTextsThatAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		"ab}c": "column 3", "ab{c": "column 3", "{}": "no reference", "{a b}": "no reference", "{a.}": "no reference", "{a{b}}": "no reference",
		"{1a}": "no reference", "ü{": "column 2", strings.Repeat("{a}", template.MaxReferences+1): "at most",
	} {
		if _, fault := template.ParseText(text); fault == nil || !strings.Contains(fault.Error(), want) {
			t.Errorf("%.20s: %v", text, fault)
		}
	}
}

func TestJSON(t *testing.T) {
	values := from(t, call)
	for text, want := range map[string]string{
		`{"n":"{args.n}","t":"n={args.n}","yes":"{args.yes}","tags":"{args.tags}","null":"{args.none}","buyer":{"x":"{args.buyer}"}}`: `{"buyer":{"x":{"id":"b_1"}},"n":4900,"null":null,"t":"n=4900","tags":["x","y"],"yes":true}`,
		`{"q":"{args.quote}","in":"<{args.quote}>"}`:                      `{"in":"<say \"hi\"\n>","q":"say \"hi\"\n"}`,
		`{"a":"{args.note?}","b":["{args.note?}",1],"c":"x{args.note?}"}`: `{"b":[1]}`,
		`{"query":"mutation {{ go {{ id }} }}"}`:                          `{"query":"mutation { go { id } }"}`,
		`"{args.note?}"`:                                                  `null`, `[]`: `[]`, `12.50`: `12.5`,
	} {
		j, fault := template.ParseJSON(text)
		if fault != nil {
			t.Errorf("%s: %v", text, fault)
			continue
		}
		v, err := j.Fill(values)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := string(v.Canonical()); got != want {
			t.Errorf("%s makes %s", text, got)
		}
	}
	for text, want := range map[string]string{
		`{`: "comma", `{"a":"{x"}`: "At /a, column 1", `{"{a}":1}`: "constants", `{"a":["ok","}"]}`: "At /a/1", `{"a":1,"a":2}`: "",
	} {
		if _, fault := template.ParseJSON(text); fault == nil || text != `{` && !strings.Contains(fault.Error(), want) {
			t.Errorf("%s: %v", text, fault)
		}
	}
	j, _ := template.ParseJSON(`{"a":"{args.note}"}`)
	if _, err := j.Fill(values); err == nil {
		t.Error("what has no value is filled in")
	}
}

func TestSetsAndWith(t *testing.T) {
	j, _ := template.ParseJSON(`{"a":{"b":1},"l":[1]}`)
	for p, want := range map[string]bool{"/a": true, "/a/b": true, "/a/c": false, "/x/y": false, "/a/b/c": true, "/l/x": true} {
		at, _ := canon.ParsePointer(p)
		if j.Sets(at) != want {
			t.Errorf("%s: %v", p, !want)
		}
		v, _ := j.Fill(from(t, `{}`))
		filled, ok := template.With(v, at, "k")
		if ok == want {
			t.Errorf("%s: a text can be put there: %v", p, ok)
		}
		if !ok {
			continue
		}
		if got, _ := filled.At(at); !got.Equal(canon.String("k")) {
			t.Errorf("%s holds %s", p, got.Canonical())
		}
	}
}

func TestURLs(t *testing.T) {
	values := from(t, call)
	for text, want := range map[string]string{
		"https://api.example.com":                                         "/",
		"https://api.example.com/v1/{args.n}/x":                           "/v1/4900/x",
		"https://api.example.com/v1/{args.id}":                            "/v1/a%20b%2Fc%3Fd&e=f%23g",
		"https://api.example.com?q={args.id}":                             "/?q=a%20b%2Fc%3Fd%26e%3Df%23g",
		"https://api.example.com:8443/s?a={args.note?}&b={args.n}&c=":     "/s?b=4900&c=",
		"https://api.example.com/s?a={args.note?}":                        "/s",
		"https://api.example.com/s?jql=labels%20%3D%20%22{vendor_key}%22": "/s?jql=labels%20%3D%20%22opk-1%22",
	} {
		u, fault := template.ParseURL(text)
		if fault != nil {
			t.Errorf("%s: %v", text, fault)
			continue
		}
		if got, err := u.Fill(values); got != want || err != nil {
			t.Errorf("%s: %q, %v", text, got, err)
		}
		if u.Hostname() != "api.example.com" {
			t.Errorf("%s has the host %s", text, u.Hostname())
		}
	}
	for text, words := range map[string]string{
		"api.example.com/x": "begins", "ftp://api.example.com": "begins", "https://{args.host}/x": "constant", "https://api.{args.n}.com/x": "constant",
		"https://api.example.com{args.n}": "constant", "https://me:pw@api.example.com/": "user", "https:///x": "host", "https://api.example.com/#x": "fragment",
		"https://api.example.com/a b": "percent", "https://api.example.com/{args.n?}": "left out", "https://api.example.com/%zz": "percent",
		"https://api.example.com/?a=%zz": "percent", "https://api.example.com/../x": "dot segment", "{vendor_key}://x": "begins",
		"https://api.example.com:x/": "host", "https://:443/": "host", "https://api.example.com/\r\nx": "percent",
	} {
		if _, fault := template.ParseURL(text); fault == nil || !strings.Contains(fault.Error(), words) {
			t.Errorf("%s: %v", text, fault)
		}
	}
	for _, text := range []string{"https://h/{args.dots}/x", "https://h/{args.empty}", "https://h/x{args.note}", "https://h/?a={args.tags}"} {
		u, fault := template.ParseURL(text)
		if fault != nil {
			t.Fatal(fault)
		}
		if got, err := u.Fill(values); err == nil {
			t.Errorf("%s: %s", text, got)
		}
	}
}

// TestNoValueLeavesItsPlace: whatever a value is, it comes back whole from the place that it was put into, and no other
// place changes.
func TestNoValueLeavesItsPlace(t *testing.T) {
	u, fault := template.ParseURL("https://h/a/{args.v}/z?q={args.v}&r=1")
	if fault != nil {
		t.Fatal(fault)
	}
	j, _ := template.ParseJSON(`{"a":"{args.v}","b":"<{args.v}>","c":1}`)
	rapid.Check(t, func(r *rapid.T) {
		text := rapid.StringMatching(`[ -~äé\r\n\t]{1,12}`).Draw(r, "value")
		values := func(template.Reference) *canon.Value { return canon.String(text) }
		target, err := u.Fill(values)
		if text == "." || text == ".." {
			if err == nil {
				r.Fatal("a dot segment is filled in")
			}
			return
		}
		parsed, perr := url.ParseRequestURI(target)
		if err != nil || perr != nil {
			r.Fatal(err, perr)
		}
		if segments := strings.Split(parsed.EscapedPath(), "/"); len(segments) != 4 || segments[3] != "z" {
			r.Fatalf("%q leads to %s", text, target)
		} else if back, _ := url.PathUnescape(segments[2]); back != text {
			r.Fatalf("%q became %q", text, back)
		}
		if q := parsed.Query(); q.Get("q") != text || q.Get("r") != "1" || len(q) != 2 {
			r.Fatalf("%q became the query %v", text, q)
		}
		v, err := j.Fill(values)
		if err != nil {
			r.Fatal(err)
		}
		again, faults := canon.Parse(v.Canonical(), canon.Limits{})
		if len(faults) > 0 || again.Len() != 3 {
			r.Fatal(faults)
		}
		if a, _ := again.Lookup("/a"); !a.Equal(canon.String(text)) {
			r.Fatalf("%q became %s", text, a.Canonical())
		}
		if b, _ := again.Lookup("/b"); !b.Equal(canon.String("<" + text + ">")) {
			r.Fatalf("%q became %s", text, b.Canonical())
		}
	})
}
