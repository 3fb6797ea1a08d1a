package turns

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCommand(t *testing.T) {
	for _, c := range []struct {
		argv []string
		want string
	}{
		{[]string{"bash", "-lc", "go test ./..."}, "go test ./..."},
		{[]string{"/bin/zsh", "-lc", "go vet"}, "go vet"},
		{[]string{`C:\Windows\powershell.exe`, "-NoProfile", "-Command", "npm test"}, "npm test"},
		{[]string{"git", "commit", "-m", "a fix"}, "git commit -m 'a fix'"},
		{[]string{"echo", "it's", ""}, `echo 'it'\''s' ''`},
		{nil, ""},
	} {
		if got := Command(c.argv); got != c.want {
			t.Errorf("%q: got %q, want %q", c.argv, got, c.want)
		}
	}
}

func TestScript(t *testing.T) {
	for command, want := range map[string]string{
		"bash -lc 'go test'":       "go test",
		`/bin/sh -c "make"`:        "make",
		"bash -lc 'a' && echo 'b'": "bash -lc 'a' && echo 'b'",
		"bash run.sh":              "bash run.sh",
		"go test":                  "go test",
		"":                         "",
	} {
		if got := Script(command); got != want {
			t.Errorf("%q: got %q, want %q", command, got, want)
		}
	}
}

func TestPatchFiles(t *testing.T) {
	patch := "*** Begin Patch\n*** Update File: a.go\n*** Move to: b.go\n@@\n-x\n+*** Add File: no\n*** Delete File: c.go\n*** End Patch"
	if d := cmp.Diff([]string{"a.go", "b.go", "c.go"}, PatchFiles(patch)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
