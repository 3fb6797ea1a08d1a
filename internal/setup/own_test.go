package setup

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The user's own configuration gets a reader and loses it again, byte for byte.
func TestOwn(t *testing.T) {
	for name, text := range map[string]string{
		"none": "", "others": "share = true\nprivate_days = 9\n", "no end of line": "share = true", "of Windows": "share = true\r\n",
		"never": "reader_never = [\"/x\"]\n",
	} {
		path := filepath.Join(t.TempDir(), "episodes", "config.toml")
		if name != "none" {
			must(t, os.MkdirAll(filepath.Dir(path), 0o700))
			write(t, path, text, 0o600)
		}
		own := func(r OwnRequest) *FileState {
			t.Helper()
			r.Path = path
			s, err := Own(r)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			return s
		}
		const line = `agent -p --tools "" | tee 'x\y'`
		if s := own(OwnRequest{Reader: line, DryRun: true}); s.Diff == "" {
			t.Errorf("%s: a rehearsal shows nothing", name)
		}
		own(OwnRequest{Reader: line, AskAtEnd: true})
		has, err := readTOML([]byte(read(t, path)))
		if err != nil || has["reader"] != line || has["reader_day"] != int64(readerDay) || has["ask_at_end"] != true {
			t.Errorf("%s: %v, %v", name, has, err)
		}
		write(t, path, strings.Replace(read(t, path), "reader_day = 200000", "reader_day = 5", 1), 0o600)
		if s := own(OwnRequest{Reader: line}); s.Change != Kept {
			t.Errorf("%s: again: %s\n%s", name, s.Change, read(t, path))
		}
		own(OwnRequest{Reader: "other"})
		if has, err := readTOML([]byte(read(t, path))); err != nil || has["reader"] != "other" || has["reader_day"] != int64(5) || has["ask_at_end"] != true {
			t.Errorf("%s: another reader: %v, %v", name, has, err)
		}
		if s := own(OwnRequest{AskAtEnd: true}); s.Change != Kept {
			t.Errorf("%s: asking at the end again: %s\n%s", name, s.Change, read(t, path))
		}
		own(OwnRequest{Reader: itselfOrAny, AskAtEnd: true, Remove: true})
		if name == "none" {
			if _, err := os.Stat(path); err == nil {
				t.Errorf("%s: the file is left: %q", name, read(t, path))
			}
		} else if got := read(t, path); got != text {
			t.Errorf("%s: left with %q", name, got)
		}
	}
}

const itselfOrAny = "any"

// What the user wrote is not contradicted.
func TestOwnRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"has a reader": "reader = \"mine\"\n", "ends in a table": "[other]\nx = 1\n", "is no TOML": "reader = [\n", "has a budget": "reader_day = 5\n",
	} {
		path := filepath.Join(t.TempDir(), "config.toml")
		write(t, path, text, 0o600)
		if _, err := Own(OwnRequest{Path: path, Reader: "agent"}); err == nil || read(t, path) != text {
			t.Errorf("%s: %v, %q", name, err, read(t, path))
		}
	}
}

// Each agent that can be a reader has no tools, and no other is one by name.
func TestReaderLines(t *testing.T) {
	if got := strings.Join(Readers(), " "); got != "claude codex opencode" {
		t.Errorf("readers: %s", got)
	}
	for name, without := range map[string][]string{
		"claude":   {` -p `, `--tools ""`, "--strict-mcp-config", "--model haiku"},
		"codex":    {" exec ", "--disable shell_tool", "--disable hooks", "mcp_servers={}", "web_search=disabled", "--ephemeral"},
		"opencode": {" run ", `{"*":"deny"}`, "--pure"},
	} {
		line, err := ReaderLine(name)
		for _, part := range without {
			if err != nil || !strings.Contains(line+" ", part) {
				t.Errorf("%s: %q is not in %q, %v", name, part, line, err)
			}
		}
	}
	if _, err := ReaderLine("gemini"); err == nil {
		t.Error("the tools of Gemini CLI cannot be switched off by flags")
	}
}
