package servers

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"testing"
	"time"

	"github.com/opledger/opledger/internal/childproc"
)

var mailpitSend = example{name: "mailpit.send", host: "mailpit.example.com"}

// startMailpit runs a Mailpit for one test.
func startMailpit(t *testing.T) (serverURL string) {
	t.Helper()
	binary, err := filepath.Abs(in("bin/mailpit"))
	if err != nil {
		t.Fatal(err)
	}
	if !there(binary) {
		missing(t, "Mailpit", "scripts/setup-servers compiles it")
	}
	address := freeAddress(t)
	ctx, cancel := context.WithCancel(context.Background())
	child, err := childproc.Start(ctx, childproc.Command{Executable: binary, Arguments: []string{
		"--listen", address, "--smtp", "127.0.0.1:0", "--database", filepath.Join(t.TempDir(), "mail.db"), "--disable-version-check",
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		_ = child.Wait()
	})
	for deadline := time.Now().Add(patience); ; {
		if conn, err := net.Dial("tcp", address); err == nil {
			_ = conn.Close()
			return "http://" + address
		}
		select {
		case <-child.Done():
			t.Fatalf("Mailpit did not start: %v", child.Wait())
		case <-time.After(20 * time.Millisecond):
		}
		if time.Now().After(deadline) {
			t.Fatal("Mailpit does not listen")
		}
	}
}

// freeAddress is an address of this machine that nobody listens at. Mailpit does not tell which port it was given.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}

// mails lists the ids of the mails with a subject.
func mails(t *testing.T, serverURL, subject string) (ids []string) {
	t.Helper()
	var list struct{ Messages []struct{ ID string } }
	query := url.Values{"query": {`subject:"` + subject + `"`}}
	if status := call(t, http.MethodGet, serverURL+"/api/v1/search?"+query.Encode(), nil, "", &list); status != http.StatusOK {
		t.Fatalf("the search answers %d", status)
	}
	for _, m := range list.Messages {
		ids = append(ids, m.ID)
	}
	return ids
}

// TestMailpit: a mail is sent once, whatever becomes of the answer. The recipient's address makes Mailpit add a tag of its
// own, so that a reference among the tags would not be found in its place.
func TestMailpit(t *testing.T) {
	t.Parallel()
	serverURL := startMailpit(t)
	trial{
		tool: mailpitSend, serverURL: serverURL,
		arguments: func(_ *testing.T, n int) string {
			return fmt.Sprintf(`{"ref":"order_%d","to":"ann+abc@example.com","subject":"Order no%dx","text":"It is \"on\"\nits way."}`, n, n)
		},
		effects: func(t *testing.T, n int) []string { return mails(t, serverURL, fmt.Sprintf("Order no%dx", n)) },
	}.run(t)
}
