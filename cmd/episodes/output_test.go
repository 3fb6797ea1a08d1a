package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// hostile is a log whose every part tries to drive the terminal: escape
// sequences in both codings, and marks that make a line read as another.
const hostile = "# Task \x1b[2Jclear \u009b36m \u202edrowssap\u2066 \u200fx\n\n**Status**: Complete\n\n" +
	"## Decision: how\u202e to \x1b]0;title\x07wait\n\n- **Context**: how to wait\u202e for\x1b[36m it\n- **Options**: fail\x1b[5m at once; retry\u2067 later\n- **Chosen**: retry\u2067 later\n- **Rationale**: seldom \u009b2J needed\n\n" +
	"## Work log\n\n- Error: Boom\x1b[36m: \u009bred \u202etfel\n- Boom caused a lost index \x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\ \U000e0041\n- Lesson: never \u2068trust\u2069 a log\x1b[7m\n"

// obeyed reports characters that a terminal acts on instead of showing them.
func obeyed(r rune) bool {
	return unicode.IsControl(r) && r != '\n' || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0x200e || r == 0x200f || r == 0x061c || r >= 0xe0000 && r <= 0xe007f
}

// ownColours takes out what the program itself paints, none of which stands in hostile.
var ownColours = strings.NewReplacer("\x1b["+red+"m", "", "\x1b["+green+"m", "", "\x1b["+yellow+"m", "", "\x1b[0m", "")

// Everything that goes to a terminal is taken as text: names of files and texts
// of logs cannot drive it, in plain output or in JSON.
func TestTerminalSafety(t *testing.T) {
	w := newWorld(t)
	evil := "evil\x1b]0;title\x07\u009b36m\u202e.md"
	w.write(evil, hostile)
	w.write("bin\x1b[1m\u202e.md", "\x00")
	w.write("answer.txt", "\x1b[36m\u202e\u009b\ndrop \x1b[2J\noutcome unknown 1\n")
	w.ok("extract", evil)
	w.run("list", "--json")
	var list struct {
		Data struct{ Episodes []struct{ ID string } }
	}
	if err := json.Unmarshal(w.stdout.Bytes(), &list); err != nil || len(list.Data.Episodes) != 1 {
		t.Fatalf("%v: %s", err, &w.stdout)
	}
	id := list.Data.Episodes[0].ID
	for _, args := range [][]string{{"extract", evil, "bin\x1b[1m\u202e.md"}, {"extract", evil, "--dry-run", "--verbose"}, {"extract", "--ask", evil}, {"extract", "--answer", "answer.txt", "--dry-run", evil}, {"list"}, {"get", id}, {"decisions", id},
		{"path", "--from", "Boom", "--to", "lost index"}, {"path", "--from", "\x1b[36m\u202ezebra", "--to", "Boom"}, {"whatif", "--decision", "retry later"}, {"search", "boom"}, {"search", "\x1b[36m\u202ezebra"}, {"advise", "--error", "Boom: lost index"}, {"advise", "\x1b[36m\u202ezebra"}, {"whatif", "--decision", "\x1b[36m\u202ezebra"},
		{"correct", id, "--text", "\x1b[36m\u202ezebra"}, {"correct", "\x1b[36m\u202e#d001", "--wrong"}, {"record", "lesson", "\x1b[36m\u202ezebra", "--of", id}, {"record", "\x1b[36m\u202e", "x"}, {"record", "lesson", "x", "--of", "\x1b[36m\u202e"}, {"explain", "boom"}, {"explain", id + "#d001"}, {"explain", id + "#l001"}, {"explain", "\x1b[36m\u202ezebra"}, {"patterns"}, {"doctor"}, {"validate"}, {"graph", "stats"}, {"graph", "export", "--format", "dot"}, {"graph", "export"},
		{"get", "\x1b[36m\u202e"}, {"no\x1b[36m\u202e"}, {"list", "--task", "\u202e"}, {"graph", "export", "--format", "\x1b[36m"}} {
		for _, also := range [][]string{nil, {"--json"}, {"--color", "always"}} {
			w.run(slices.Concat(args, also)...)
			for line := range strings.Lines(w.stdout.String() + w.stderr.String()) {
				if len(also) == 2 {
					line = ownColours.Replace(line)
				}
				if i := strings.IndexFunc(line, obeyed); i >= 0 {
					t.Errorf("%q prints %q", slices.Concat(args, also), line[max(i-30, 0):i+1])
				}
				if len(also) == 1 && !json.Valid([]byte(line)) {
					t.Errorf("%q: not JSON: %s", slices.Concat(args, also), line)
				}
			}
		}
	}
}

// In JSON nothing of a text is lost: what would drive a terminal is escaped.
func TestJSONKeepsControls(t *testing.T) {
	for _, s := range []string{"\x00\x1b[31m\x7f", "\u0080\u009b\u0085", "\u202eabc\u2066\u200f", "\u2028\u2029\ufeff", "\U000e0041\U0001f600", "<&>\"\\\t\n"} {
		var b strings.Builder
		must0(t, writeJSON(&b, s))
		var got string
		line := strings.TrimSuffix(b.String(), "\n")
		if err := json.Unmarshal([]byte(line), &got); err != nil || got != s {
			t.Errorf("%q came back as %q, %v", s, got, err)
		}
		if strings.ContainsFunc(line, func(r rune) bool { return obeyed(r) || r == '\n' }) {
			t.Errorf("%q is printed as %q", s, line)
		}
	}
}

// --max-tokens is a promise of every text: bytes / 4. What is cut says so, as far
// as there is room, and keeps its beginning.
func TestMaxTokens(t *testing.T) {
	w := newWorld(t)
	for i := range 12 {
		w.write(fmt.Sprintf("logs/s%02d.md", i), fmt.Sprintf("# Session %d about locks\n\n**Status**: Complete\n\n## Decision: how to wait\n\n- **Context**: how to wait for it\n- **Options**: fail; retry\n- **Chosen**: retry\n\n- Error: LockTimeout%c: index is locked\n- LockTimeout caused a lost index\n", i, 'A'+i))
	}
	w.ok("extract", "logs")
	for _, args := range [][]string{{"stats"}, {"graph", "stats"}, {"graph", "update"}, {"doctor"}, {"extract", "--force", "logs"}, {"extract", "--dry-run", "--verbose", "logs"}, {"list"}, {"get", "s01"}, {"decisions", "s01"},
		{"path", "--from", "LockTimeoutA", "--to", "lost index"}, {"whatif", "--decision", "retry"}, {"search", "lock"}, {"advise", "--error", "LockTimeoutA: index is locked, a lost index"}, {"explain", "retry"}, {"patterns"}, {"validate"}, {"correct", "s02", "--outcome", "partial"}, {"sources"}, {"share", "s01"}, {"version"}, {"init"}} {
		for range 3 { // what changes something says so the first times only
			w.run(args...)
		}
		whole := w.stdout.String()
		for _, n := range []int{1, 12, 30, 60, 100000} {
			code := w.run(append(args, "--max-tokens", fmt.Sprint(n))...)
			out := w.stdout.String()
			switch cut := len(out) < len(whole); {
			case code != 0 || len(out) > 4*n:
				t.Errorf("%q --max-tokens %d: exit %d, %d bytes", args, n, code, len(out))
			case n >= 30 && cut && strings.Count(whole, "\n") > 1 && !strings.Contains(out, "left out") && !strings.Contains(out, "more"):
				t.Errorf("%q --max-tokens %d does not say that it is cut:\n%s", args, n, out)
			}
		}
	}
	for _, args := range [][]string{{"graph", "stats"}, {"doctor"}, {"list"}} {
		w.run(append(args, "--json")...)
		whole := w.stdout.Len()
		if w.run(append(args, "--json", "--max-tokens", "5")...); w.stdout.Len() != whole {
			t.Errorf("%q: --max-tokens cuts the JSON", args)
		}
	}
}
