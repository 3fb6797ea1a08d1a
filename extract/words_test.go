package extract

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// claudeLines makes a transcript of Claude Code: each step is a user's text, an agent's text, or
// a command with its output, which failed if it begins with "Exit code".
func claudeLines(steps ...[2]string) string {
	var b strings.Builder
	line := func(kind string, content any) {
		data, _ := json.Marshal(map[string]any{"type": kind, "sessionId": "0d3c1d52-57a6-4a3b-9b51-0a3ad9d6a7f1", "cwd": "/srv/shop", "version": "2.1.0",
			"timestamp": "2026-03-02T10:00:00Z", "message": map[string]any{"role": kind, "content": content}})
		fmt.Fprintln(&b, string(data))
	}
	for i, s := range steps {
		switch what, text := s[0], s[1]; what {
		case "user":
			line("user", text)
		case "agent":
			line("assistant", []any{map[string]any{"type": "text", "text": text}})
		default:
			id := fmt.Sprint("call", i)
			line("assistant", []any{map[string]any{"type": "tool_use", "id": id, "name": "Bash", "input": map[string]any{"command": what}}})
			line("user", []any{map[string]any{"type": "tool_result", "tool_use_id": id, "content": text, "is_error": strings.HasPrefix(text, "Exit code")}})
		}
	}
	return b.String()
}

func TestWords(t *testing.T) {
	in := claudeLines(
		[2]string{"user", "The till rejects vouchers:\nVoucherError: stamp is older than the ledger"},
		[2]string{"make till", "Exit code 2\ncompiling 14 files\nVoucherError: stamp is older than the ledger\nlib/till.go:9:2: undefined: stamp"},
		[2]string{"cat notes/old-errors.txt", "error: the drawer does not open\nplain words"},
		[2]string{"make list", "3 tills, all open"},
		[2]string{"agent", "The ledger is written in local time. I store the stamps in UTC; key AKIA5XQ2ZP7LM3RT9KWB."},
		[2]string{"agent", "The ledger is written in local time. I store the stamps in UTC; key AKIA5XQ2ZP7LM3RT9KWB."},
	)
	said, digest, err := New(Vocabulary{}).Words(strings.NewReader(in), "claude-code")
	if err != nil || len(digest) != 64 {
		t.Fatal(digest, err)
	}
	var got []string
	for _, s := range said {
		got = append(got, fmt.Sprintf("%d %s", s.At[0], s.Text))
	}
	want := []string{
		"1 The till rejects vouchers:\nVoucherError: stamp is older than the ledger",
		"3 $ make till\nlib/till.go:9:2: undefined: stamp", // the other line was said before
		"8 The ledger is written in local time. I store the stamps in UTC; key [redacted aws-access-key].",
	}
	if strings.Join(got, "\n--\n") != strings.Join(want, "\n--\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n--\n"), strings.Join(want, "\n--\n"))
	}
	if said, _, err := New(Vocabulary{}).Words(strings.NewReader("# A log"), "markdown"); said != nil || err != nil {
		t.Errorf("of a log: %v, %v", said, err)
	}
}

// However long a session is, its words have a limit, and early turns are among them.
func TestWordsAreBounded(t *testing.T) {
	var steps [][2]string
	for i := range 2000 {
		steps = append(steps, [2]string{"agent", fmt.Sprintf("turn %d: ", i) + strings.Repeat(fmt.Sprintf("word%d ", i), 60)})
	}
	said, _, err := New(Vocabulary{}).Words(strings.NewReader(claudeLines(steps...)), "claude-code")
	size := len(MarshalSaid(said))
	if err != nil || size > WordsBytes || size < WordsBytes/2 || !strings.HasPrefix(said[0].Text, "turn 0") {
		t.Errorf("%d bytes of %d turns, %v", size, len(said), err)
	}
}

// Of a long session a person's words are kept whole, also those said before, and the end of each turn of the agent.
func TestWordsKeepPeopleAndEnds(t *testing.T) {
	var steps [][2]string
	demand := "Never close the till before the ledger is written. " + strings.Repeat("It matters. ", 40)
	for i := range 30 {
		steps = append(steps, [2]string{"user", fmt.Sprintf("%d: %s", i, demand)}, [2]string{"user", fmt.Sprintf("till %d:\nand again", i)},
			[2]string{"make till", "Exit code 2\n" + strings.Repeat(fmt.Sprintf("lib/till%d.go:9:2: undefined: stamp of a drawer\n", i), 200)},
			[2]string{"agent", strings.Repeat(fmt.Sprintf("word%d ", i), 900) + fmt.Sprintf("so the cause %d was the clock.", i)})
	}
	said, _, err := New(Vocabulary{}).Words(strings.NewReader(claudeLines(steps...)), "claude-code")
	file := string(MarshalSaid(said))
	if err != nil || len(file) > WordsBytes {
		t.Fatal(len(file), err)
	}
	for i := range 30 {
		if !strings.Contains(file, fmt.Sprintf("%d: %s", i, strings.TrimSpace(demand))) || !strings.Contains(file, fmt.Sprintf("so the cause %d was the clock.", i)) {
			t.Errorf("turn %d is not whole", i)
		}
	}
	if n := strings.Count(file, "\nand again\n"); n != 30 {
		t.Errorf("%d of 30 repeated demands", n)
	}
}

// The file that is kept of a session has what Words returns, and says where each text is in it.
func TestSaidIsKept(t *testing.T) {
	e, in := New(Vocabulary{}), claudeLines(
		[2]string{"user", "The till rejects vouchers:\n\n\tVoucherError: \x1b[31mstamp\x1b[0m is older\x0c than the ledger"},
		[2]string{"agent", "Das Kassenbuch läuft in Ortszeit. 帳簿は現地時間です。"})
	res, err := e.Read(Source{Path: "s.jsonl", Format: "claude-code"}, strings.NewReader(in))
	if err != nil {
		t.Fatal(err)
	}
	want, _, err := e.Words(strings.NewReader(in), "claude-code")
	if err != nil || len(want) != 2 {
		t.Fatal(want, err)
	}
	file := string(MarshalSaid(res.Said()))
	got := ParseSaid(file)
	if len(got) != len(want) {
		t.Fatalf("%d of %d turns in\n%q", len(got), len(want), file)
	}
	for i, s := range got {
		if s.At != want[i].At || s.Text != want[i].Text || file[s.From:s.From+len(s.Text)] != s.Text {
			t.Errorf("%+v, want %+v", s, want[i])
		}
	}
	for _, bad := range []string{"", "\f", "words", "\f1", "\f1-2", "\f-1-2\nx", "\f2-1\nx", "\f0-1\nx", "\f1-99999999999999999999\nx", "\f\f\n1-2"} {
		if got := ParseSaid(bad); len(got) != 0 {
			t.Errorf("%q: %+v", bad, got)
		}
	}
	if got := ParseSaid("words\f3-4\nx\fy\n\f5-5\nz"); len(got) != 2 || got[0].Text != "x" || got[1].At[0] != 5 {
		t.Errorf("%+v", got)
	}
}
