package docs

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/opledger/opledger/policy"
	"github.com/opledger/opledger/policy/policytest"
)

// yamlBlock is a block of YAML on a page, with what it says.
var yamlBlock = regexp.MustCompile("(?ms)^```yaml\n(.*?)^```$")

// TestPolicyExamples runs every block of YAML on the page of rules as a file in the root of the repository, which is where
// its reader saves it. A sentence on the page that is not so any more fails here.
func TestPolicyExamples(t *testing.T) {
	page := read(t, "policy.md")
	blocks := yamlBlock.FindAllStringSubmatchIndex(page, -1)
	if len(blocks) < 10 {
		t.Fatalf("the page promises ten examples and has %d", len(blocks))
	}
	if headings := regexp.MustCompile(`(?m)^### \d+\. `).FindAllString(page, -1); len(headings) != len(blocks) {
		t.Errorf("%d examples have a number, and %d have cases", len(headings), len(blocks))
	}
	for i, at := range blocks {
		t.Run(fmt.Sprintf("example %d", i+1), func(t *testing.T) {
			text := page[at[2]:at[3]]
			// Empty lines in front keep the lines of messages those of the page.
			before := strings.Repeat("\n", strings.Count(page[:at[2]], "\n"))
			report, err := policytest.RunText("../policy.md", []byte(before+text), os.ReadFile)
			if err != nil {
				t.Fatal(err)
			}
			if n := len(report.Cases); n < 2 {
				t.Errorf("it has %d cases; an example shows at least what passes and what does not", n)
			}
			if len(report.Untested) > 0 {
				t.Errorf("no case makes %v say no", report.Untested)
			}
			if !report.OK() {
				var told strings.Builder
				_ = report.Write(&told)
				t.Error(told.String())
			}
		})
	}
}

// TestPolicyEnvironment holds the page's table of what expressions may name to the list that the policy itself gives.
func TestPolicyEnvironment(t *testing.T) {
	var want []string
	for _, n := range policy.Environment() {
		want = append(want, fmt.Sprintf("| `%s` | `%s` | %s |", n.Name, n.Type, n.Doc))
	}
	if got := rowsUnder(read(t, "policy.md"), "| name | type | what it is |"); !slices.Equal(got, want) {
		t.Errorf("the table has\n%s\nand expressions may name\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestPolicyNames holds the tables of codes and of built-in rules to the constants, both ways.
func TestPolicyNames(t *testing.T) {
	page := read(t, "policy.md")
	for head, source := range map[string]struct{ file, constant string }{
		"| code | what is wrong |": {"../policy/problem.go", `(?m)^\tCode\w+\s+Code = "(\w+)"`},
		"| built-in | it says |":   {"../policy/judge.go", `(?m)^\tRule\w+\s+= "(\w+)"`},
	} {
		var want, got []string
		for _, m := range regexp.MustCompile(source.constant).FindAllStringSubmatch(read(t, source.file), -1) {
			want = append(want, m[1])
		}
		for _, row := range rowsUnder(page, head) {
			got = append(got, quoted.FindStringSubmatch(row)[1])
		}
		slices.Sort(want)
		slices.Sort(got)
		if len(want) == 0 || !slices.Equal(got, want) {
			t.Errorf("under %q the page names\n%q\nand %s has\n%q", head, got, source.file, want)
		}
	}
}

// TestPolicyReasons looks for a reason of an error that the API does not have.
func TestPolicyReasons(t *testing.T) {
	api := read(t, "../proto/opledger/v1/errors.proto")
	for _, name := range []string{"policy.md", "leases.md", "approvals.md"} {
		rows := rowsUnder(read(t, name), "| reason | when |")
		if len(rows) == 0 {
			t.Errorf("%s has no table of reasons", name)
		}
		for _, row := range rows {
			if reason := quoted.FindStringSubmatch(row)[1]; !strings.Contains(api, " ERROR_REASON_"+reason+" = ") {
				t.Errorf("%s names the reason %s, which the API does not have", name, reason)
			}
		}
	}
}

// link is a link within the repository, with its target.
var link = regexp.MustCompile(`\]\(([^)#:]*)(#[^)]*)?\)`)

// TestLinks follows the links of the pages within the repository.
func TestLinks(t *testing.T) {
	for _, name := range []string{"policy.md", "leases.md", "approvals.md", "workflows.md", "architecture.md", "callers.md", "../README.md"} {
		page := read(t, name)
		for _, m := range link.FindAllStringSubmatch(page, -1) {
			target := page
			if m[1] != "" {
				path := filepath.Join(filepath.Dir(name), m[1])
				if _, err := os.Stat(path); err != nil {
					t.Errorf("%s: %v", name, err)
					continue
				}
				if m[2] != "" {
					target = read(t, path)
				}
			}
			if m[2] != "" && !slices.Contains(anchors(target), m[2]) {
				t.Errorf("%s links to %s%s, which is no heading", name, m[1], m[2])
			}
		}
	}
}

// anchors are the links to a page's headings, as GitHub makes them.
func anchors(page string) (all []string) {
	for _, m := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(page, -1) {
		kept := regexp.MustCompile(`[^\w\- ]`).ReplaceAllString(strings.ToLower(m[1]), "")
		all = append(all, "#"+strings.ReplaceAll(kept, " ", "-"))
	}
	return all
}

// rowsUnder are the rows of the table whose first cells are given.
func rowsUnder(page, head string) (rows []string) {
	_, rest, _ := strings.Cut(page, "\n"+head)
	for i, line := range strings.Split(rest, "\n") {
		if i > 0 && !strings.HasPrefix(line, "|") {
			break
		}
		if i > 1 { // the rest of the head, and the line under it
			rows = append(rows, line)
		}
	}
	return rows
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
