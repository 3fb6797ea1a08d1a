package lesson

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"episodes/agents"
	"episodes/episode"
	"episodes/extract"
	"episodes/extract/transcript/atif"
	"episodes/extract/transcript/chat"
	"episodes/extract/transcript/entire"
	"episodes/extract/transcript/minisweagent"
	"episodes/extract/transcript/specstory"
	"episodes/extract/transcript/sweagent"
	"episodes/internal/corrections"
	"episodes/internal/turns"
)

// formats are all formats of transcripts.
func formats() []turns.Format {
	var out []turns.Format
	for _, a := range agents.All() {
		if a.Format != nil {
			out = append(out, *a.Format)
		}
	}
	return append(out, sweagent.Format, minisweagent.Format, atif.Format, chat.Format, entire.Format, specstory.Format)
}

// headBytes is how much of a log shows its format.
const headBytes = 256 << 10

// readAny reads a log in whichever format.
func readAny(data []byte, rendering corrections.Lines, parts ...[]byte) (*Session, error) {
	i := slices.IndexFunc(formats(), func(f turns.Format) bool { return f.Detect(data[:min(len(data), headBytes)]) })
	if i < 0 {
		return FromMarkdown(corrections.Split(data)), nil
	}
	return Read(formats()[i], rendering, append([][]byte{data}, parts...)...)
}

// said writes the turns of a session, one a line.
func said(s *Session) string {
	var b strings.Builder
	for _, t := range s.turns {
		if t.Text != "" && !isRecord(t.Text) {
			fmt.Fprintf(&b, "%v %s %q", t.At, [...]string{"log", "person", "agent", "tool", "call"}[t.Who], t.Text)
			for _, e := range t.Edits {
				fmt.Fprintf(&b, " %s %q→%q", e.File, e.Old, e.New)
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

// claudeLog writes records as Claude Code does: each is a role and the JSON of its content.
func claudeLog(records ...string) string {
	var b strings.Builder
	for i := 0; i < len(records); i += 2 {
		fmt.Fprintf(&b, `{"type":%q,"sessionId":"s1","uuid":"u%d","cwd":"/src/shop","timestamp":"2026-05-04T10:00:%02dZ","message":{"role":%q,"content":%s}}`+"\n",
			records[i], i, i, records[i], records[i+1])
	}
	return b.String()
}

// edit is the content of a call that edits.
func editCall(id, file, old, new string) string {
	return fmt.Sprintf(`[{"type":"tool_use","id":%q,"name":"Edit","input":{"file_path":%q,"old_string":%q,"new_string":%q}}]`, id, file, old, new)
}

// result is the content of its result.
func result(id, text string, failed bool) string {
	return fmt.Sprintf(`[{"type":"tool_result","tool_use_id":%q,"content":%q,"is_error":%t}]`, id, text, failed)
}

// Whoever spoke is whoever spoke, with the lines of the file. Of a call that failed no edit is left.
func TestReadTranscript(t *testing.T) {
	log := claudeLog(
		"user", `"raise the limit"`,
		"assistant", `[{"type":"text","text":"I look."}]`,
		"assistant", editCall("c1", "/src/shop/a.go", "limit = 1", "limit = 2"),
		"user", result("c1", "<tool_use_error>String to replace not found in file.</tool_use_error>", true),
		"assistant", editCall("c2", "/src/shop/b.go", "limit = 1", "limit = 3"),
		"user", result("c2", "The file has been updated.", false),
		"assistant", `[{"type":"tool_use","id":"c3","name":"Write","input":{"file_path":"/src/shop/c.go","content":"package c\n"}}]`,
		"user", result("c3", "File created.", false),
	)
	part := claudeLog(
		"user", `"look for limits"`,
		"assistant", editCall("c1", "/src/shop/d.go", "x", "y"),
		"user", result("c1", "The file has been updated.", false),
	)
	s, err := readAny([]byte(log), nil, []byte(part))
	if err != nil {
		t.Fatal(err)
	}
	want := `[1 1] person "raise the limit"
[2 2] agent "I look."
[3 3] call "limit = 1\nlimit = 2\n\n/src/shop/a.go"
[4 4] tool "<tool_use_error>String to replace not found in file.</tool_use_error>"
[5 5] call "limit = 1\nlimit = 3\n\n/src/shop/b.go" /src/shop/b.go "limit = 1"→"limit = 3"
[6 6] tool "The file has been updated."
[7 7] call "package c\n\n\n/src/shop/c.go" /src/shop/c.go ""→"package c\n"
[8 8] tool "File created."
[9 9] agent "look for limits"
[10 10] call "x\ny\n\n/src/shop/d.go" /src/shop/d.go "x"→"y"
[11 11] tool "The file has been updated."
`
	if got := said(s); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if s.dir != "/src/shop" || len(s.Lines) != 11 || s.Lines[8] != strings.Split(part, "\n")[0] {
		t.Errorf("dir %q, %d lines, %q", s.dir, len(s.Lines), s.Lines[8])
	}
}

// What a call puts into its files, however it says so.
func TestEdits(t *testing.T) {
	for name, c := range map[string]struct {
		call turns.ToolCall
		want []Edit
	}{
		"edit":  {turns.ToolCall{Tool: turns.Edit, Files: []string{"a"}, Old: "1", New: "2"}, []Edit{{"a", "1", "2"}}},
		"write": {turns.ToolCall{Tool: turns.Write, Files: []string{"a"}, New: "- one\n+ two\n@@\n"}, []Edit{{"a", "", "- one\n+ two\n@@\n"}}},
		"read":  {turns.ToolCall{Tool: turns.Read, Files: []string{"a"}, Text: "2"}, nil},
		"shell": {turns.ToolCall{Tool: turns.Shell, Command: "echo 2 > a"}, nil},
		"patch": {turns.ToolCall{Tool: turns.Edit, Files: []string{"a"}, New: "*** Begin Patch\n*** Update File: a\n@@ func f\n one\n-two\n+three\n*** End Patch"},
			[]Edit{{"a", "", "*** Begin Patch\n*** Update File: a\n@@ func f\none\nthree\n*** End Patch"}}},
		"files": {turns.ToolCall{Tool: turns.Edit, Files: []string{"a", "b"}, New: "+2"}, []Edit{{File: "a"}, {File: "b"}}},
	} {
		if got := edits(&c.call); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// Every format is read from its invented sessions: no turn is outside of the lines, those that count no lines have those of
// their rendering, and what people typed is theirs.
func TestReadForms(t *testing.T) {
	files, _ := filepath.Glob("../../agents/*/testdata/*.turns")
	more, _ := filepath.Glob("../../extract/transcript/*/testdata/*.turns")
	seen, counting, edited := map[string]bool{}, 0, 0
	for _, file := range append(files, more...) {
		data, err := os.ReadFile(strings.TrimSuffix(file, ".turns"))
		if err != nil {
			t.Fatal(err)
		}
		name := extract.Detect(data[:min(len(data), headBytes)])
		i := slices.IndexFunc(formats(), func(f turns.Format) bool { return f.Name == name })
		if i < 0 {
			continue
		}
		seen[name] = true
		var unit string
		var typed []string
		in := turns.NewReader(bytes.NewReader(data), func(t turns.Turn) error {
			if t.Role == turns.User && strings.TrimSpace(t.Text) != "" {
				typed = append(typed, strings.TrimSpace(t.Text))
			}
			return nil
		})
		if formats()[i].Read(in) == nil {
			unit = in.Session.Unit
		}
		rendering, _, err := extract.New(extract.Vocabulary{}).Rendering(bytes.NewReader(data), episode.Source{Format: name})
		if err != nil {
			t.Errorf("%s: %v", file, err)
		}
		if unit == "" {
			rendering = nil
		} else if counting++; true {
			if _, err := readAny(data, nil); err == nil {
				t.Errorf("%s: %ss are read as lines", file, unit)
			}
		}
		s, err := readAny(data, rendering)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		for n, line := range rendering {
			if s.Lines[n] != line {
				t.Errorf("%s: line %d is %q, not as rendered: %q", file, n+1, s.Lines[n], line)
			}
		}
		for _, turn := range s.turns {
			edited += len(turn.Edits)
			if !s.Lines.Has(turn.At) {
				t.Errorf("%s: a turn at %v of %d lines", file, turn.At, len(s.Lines))
			}
			if i := slices.Index(typed, turn.Text); turn.Who == ByPerson && i >= 0 {
				typed = slices.Delete(typed, i, i+1)
			}
		}
		if len(typed) > 0 {
			t.Errorf("%s: nobody typed %q", file, typed)
		}
	}
	if len(seen) != len(formats()) || counting < 8 || edited < 20 {
		t.Errorf("%d of %d formats, %d of them count no lines, %d edits", len(seen), len(formats()), counting, edited)
	}
}

// What is no transcript is Markdown, with any line ends.
func TestReadMarkdown(t *testing.T) {
	s := FromMarkdown(corrections.Split([]byte("\ufeff# Log\r\n\r\nThe crane stands.\r\n")))
	if !reflect.DeepEqual(s.Lines, corrections.Lines{"# Log", "", "The crane stands."}) || s.turns[1].Who != ByLog {
		t.Errorf("%q %v", s.Lines, s.turns)
	}
}
