package docs

import (
	"crypto/x509"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/opledger/opledger/adapter"
	"github.com/opledger/opledger/dispatch"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/internal/outward"
	"github.com/opledger/opledger/internal/yamlproto"
	"github.com/opledger/opledger/providers"
	"github.com/opledger/opledger/registry"
	"github.com/opledger/opledger/registry/toolfile"
	"github.com/opledger/opledger/server/servertest"
)

// providerExample is the tool of the page.
func providerExample(t *testing.T) string {
	t.Helper()
	blocks := yamlBlock.FindAllStringSubmatch(read(t, "providers.md"), -1)
	if len(blocks) != 1 {
		t.Fatalf("the page has %d tools", len(blocks))
	}
	return blocks[0][1]
}

// TestProviderInTwentyLines: the page promises twenty lines, and a tool that is accepted without a warning.
func TestProviderInTwentyLines(t *testing.T) {
	text := providerExample(t)
	_, provider, found := strings.Cut(text, "\nprovider:")
	if lines := strings.Count("provider:"+provider, "\n"); !found || lines > 20 {
		t.Errorf("the provider has %d lines", lines)
	}
	sources, problems := toolfile.Parse("parcel.order.yaml", []byte(text))
	for _, s := range sources {
		refused, warnings := s.Check(registry.ThisRelease())
		problems = append(append(problems, refused...), warnings...)
	}
	for _, p := range problems {
		t.Error(p)
	}
}

// parcels is a provider that commits, lets its first answer be lost, and counts the labels that were ordered.
type parcels struct {
	mu       sync.Mutex
	labels   []map[string]any
	requests []*http.Request
	lost     bool
}

func (p *parcels) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.requests = append(p.requests, r)
	if r.Header.Get("Authorization") != "Bearer s3cret" {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	if r.Method == http.MethodGet {
		found := []map[string]any{}
		for _, l := range p.labels {
			if l["reference"] == r.URL.Query().Get("reference") {
				found = append(found, l)
			}
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"labels": found})
		return
	}
	var label map[string]any
	text, err := io.ReadAll(r.Body)
	if err != nil || json.Unmarshal(text, &label) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	label["id"] = "lbl_1"
	p.labels = append(p.labels, label)
	if !p.lost {
		p.lost = true
		panic(http.ErrAbortHandler) // the connection is closed without an answer
	}
	w.WriteHeader(http.StatusCreated)
	_ = json.NewEncoder(w).Encode(map[string]any{"label": label})
}

// TestProviderExampleRuns applies the page's tool as it stands, but for the host, and lives through the bad day that the
// page speaks of: the answer is lost after the commit, the lookup finds the label, and one was ordered.
func TestProviderExampleRuns(t *testing.T) {
	w := servertest.SQLite(t)
	vendor := &parcels{}
	s := httptest.NewTLSServer(vendor)
	t.Cleanup(s.Close)
	at, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(providerExample(t), "allowed_hosts: [api.parcels.example]", "allowed_hosts: ["+at.Hostname()+"]")
	text = strings.ReplaceAll(text, "https://api.parcels.example/", s.URL+"/")
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())

	c := w.Serve()
	w.Dispatch()
	w.CarryOut(func(config *dispatch.ExecutorConfig) {
		config.Adapter = adapter.New(adapter.Config{AllowPrivate: true, Roots: roots, Secrets: outward.Secrets{
			EnvPrefix: outward.DefaultEnvPrefix,
			LookupEnv: func(name string) (string, bool) { return "s3cret", name == "OPLEDGER_SECRET_PARCELS" },
		}})
	})
	c.Apply(text)
	c.Propose("parcel.order", `{"order_id":"order_123","weight_grams":1200}`)
	var o *pb.Operation
	for deadline := time.Now().Add(30 * time.Second); ; {
		if o = c.Operations()[0]; o.GetState() == pb.Operation_STATE_COMPLETED_SUCCESS {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("it stays %s: %v", o.GetState(), o)
		}
	}
	vendor.mu.Lock()
	defer vendor.mu.Unlock()
	if len(vendor.labels) != 1 || o.GetResult().GetProviderObjectId() != "lbl_1" {
		t.Errorf("%d labels were ordered; the result is %v", len(vendor.labels), o.GetResult())
	}
	first := vendor.requests[0]
	if first.Header.Get("Idempotency-Key") == "" || vendor.labels[0]["grams"] != 1200.0 {
		t.Errorf("sent %v, %v", first.Header, vendor.labels[0])
	}
	if _, there := vendor.labels[0]["note"]; there {
		t.Errorf("what is absent was sent: %v", vendor.labels[0])
	}
}

// TestProviderBases holds the page's table to the profiles that ship.
func TestProviderBases(t *testing.T) {
	var want []string
	for _, name := range providers.Names() {
		base, _ := providers.Find(name)
		key := "no"
		if k := base.Profile.GetIdempotencyKey(); k.GetRetention() != nil {
			key = strings.TrimSuffix(k.GetRetention().AsDuration().String(), "0m0s")
		} else if k.GetSupported() {
			key = "for a time that it does not publish"
		}
		var by []string
		for _, l := range base.Profile.GetLookups() {
			by = append(by, yamlproto.Word[string](l.GetBy()))
		}
		row := "| `" + name + "` | " + base.Title + " | " + key + " | " + strings.Join(by, " ")
		want = append(want, strings.TrimSpace(row)+" |")
	}
	got := rowsUnder(read(t, "providers.md"), "| base | for | deduplicates by key | can be asked by |")
	if !slices.Equal(got, want) {
		t.Errorf("the table has\n%s\nand there ships\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestAdapterCodes holds the tables of codes to the constants, both ways.
func TestAdapterCodes(t *testing.T) {
	page := read(t, "providers.md")
	var want, got []string
	for _, m := range regexp.MustCompile(`(?m)^\tCode\w+\s+= "(\w+)"`).FindAllStringSubmatch(read(t, "../adapter/fault.go"), -1) {
		want = append(want, m[1])
	}
	for _, head := range []string{"| code | before the first byte |", "| code | after the first byte |"} {
		for _, row := range rowsUnder(page, head) {
			got = append(got, quoted.FindStringSubmatch(row)[1])
		}
	}
	if !slices.Equal(got, want) || len(want) == 0 {
		t.Errorf("the page has %q, and there are %q", got, want)
	}
}
