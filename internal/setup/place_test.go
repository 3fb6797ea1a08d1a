package setup

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// What npx runs is deleted by npm, so the settings call a copy, which goes with the last of them.
func TestCopyOfPackage(t *testing.T) {
	dir := t.TempDir()
	e := Environment{Home: filepath.Join(dir, "home"), Self: filepath.Join(dir, "_npx", "1", "node_modules", "@episodes", "x", "bin", "episodes"),
		Getenv: func(name string) string {
			return map[string]string{"XDG_DATA_HOME": filepath.Join(dir, "data"), "LOCALAPPDATA": filepath.Join(dir, "data")}[name]
		},
		LookPath: func(name string) (string, error) {
			if name == program { // npx shows it on the PATH
				return filepath.Join(dir, "_npx", "1", "node_modules", ".bin", "episodes"), nil
			}
			return "", errors.New("none")
		}}
	for _, path := range []string{e.Self, filepath.Join(e.Home, ".claude", "x"), filepath.Join(e.Home, ".codex", "x")} {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	version := func(text string) {
		if err := os.WriteFile(e.Self, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	do := func(r Request) *Answer {
		t.Helper()
		a, err := Run(e, r)
		if err != nil || a.Err() != nil {
			t.Fatal(err, a)
		}
		return a
	}
	copied := e.copyPath(runtime.GOOS)
	version("one")
	if do(Request{Action: Wire, Agents: []string{"claude"}, DryRun: true}); isThere(copied) {
		t.Error("a dry run made the copy")
	}
	if do(Request{Action: Wire, Agents: []string{AgentsMD}, Root: t.TempDir()}); isThere(copied) {
		t.Error("a copy was made for AGENTS.md, which names no path")
	}
	if a := do(Request{Action: Wire, All: true}); !strings.Contains(a.Text(0), "a copy of it: "+copied) {
		t.Error(a.Text(0))
	}
	settings, err := os.ReadFile(filepath.Join(e.Home, ".claude", "settings.json"))
	if err != nil || !strings.Contains(string(settings), marshal(copied)) || strings.Contains(string(settings), "node_modules") {
		t.Errorf("%s, %v", settings, err)
	}
	if info, err := os.Stat(copied); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o755 {
		t.Error(info, err)
	}
	version("two")
	do(Request{Action: Wire, Agents: []string{"claude"}})
	if data, _ := os.ReadFile(copied); string(data) != "two" {
		t.Errorf("the copy is of version %s", data)
	}
	if again, _ := os.ReadFile(filepath.Join(e.Home, ".claude", "settings.json")); string(again) != string(settings) {
		t.Error("another version changed the settings")
	}
	if do(Request{Action: Remove, Agents: []string{"claude"}}); !isThere(copied) {
		t.Error("the copy was removed, which codex calls")
	}
	if a := do(Request{Action: Remove, All: true}); a.Dropped != copied || isThere(filepath.Join(dir, "data", "episodes")) {
		t.Errorf("%+v", a)
	}
}

func isThere(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// The copy is where each system keeps data of users.
func TestCopyPath(t *testing.T) {
	for _, c := range []struct {
		system string
		env    map[string]string
		want   string
	}{
		{"linux", map[string]string{"XDG_DATA_HOME": "relative"}, "/h/.local/share/episodes/bin/episodes"},
		{"darwin", nil, "/h/Library/Application Support/episodes/bin/episodes"},
		{"windows", nil, "/h/AppData/Local/episodes/bin/episodes.exe"},
	} {
		e := Environment{Home: "/h", Getenv: func(name string) string { return c.env[name] }}
		if got := e.copyPath(c.system); filepath.ToSlash(got) != c.want {
			t.Errorf("%s %v: %s", c.system, c.env, got)
		}
	}
}
