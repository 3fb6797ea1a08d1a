package reader

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"episodes/episode"
)

func TestParse(t *testing.T) {
	span := func(a, b int) episode.Span { return episode.Span{a, b} }
	for _, c := range []struct {
		text string
		want Line
	}{
		{"outcome partial 135-139", Line{Verb: SayOutcome, Outcome: "partial", Span: span(135, 139)}},
		{"outcome failure 7", Line{Verb: SayOutcome, Outcome: "failure", Span: span(7, 7)}},
		{"drop d004", Line{Verb: Drop, ID: "d004"}},
		{"drop d001>e002", Line{Verb: Drop, ID: "d001>e002"}},
		{"d001 recovery success 31", Line{Verb: Change, ID: "d001", Type: "recovery", Outcome: "success", Span: span(31, 31)}},
		{"e003 error 45", Line{Verb: Change, ID: "e003", Type: "error", Span: span(45, 45)}},
		{"e003 tool_call 45–46", Line{Verb: Change, ID: "e003", Type: "tool_call", Span: span(45, 46)}},
		{`+d3 recovery failure 122 "TCP connections still" why "…"`, Line{Verb: Add, ID: "d3", Type: "recovery", Outcome: "failure", Span: span(122, 122), Quote: "TCP connections still", Why: "…"}},
		{`+x1 error 122 "TCP connections still"`, Line{Verb: Add, ID: "x1", Type: "error", Span: span(122, 122), Quote: "TCP connections still"}},
		{`+x1 error 122 “TCP connections still”`, Line{Verb: Add, ID: "x1", Type: "error", Span: span(122, 122), Quote: "TCP connections still"}},
		{"+l1 lesson 136-139", Line{Verb: Add, ID: "l1", Type: "lesson", Span: span(136, 139)}},
		{"e007>d3 causes 115-122", Line{Verb: AddLink, ID: "e007", To: "d3", Type: "causes", Span: span(115, 122)}},
		{"d001>outcome causes 12", Line{Verb: AddLink, ID: "d001", To: "outcome", Type: "causes", Span: span(12, 12)}},
		{"  d001   design\t31 ", Line{Verb: Change, ID: "d001", Type: "design", Span: span(31, 31)}},
	} {
		lines, refused := Parse(c.text)
		if len(lines) != 1 || len(refused) > 0 {
			t.Errorf("%q: %+v, refused %+v", c.text, lines, refused)
			continue
		}
		c.want.Number, c.want.Text = 1, strings.Join(strings.Fields(c.text), " ")
		if d := cmp.Diff(c.want, lines[0]); d != "" {
			t.Errorf("%q: %s", c.text, d)
		}
	}
	for _, bad := range []string{"outcome partial", "drop", "drop everything!", "d001", "+d3 recovery", "+d3 recovery failure x \"a\"", `+x1 error 122 'TCP'`,
		"e007>d3 115-122", "../../etc/passwd", "\x1b[31mdrop d001", "drop d001; rm -rf /", strings.Repeat("x", 2000)} {
		if lines, refused := Parse(bad); len(lines) > 0 || len(refused) != 1 {
			t.Errorf("%q: %+v, refused %+v", bad, lines, refused)
		}
	}
	if lines, _ := Parse("drop d004 e008, d001>e002"); len(lines) != 3 || lines[1].ID != "e008" || lines[2].ID != "d001>e002" {
		t.Errorf("%+v", lines)
	}
	if lines, refused := Parse(strings.Repeat("drop d001\n", 50000)); len(lines) > 0 || len(refused) != 1 {
		t.Errorf("a long answer: %d lines, %+v", len(lines), refused)
	}
	if lines, refused := Parse(strings.Repeat("drop d1\n", 5000)); len(lines) != maxLines || len(refused) != 1 {
		t.Errorf("many lines: %d, %+v", len(lines), refused)
	}
}

// Whatever an answer holds, what is made of it is bounded by the log and leaves a valid
// episode.
func FuzzAnswer(f *testing.F) {
	f.Add("outcome partial 27\nd001 recovery failure 10\ndrop d001>e001\n+d1 recovery success 14 \"Switched to chunked\" why \"each chunk is\"\ne002 test 15\ne001>d001 causes 5-10\nd1>e001 prevents 14\nd1>outcome enables 14")
	f.Add("drop d001 e001 e002 l001\n+l1 lesson 9-10\n+x1 error 19 \"the retry count\"\nx1>d1 causes 3")
	f.Add("```\noutcome unknown 1\n```")
	f.Add("d001>e001 enables 9\ne001>d001 causes 9\noutcome success 1-27")
	f.Fuzz(func(t *testing.T, answer string) {
		l := handDraft()
		v := verify(l, answer)
		log := strings.Join(strings.Fields(strings.NewReplacer("*", "", "`", "", "|", " ").Replace(sample)), " ")
		for _, e := range v.Entries {
			if e.Record != nil && e.Record.Text != "" && e.New && !strings.Contains(log, strings.TrimSuffix(e.Record.Text, " …")) && !strings.Contains(e.Record.Text, " ") {
				t.Errorf("%q is not in the log", e.Record.Text)
			}
			for _, word := range tokens(e.Text + " " + e.Why) {
				if !strings.Contains(strings.ToLower(sample), word.word) {
					t.Errorf("%q is not in the log", word.word)
				}
			}
		}
		applyTwice(t, l, v)
	})
}
