package admin_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/opledger/opledger/breaker"
	"github.com/opledger/opledger/ledger"
)

// TestAlertRulesReadWhatIsMeasured: every alert of the shipped rules reads a metric that a server gives, and says what to
// do. A rule over a metric that nobody gives would be silent for ever.
func TestAlertRulesReadWhatIsMeasured(t *testing.T) {
	text, err := os.ReadFile("../../deploy/prometheus/opledger.rules.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Groups []struct {
			Rules []struct {
				Alert       string
				Expr        string
				Annotations struct{ Summary, Action string }
			}
		}
	}
	if err := yaml.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	p := open(t, false)
	p.metrics.Incident("contradiction") // a counter with labels is shown from its first count on
	p.metrics.Exchange("mail.send", "dispatch", "ambiguous", time.Second)
	p.metrics.Breaker(breaker.Key{Namespace: "shop", Provider: "post", Kind: ledger.WorkDispatch}, breaker.Open)
	p.enqueue(t)
	_, given := p.get(t, "/metrics", "")
	rules := 0
	for _, g := range file.Groups {
		for _, r := range g.Rules {
			rules++
			names := regexp.MustCompile(`opledger_[a-z_]+`).FindAllString(r.Expr, -1)
			if len(names) == 0 {
				t.Errorf("%s reads nothing of ours: %s", r.Alert, r.Expr)
			}
			for _, name := range names {
				if !strings.Contains(given, "\n"+name+"{") && !strings.Contains(given, "\n"+name+" ") {
					t.Errorf("%s reads %s, which no server gives", r.Alert, name)
				}
			}
			if r.Annotations.Summary == "" || r.Annotations.Action == "" {
				t.Errorf("%s does not say what is wrong and what to do", r.Alert)
			}
		}
	}
	if rules < 12 {
		t.Fatalf("%d rules were read", rules)
	}
}
