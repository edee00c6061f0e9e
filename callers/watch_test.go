package callers

import (
	"context"
	"os"
	"testing"
	"time"
)

func TestWatchTellsOfEachReadingOnce(t *testing.T) {
	first, second := tokenOf(t, 1), tokenOf(t, 2)
	path := write(t, HashToken(first)+" namespace=shop principal=a roles=read")
	f, err := OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	look, hup, told, ended := make(chan time.Time), make(chan os.Signal), make(chan error, 8), make(chan struct{})
	go func() {
		f.Watch(ctx, look, hup, func(err error) { told <- err })
		close(ended)
	}()
	// A look is answered when the next one is taken, since the channels have no room.
	look <- time.Time{}
	rewrite(t, path, "nonsense")
	look <- time.Time{}
	look <- time.Time{}
	if err := <-told; err == nil {
		t.Error("a broken file was not told of")
	}
	rewrite(t, path, HashToken(second)+" namespace=shop principal=a roles=read,propose")
	look <- time.Time{}
	if err := <-told; err != nil {
		t.Errorf("the mended file: %v", err)
	}
	hup <- os.Interrupt
	if err := <-told; err != nil {
		t.Errorf("the signal: %v", err)
	}
	cancel()
	<-ended
	if len(told) > 0 {
		t.Errorf("told once more: %v", <-told)
	}
	if _, err := f.Authenticate(bearing("Bearer " + second)); err != nil {
		t.Error(err)
	}
}
