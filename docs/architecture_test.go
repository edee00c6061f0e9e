// Package docs holds the documentation to the code.
package docs

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/opledger/opledger/"

// pkg is what the go command says of a package.
type pkg struct {
	ImportPath string
	Imports    []string
}

func packages(t *testing.T) map[string]pkg {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-json=ImportPath,Imports", module+"...").Output()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]pkg{}
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all[strings.TrimPrefix(p.ImportPath, module)] = p
	}
}

var quoted = regexp.MustCompile("`([^`]+)`")

// table reads "Where things are": package to the imports of ours that it may have.
func table(t *testing.T) map[string][]string {
	t.Helper()
	text, err := os.ReadFile("architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string][]string{}
	for _, line := range strings.Split(string(text), "\n") {
		cells := strings.Split(line, "|")
		if len(cells) != 5 || !strings.HasPrefix(strings.TrimSpace(cells[1]), "`") {
			continue
		}
		name := quoted.FindStringSubmatch(cells[1])[1]
		rows[name] = []string{}
		for _, m := range quoted.FindAllStringSubmatch(cells[3], -1) {
			rows[name] = append(rows[name], m[1])
		}
	}
	return rows
}

// onTop are packages that use the others and are used by none of them.
var onTop = regexp.MustCompile(`^(cmd/|demo|bench|crashtest|providers/servers$|docs|proto|gen/|internal/|.*test$|examples)`)

// TestImports holds the code's imports and the page's table to each other, both ways.
func TestImports(t *testing.T) {
	all, page := packages(t), table(t)
	for name, p := range all {
		if onTop.MatchString(name) {
			continue
		}
		allowed, listed := page[name]
		if !listed {
			t.Errorf("package %s is not in the table of architecture.md", name)
			continue
		}
		var ours []string
		for _, i := range p.Imports {
			if strings.HasPrefix(i, module) {
				ours = append(ours, strings.TrimPrefix(i, module))
			}
		}
		for _, i := range ours {
			if !slices.Contains(allowed, i) {
				t.Errorf("%s imports %s, which the table does not allow", name, i)
			}
		}
		for _, a := range allowed {
			if !slices.Contains(ours, a) {
				t.Errorf("the table says that %s imports %s, and it does not", name, a)
			}
		}
	}
	for name := range page {
		if _, exists := all[name]; !exists {
			t.Errorf("the table names %s, which does not exist", name)
		}
	}
}

// TestPure holds the packages that decide to having nothing to do with the world: what they import beside each other is
// computation.
func TestPure(t *testing.T) {
	impure := regexp.MustCompile(`^(database/|net(/|$)|os(/|$)|io/ioutil|math/rand|crypto/rand|log(/|$)|sync(/|$)|google\.golang\.org/|github\.com/jackc|modernc\.org|go\.yaml\.in|gopkg\.in|buf\.build|connectrpc\.com)`)
	// Computation, whatever their names: URLs taken apart, and tables computed on first use.
	excused := []string{"net/url", "net/netip", "sync"}
	all := packages(t)
	for _, name := range []string{"canon", "locks", "policy", "registry", "ledger"} {
		for _, i := range all[name].Imports {
			if impure.MatchString(i) && !slices.Contains(excused, i) {
				t.Errorf("%s decides, and imports %s", name, i)
			}
		}
	}
}

// TestNoClockInTheCore looks for the one thing that imports do not show: asking what time it is.
func TestNoClockInTheCore(t *testing.T) {
	clock := regexp.MustCompile(`\btime\.(Now|Since|Until|Sleep|After|NewTimer|NewTicker|Tick)\(`)
	for _, dir := range []string{"canon", "locks", "policy", "registry", "ledger"} {
		entries, err := os.ReadDir("../" + dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
				continue
			}
			text, err := os.ReadFile("../" + dir + "/" + e.Name())
			if err != nil {
				t.Fatal(err)
			}
			if m := clock.FindString(string(text)); m != "" {
				t.Errorf("%s/%s decides, and asks the clock: %s", dir, e.Name(), m)
			}
		}
	}
}
