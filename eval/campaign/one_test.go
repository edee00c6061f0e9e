package campaign

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/opledger/opledger/eval"
	"github.com/opledger/opledger/eval/check"
)

func TestManyByHand(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv("MANY"))
	if n == 0 {
		t.Skip()
	}
	make := A
	if os.Getenv("SUITE") == "b" {
		make = B
	}
	seen := map[string]int{}
	example := map[string]uint64{}
	ids := regexp.MustCompile(`op_[a-z0-9]+|[0-9]+`)
	k := kept{}
	c := make(n, func(r eval.Record) []eval.Finding {
		fs := append(check.All(r), k.judge(r)...)
		k.mu.Lock()
		defer k.mu.Unlock()
		for _, o := range r.Operations {
			if o.NeedsHuman != nil {
				fs = append(fs, eval.Finding{Checker: "human", Message: r.Tool})
			}
		}
		for _, f := range fs {
			m := f.Checker + ": " + ids.ReplaceAllString(f.Message, "#")
			seen[m]++
			example[m] = r.Run
		}
		return nil
	})
	began := time.Now()
	r, err := c.Run(t.Context(), eval.Env{Engine: "sqlite", Dir: os.Getenv("DIR"), Seed: 5})
	t.Log(err, time.Since(began))
	for m, n := range seen {
		t.Logf("%6d %s (%d)", n, m, example[m])
	}
	for _, f := range r.Findings {
		t.Log(f.Message)
	}
	for _, f := range r.Figures {
		t.Logf("%+v", f)
	}
	for c, fs := range r.Drawn {
		t.Log(c, fs)
	}
}

func TestOneByHand(t *testing.T) {
	for _, s := range strings.Fields(os.Getenv("RUNS")) {
		seed, _ := strconv.ParseUint(s, 10, 64)
		c := A(1, check.All)
		if seed&suiteBit != 0 {
			c = B(1, check.All)
		}
		o, err := c.alone(t.Context(), eval.Env{Engine: "sqlite", Dir: t.TempDir()}, One(seed))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range o.record.Steps {
			t.Log(s)
		}
		for _, f := range c.judge(o.record) {
			t.Log(f.Checker, f.Message)
			if f.Checker == "linearizability" {
				for _, l := range f.History {
					t.Log("     ", l)
				}
			}
		}
	}
}
