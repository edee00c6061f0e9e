package proto_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The image of the last release guards its clients. These tests change a copy of the API as a careless hand would, so
// that the guard itself is known to bark.

func TestBreakingChangesAreSeen(t *testing.T) {
	buf := bufBinary(t)
	cases := []struct {
		name, file, old, new string
		// complaint is a part of what buf must say; empty where the change is allowed.
		complaint string
	}{
		{
			name: "nothing changed",
		},
		{
			name: "a field deleted", file: "proposal.proto",
			old:       "  string intent_note = 14 [(buf.validate.field).string.max_len = 1000];\n",
			complaint: `field "14" with name "intent_note" on message "ProposeOperationRequest" was deleted`,
		},
		{
			name: "a field renumbered", file: "attempt.proto",
			old: "string client_reference = 12;", new: "string client_reference = 40;",
			complaint: `field "12" with name "client_reference" on message "Permit" was deleted`,
		},
		{
			name: "a field retyped", file: "attempt.proto",
			old: "bool begin_required = 7;", new: "string begin_required = 7;",
			complaint: `"begin_required" on message "Permit" changed type`,
		},
		{
			name: "a reason renamed", file: "errors.proto",
			old: "ERROR_REASON_STALE_ATTEMPT = 30;", new: "ERROR_REASON_OLD_ATTEMPT = 30;",
			complaint: "ERROR_REASON_STALE_ATTEMPT",
		},
		{
			name: "a call deleted", file: "operation_service.proto",
			old:       "  rpc ReportAttempt(ReportAttemptRequest) returns (ReportAttemptResponse);\n",
			complaint: `"ReportAttempt" on service "OperationService" was deleted`,
		},
		{
			name: "a field added", file: "proposal.proto",
			old: "message Revise {\n", new: "message Revise {\n  // New.\n  string hint = 99;\n",
		},
		{
			name: "a lease's field deleted", file: "lease.proto",
			old:       "  int32 renew_count = 9;\n",
			complaint: `field "9" with name "renew_count" on message "EntityLease" was deleted`,
		},
		{
			name: "a workflow's field renamed", file: "workflow.proto",
			old: "  string user_request = 3", new: "  string asked = 3",
			complaint: `changed name from "user_request" to "asked"`,
		},
		{
			name: "a workflow's call deleted", file: "workflow_service.proto",
			old:       "  rpc ResumeWorkflow(ResumeWorkflowRequest) returns (ResumeWorkflowResponse);\n",
			complaint: `"ResumeWorkflow" on service "WorkflowService" was deleted`,
		},
		{
			// No release has it, so that it may become anything.
			name: "a service added", file: "draft_service.proto",
			new: "syntax = \"proto3\";\npackage opledger.v1;\n// DraftService is being built.\nservice DraftService {}\n",
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			root := copyOfAPI(t)
			switch path := filepath.Join(root, "proto", "opledger", "v1", c.file); {
			case c.file != "" && c.old == "":
				if err := os.WriteFile(path, []byte(c.new), 0o600); err != nil {
					t.Fatal(err)
				}
			case c.file != "":
				edit(t, path, c.old, c.new)
			}
			complaints, err := breaking(buf, root)
			switch {
			case c.complaint == "" && err != nil:
				t.Fatalf("refused: %v\n%s", err, complaints)
			case c.complaint != "" && err == nil:
				t.Fatal("the change went unnoticed")
			case !strings.Contains(complaints, c.complaint):
				t.Fatalf("seen for another reason than %q:\n%s", c.complaint, complaints)
			}
		})
	}
}

// breaking compares the API under root with the checked-in image.
func breaking(buf, root string) (string, error) {
	image, err := filepath.Abs("released.binpb")
	if err != nil {
		return "", err
	}
	cmd := exec.Command(buf, "breaking", "proto", "--against", image)
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// bufBinary is the path of the pinned buf, compiled where it is not yet.
func bufBinary(t *testing.T) string {
	t.Helper()
	cmd := exec.Command("go", "tool", "-modfile=tools/go.mod", "-n", "buf")
	cmd.Dir = ".."
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("finding buf: %v", err)
	}
	return strings.TrimSpace(string(out))
}

// copyOfAPI copies what buf reads to a folder of the test's own.
func copyOfAPI(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	for _, name := range []string{"proto", "third_party"} {
		if err := os.CopyFS(filepath.Join(root, name), os.DirFS(filepath.Join("..", name))); err != nil {
			t.Fatal(err)
		}
	}
	settings, err := os.ReadFile("../buf.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "buf.yaml"), settings, 0o600); err != nil {
		t.Fatal(err)
	}
	return root
}

// edit replaces the one place where old stands.
func edit(t *testing.T, path, old, replacement string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), old); n != 1 {
		t.Fatalf("%s: %q stands there %d times, not once", path, old, n)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(text), old, replacement, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
}
