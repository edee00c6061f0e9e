package vectors

import (
	"os"
	"strings"
	"testing"
)

func load(t *testing.T) *File {
	t.Helper()
	data, err := os.ReadFile("testdata/canonical_vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	file, err := Read(data)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func TestEveryVectorPasses(t *testing.T) {
	file := load(t)
	if len(file.Vectors) != 134 {
		t.Errorf("the file has %d vectors, want 134", len(file.Vectors))
	}
	for _, v := range file.Vectors {
		t.Run(v.ID, func(t *testing.T) {
			if result := v.Run(); !result.Passed {
				var b strings.Builder
				result.write(&b)
				t.Error("\n" + b.String())
			}
		})
	}
}

// The pass above means something only if wrong expectations fail: each vector is turned round in every way that
// contradicts it, and must then fail.
func TestTurnedVectorsFail(t *testing.T) {
	for _, v := range load(t).Vectors {
		t.Run(v.ID, func(t *testing.T) {
			result := v.Run()
			if result.A.Accepted && result.B.Accepted {
				turned := v
				turned.Same = !v.Same
				if turned.Run().Passed {
					t.Error("passes with the opposite answer")
				}
			}
			turned := v
			turned.MayRefuse = nil
			turned.Refused = nil
			for _, s := range []Side{result.A, result.B} {
				if s.Accepted {
					turned.Refused = append(turned.Refused, s.Name)
				}
			}
			if turned.Run().Passed {
				t.Error("passes with refusals and acceptances exchanged")
			}
			if v.Canonical != nil && result.A.Accepted {
				other := *v.Canonical + " "
				turned := v
				turned.Canonical = &other
				if turned.Run().Passed {
					t.Error("passes with another canonical form")
				}
			}
		})
	}
}

func TestReport(t *testing.T) {
	file, err := Read([]byte(`{"format":"opledger-canonical-vectors/1","vectors":[
		{"id":"X-1","group":"good","fields":{},"a":"{\"n\":1}","b":"{\"n\":1.0}","same":true,"basis":"json","why":"One number."},
		{"id":"X-2","group":"bad","fields":{"/s":{"kind":"text"}},"a":"{\"s\":\"caf\u00e9\"}","b":"{\"s\":\"cafe\u0301\"}","same":false,"basis":"choice","why":"Wrongly told apart."},
		{"id":"X-3","group":"bad","fields":{},"a":"{\"n\":01}","b":"{}","same":false,"basis":"choice","why":"Wrongly accepted."}]}`))
	if err != nil {
		t.Fatal(err)
	}
	report := file.Run()
	if report.OK() || report.Total.Passed != 1 || report.Total.Failed != 2 {
		t.Errorf("total %+v", report.Total)
	}
	var b strings.Builder
	if err := report.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	want := `FAIL X-2 (bad, decided by choice)
  why   Wrongly told apart.
  !     the sides must not be the same operation, but are taken for one
  a     sent       {"s":"caf\u00e9"}
        canonical  {"s":"caf\u00e9"}
  b     sent       {"s":"cafe\u0301"}
        canonical  {"s":"caf\u00e9"}

FAIL X-3 (bad, decided by choice)
  why   Wrongly accepted.
  !     side a must be accepted, but was refused
  a     sent       {"n":01}
        refused    "/n" A number has no leading zeros; send an id as a string. (at byte 6) [SYNTAX]
  b     sent       {}
        canonical  {}

good     1 passed
bad      0 passed     2 FAILED
all      1 passed     2 FAILED
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

func TestReadIsStrict(t *testing.T) {
	vector := `{"id":"X","group":"g","fields":{},"a":"1","b":"1","same":true,"basis":"json","why":"w"}`
	for name, text := range map[string]string{
		"another format":        `{"format":"other/1","vectors":[` + vector + `]}`,
		"no vectors":            `{"format":"` + Format + `","vectors":[]}`,
		"an unknown member":     `{"format":"` + Format + `","vectors":[` + strings.Replace(vector, `"why"`, `"because"`, 1) + `]}`,
		"an unknown option":     `{"format":"` + Format + `","vectors":[` + strings.Replace(vector, `{}`, `{"/a":{"kind":"text","white":"trim"}}`, 1) + `]}`,
		"one id twice":          `{"format":"` + Format + `","vectors":[` + vector + `,` + vector + `]}`,
		"a member twice":        `{"format":"` + Format + `","format":"` + Format + `","vectors":[` + vector + `]}`,
		"no side b":             `{"format":"` + Format + `","vectors":[` + strings.Replace(vector, `"b":"1",`, ``, 1) + `]}`,
		"an unknown side":       `{"format":"` + Format + `","vectors":[` + strings.Replace(vector, `"why"`, `"may_refuse":["c"],"why"`, 1) + `]}`,
		"refused and yet equal": `{"format":"` + Format + `","vectors":[` + strings.Replace(vector, `"why"`, `"refused":["a"],"why"`, 1) + `]}`,
	} {
		if _, err := Read([]byte(text)); err == nil {
			t.Errorf("a file with %s is read", name)
		}
	}
	if _, err := Read([]byte(`{"format":"` + Format + `","vectors":[` + vector + `]}`)); err != nil {
		t.Errorf("the file without a fault is refused: %v", err)
	}
}
