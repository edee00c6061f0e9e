package servers

import (
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	code := m.Run()
	stopRedmine()
	if folder != "" {
		_ = os.RemoveAll(folder)
	}
	os.Exit(code)
}
