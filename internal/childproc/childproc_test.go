package childproc

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// actVariable makes the test binary play the child.
const actVariable = "OPLEDGER_TEST_CHILDPROC"

func TestMain(m *testing.M) {
	switch os.Getenv(actVariable) {
	case "":
		os.Exit(m.Run())
	case "fail":
		fmt.Fprintln(os.Stderr, "the last words")
		os.Exit(3)
	case "wait":
		fmt.Println("waiting")
		select {}
	}
}

func child(act string) Command {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return Command{Executable: self, Environment: []string{actVariable + "=" + act}}
}

func TestTheLastWordsOfAFailedChildAreKept(t *testing.T) {
	p, err := Start(t.Context(), child("fail"))
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Wait(); err == nil || !strings.Contains(err.Error(), "the last words") || !strings.Contains(err.Error(), "3") {
		t.Errorf("got %v", err)
	}
}

// started is a writer that tells of the first words.
type started chan struct{}

func (s started) Write(b []byte) (int, error) {
	select {
	case s <- struct{}{}:
	default:
	}
	return len(b), nil
}

func TestKillAndTheContextEndAChild(t *testing.T) {
	for name, end := range map[string]func(p *Process, cancel context.CancelFunc){
		"kill": func(p *Process, _ context.CancelFunc) {
			if !p.Kill() {
				t.Error("a living process was not killed")
			}
		},
		"context": func(_ *Process, cancel context.CancelFunc) { cancel() },
	} {
		ctx, cancel := context.WithCancel(t.Context())
		command, running := child("wait"), make(started, 1)
		command.Out = running
		p, err := Start(ctx, command)
		if err != nil {
			t.Fatal(err)
		}
		<-running
		end(p, cancel)
		if err := p.Wait(); err == nil {
			t.Errorf("%s: the child ended well", name)
		}
		cancel()
	}
}

func TestFlagsAreNotSetBehindTheCallersBack(t *testing.T) {
	got := environment([]string{"PATH=/bin", "OPLEDGER_TOKENS=/etc/tokens", "OPLEDGER_TEST_PG_URL=postgres://x"})
	if want := []string{"PATH=/bin", "OPLEDGER_TEST_PG_URL=postgres://x"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestOnlyTheEndOfALongSpeechIsKept(t *testing.T) {
	var speech tail
	for range 3 {
		if _, err := speech.Write([]byte(strings.Repeat("x", maxTail/2))); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := speech.Write([]byte("the end")); err != nil {
		t.Fatal(err)
	}
	if got := speech.String(); len(got) != maxTail || !strings.HasSuffix(got, "the end") {
		t.Errorf("kept %d bytes, ending in %q", len(got), got[max(0, len(got)-10):])
	}
}
