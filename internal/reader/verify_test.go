package reader

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"episodes/episode"
	"episodes/internal/corrections"
)

// sample is a log with a failed attempt, a fix and what is left open.
const sample = `# Session: upload times out

## Problem

- Uploads of **large** files time out after 30 s.

## Attempt 1: raise the limit (Failed)

- Raised the proxy limit to 120 s, because the proxy closed first.
- Result: the upload still times out.

## Attempt 2

- Switched to chunked uploads; each chunk is retried. This fixed the timeout.
- go test ./upload: 14 passed

| Step | Note |
|---|---|
| Review | the retry count is too low |

## Lessons

- Check which side closes the connection first.

## Open

- [ ] tell the users of the old client
`

// handDraft is a draft that does not change with the rules.
func handDraft() Log {
	ep := &episode.Episode{ID: "episode-s", Session: "s", Outcome: episode.Unknown,
		Decisions: []episode.Decision{{ID: "d001", Type: episode.Recovery, Chosen: "Raised the proxy limit to 120 s", Outcome: episode.Success}},
		Events: []episode.Event{{ID: "e001", Type: episode.Error, Content: "Uploads of large files time out after 30 s"},
			{ID: "e002", Type: episode.Milestone, Content: "go test ./upload: 14 passed"}},
		Lessons: []string{"Check which side closes the connection first."},
		Links:   []episode.Link{{Source: "d001", Target: "e001", Type: episode.Prevents}},
	}
	ep.Provenance.Spans = map[string]episode.Span{"d001": {9, 9}, "e001": {5, 5}, "e002": {15, 15}, "l001": {23, 23}, "d001>e001": {9, 9}}
	return Log{Name: "s.md", Lines: corrections.Split([]byte(sample)), Draft: ep}
}

func verify(l Log, answer string) *Verdict {
	lines, refused := Parse(answer)
	v := Verify(l, lines, refused, "reader test")
	return v
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct{ answer, why string }{
		{"I think the log is fine", "none of the forms"},
		{`+x1 error 99 "Uploads of large"`, "it ends at 27"},
		{`+x1 error 6 "Uploads of large"`, "no words on line 6"},
		{`+x1 error 4-5`, "quote the first words"},
		{`+x1 error 9 "Uploads of large"`, "they are on line 5"},
		{`+x1 error 5 "Downloads of large"`, "not on line 5"},
		{`+x1 error 5 "Uploads of small"`, "not on line 5"},
		{`+x1 error 5 "Uploads of"`, "at least three words"},
		{`+x1 bug 5 "Uploads of large"`, `"bug" is no type of an event`},
		{`+x1 error success 5 "Uploads of large"`, "an event of the type error has no outcome"},
		{`? guess 14 "how do we send big files"`, `"guess" is no kind of question`},
		{`? error 99 "how do we send big files"`, "it ends at 27"},
		{`? error 5-25 "how do we send big files"`, "at most 20"},
		{`? error 5 "… ?"`, "no words in it"},
		{`? error 5 "` + strings.Repeat("big ", 26) + `"`, "1 to 25 words"},
		{`? error 5 "a` + strings.Repeat("b", 400) + `"`, "1 to 25 words"},
		{`? error "how do we send big files"`, "none of the forms"},
		{`+d1 error 5 "Uploads of large"`, `"error" is no type of a decision`},
		{`+d1 design perfect 14 "Switched to chunked"`, `"perfect" is no outcome`},
		{`+d1 recovery success 9 "Raised the proxy"`, `it stands under "Attempt 1: raise the limit (Failed)" (line 7)`},
		{`d001 recovery success 9`, "so it did not succeed"},
		{`+q1 error 5 "Uploads of large"`, "a new record is +d1"},
		{`+d001 design 14 "Switched to chunked"`, "take another number"},
		{`d009 design 14`, "the draft has no d009"},
		{"drop d009", "the draft has no d009"},
		{"drop d001>e002", "the draft has no link"},
		{"outcome great 15", `"great" is no outcome`},
		{"outcome success 70", "it ends at 27"},
		{"e001>d001 prevents 9", "e001 is an error"},
		{"d001>e002 prevents 9-15", "e002 is none"},
		{"d001>e002 correlates 9-15", "no type of a link"},
		{"d001>e009 causes 9", "there is no e009"},
		{"d001>d001 causes 9", "from one record to another"},
		{"outcome>d001 causes 9", "no link leads from the outcome"},
		{"d001>outcome causes 9", "the outcome is not known"},
		{"d001>l001 causes 9-23", "lessons have no links"},
		{"d001>e001 causes 27", "speaks of its ends"},
		{"drop d001\nd001>e001 prevents 9", "the answer drops d001"},
		{"d001>e002 causes 9\ne002>d001 causes 9", "once, in one direction"},
		{"+x1 error 5 \"Uploads of large\"\n+x2 error 5 \"Uploads of large\"", "says the same"},
		{`+x1 error 5 "Uploads of large"`, "e001 says the same"},
		{"+x1 error 0 \"a b c\"", "no range of lines"},
		{`? error 5,9-14 "how do we send big files"`, "not a list with commas"},
		{`+x1 error 5, 9 "Uploads of large"`, "not a list with commas"},
		{`+x1 milestone 5 "Uploads of large"`, "with e001 milestone 5"},
		{"+x1 error 99999999999999999999 \"a b c\"", "no range of lines"},
	} {
		v := verify(handDraft(), c.answer)
		if !slices.ContainsFunc(v.Refused, func(r Refusal) bool { return strings.Contains(r.Reason, c.why) }) {
			t.Errorf("%q: want a refusal with %q, got %+v", c.answer, c.why, v.Refused)
		}
	}
}

// What of an answer is refused, and how much of it counts.
func TestLinesOfAnAnswer(t *testing.T) {
	for _, c := range []struct {
		answer, refused string // the line that is
		entries         int
	}{
		{"drop d001 d009 e002", "drop d009", 2}, // each id by itself
		// An answer takes its own lines back; their links go with them.
		{"+x1 error 19 \"the retry count\"\nx1>d001 causes 9\ne001>d001 causes 9\ndrop x1 e001>d001", "", 0},
		{"+x1 error 5,9 \"the retry count\"\ndrop x1", "5,9", 0},
		{"+x1 error 19 \"the retry count\"\n+x1 error 5,9 \"a\"\ndrop x1", "5,9", 0},
		{"drop x1\n+x1 error 19 \"the retry count\"", "", 1},
		{"Here is my answer:\n```\ndrop e002\n```\nI hope that it helps.", "", 1},
	} {
		v := verify(handDraft(), c.answer)
		if len(v.Refused) != min(len(c.refused), 1) || c.refused != "" && !strings.Contains(v.Refused[0].Text, c.refused) || len(v.Entries) != c.entries || c.entries == 0 && len(v.Accepted) > 0 {
			t.Errorf("%q: %+v %+v", c.answer, v.Refused, v.Entries)
		}
	}
}

// A link of a refused line is no fault of its own, and holds once that line is mended.
func TestLinkOfARefusedLine(t *testing.T) {
	l := handDraft()
	for _, line := range []string{"+x1 error 6 \"a b c\"", "+x1 error 5,9 \"the retry count\""} {
		first := verify(l, line+"\nx1>d001 causes 9")
		if len(first.Refused) != 1 || first.Refused[0].Text != line {
			t.Errorf("%+v", first.Refused)
		}
		if v := mended(l, first, "+x1 error 19 \"the retry count\"", "reader"); len(v.Refused) > 0 || len(v.Entries) != 2 {
			t.Errorf("%+v %+v", v.Refused, v.Entries)
		}
		if v := mended(l, first, "drop e002", "reader"); len(v.Refused) > 0 || len(v.Entries) != 1 {
			t.Errorf("%+v %+v", v.Refused, v.Entries)
		}
	}
}

// The links of a dropped record go with it, also those that another cure replaces, which takes the
// place of the draft's unless the answer says both. A link that goes is named by its ends as the
// rules have them, also where the answer gives one of them other words.
func TestLinksThatGo(t *testing.T) {
	const other = "+d1 recovery success 14 \"Switched to chunked\"\nd1>e001 prevents 14\n"
	for answer, want := range map[string]int{"drop d001 d001>e001": 0, "drop d001\n" + other: 1, other: 1, other + "d001>e001 prevents 9": 2,
		"drop d001>e001\nd001 recovery 14 \"Switched to chunked\"": 0} {
		l := handDraft()
		v := verify(l, answer)
		if dropped := corrections.Apply(l.Draft, l.Lines, v.Entries); len(v.Refused)+len(dropped) > 0 || len(l.Draft.Links) != want {
			t.Errorf("%q: %+v, %v, %+v", answer, v.Refused, dropped, l.Draft.Links)
		}
	}
}

// Fewer than three words are enough where the log has no more of them in a line, cell or label.
func TestShortQuotes(t *testing.T) {
	l := handDraft()
	l.Lines[4] = "- **Merged** as 4f1c2ab by the owner"
	for quote, want := range map[string]int{"4f1c2ab": 1, "Merged": 1, "the owner": 0, "by": 0} {
		if v := verify(l, `+x1 commit 5 "`+quote+`"`); len(v.Entries) != want {
			t.Errorf("%q: %+v", quote, v)
		}
	}
	if v := verify(l, `+x1 milestone 18-19 "review"`); len(v.Entries) != 1 {
		t.Errorf("a cell: %+v", v)
	}
}

// Where words have no spaces between them, letters make up for words.
func TestQuotesWithoutSpaces(t *testing.T) {
	l := handDraft()
	for _, c := range []struct{ line, quote, want string }{
		{"- 上传大文件时超时，因为代理先关闭连接。之后改为分块上传。", "因为代理先关闭", "上传大文件时超时，因为代理先关闭连接。"},
		{"- 上传大文件时超时，因为代理先关闭连接。之后改为分块上传。", "因为代理先", ""},   // too short
		{"- 上传大文件时超时，因为代理先关闭连接。之后改为分块上传。", "因为代理后关闭", ""}, // other letters
		{"- 上传大文件时超时，因为代理先关闭连接。之后改为分块上传。", "上传 大文件 时超时", "上传大文件时超时，因为代理先关闭连接。"},
		{"- プロキシのタイムアウトでアップロードが失敗した。", "タイムアウトで", "プロキシのタイムアウトでアップロードが失敗した。"},
		{"- プロキシのタイムアウトでアップロードが失敗した。", "サーバのタイムアウト", ""},
		{"- การอัปโหลดไฟล์ขนาดใหญ่หมดเวลาเพราะพร็อกซี", "หมดเวลาเพราะพร็อกซี", "การอัปโหลดไฟล์ขนาดใหญ่หมดเวลาเพราะพร็อกซี"},
		{"- การอัปโหลดไฟล์ขนาดใหญ่หมดเวลาเพราะพร็อกซี", "หมดเวลา", ""}, // a word or two
		{"- Загрузка больших файлов прерывается прокси", "больших файлов прерывается", "Загрузка больших файлов прерывается прокси"},
		{"- Загрузка больших файлов прерывается прокси", "больших файлов", ""},
		{"- 프록시가 연결을 먼저 닫아서 업로드가 실패했다", "연결을 먼저 닫아서", "프록시가 연결을 먼저 닫아서 업로드가 실패했다"},
		{"- 프록시가 연결을 먼저 닫아서 업로드가 실패했다", "프록시가 연결을", ""},
		{"- GPUメモリ不足で学習が停止", "GPUメモリ不", "GPUメモリ不足で学習が停止"}, // a word and four letters
		{"- 已合并", "已合并", "已合并"}, // all of the line
	} {
		l.Lines[4] = c.line
		v := verify(l, `+x1 milestone 5 "`+c.quote+`"`)
		if got := len(v.Entries) == 1; got != (c.want != "") || got && v.Entries[0].Record.Text != c.want {
			t.Errorf("%q of %q: %+v, refused %+v; want %q", c.quote, c.line, v.Entries, v.Refused, c.want)
		}
	}
	l.Lines[4] = "- 上传大文件时超时，因为代理先关闭连接。"
	if v := verify(l, `? error 5 "网络断开怎么办"`); len(v.Refused) > 0 || len(v.Entries) != 1 {
		t.Errorf("a question: %+v", v.Refused)
	}
}

func TestAccepted(t *testing.T) {
	for _, c := range []struct{ answer, text string }{
		{`+x1 error 10 "the upload still times"`, "Result: the upload still times out"},
		{`+d1 recovery success 14 "Switched to chunked"`, "Switched to chunked uploads; each chunk is retried"},
		{`+d1 recovery success 12-15 "**switched** TO “chunked”"`, "Switched to chunked uploads; each chunk is retried"},
		{`+x1 error 19 "the retry count"`, "the retry count is too low"},
		{`+l1 lesson 10`, "Result: the upload still times out."},
		{`+x1 error 10-9 "the upload still times"`, "Result: the upload still times out"},
		{`+x1 milestone 12 "Attempt 2"`, "Attempt 2"}, // the line has no more words
	} {
		v := verify(handDraft(), c.answer)
		if len(v.Refused) > 0 || len(v.Entries) != 1 || v.Entries[0].Record.Text != c.text {
			t.Errorf("%q: %+v, refused %+v; want the text %q", c.answer, v.Entries, v.Refused, c.text)
		}
	}
}

// What an answer may not do to the sense of a log and to what the rules found.
func TestSenseIsKept(t *testing.T) {
	l := handDraft()
	l.Lines[4] = "- Never set the proxy limit on the shared host; raise the pool size instead."
	l.Lines[5] = "Tests are red: 3 failed."
	l.Draft.Outcome, l.Draft.OutcomeSource = episode.Failure, episode.Stated
	for answer, taken := range map[string]string{
		`+l1 rule 5 "set the proxy limit"`:                          "",
		`+l1 lesson 5 "set the proxy limit"`:                        "",
		`+l1 lesson 5 "Never set the"`:                              "Never set the proxy limit on the shared host; raise the pool size instead",
		`+l1 lesson 5 "raise the pool size"`:                        "Never set the proxy limit on the shared host; raise the pool size instead",
		`+d1 recovery 5 "raise the pool" why "set the proxy limit"`: "Never set the proxy limit on the shared host; raise the pool size instead",
		`outcome success 6`:                                         "",
	} {
		v := verify(l, answer)
		if len(v.Entries) > 1 || (len(v.Entries) == 1) != (taken != "") || taken != "" && (v.Entries[0].Record.Text != taken || v.Entries[0].Why != "") {
			t.Errorf("%s: %+v, refused %+v", answer, v.Entries, v.Refused)
		}
	}
	records, all := len(l.Draft.Decisions)+len(l.Draft.Events)+len(l.Draft.Lessons), ""
	for _, e := range l.Draft.Events {
		all += "drop " + e.ID + "\n"
	}
	for _, d := range l.Draft.Decisions {
		all += "drop " + d.ID + "\n"
	}
	if v := verify(l, all); len(v.Entries) != records/2 {
		t.Errorf("%d of %d records are dropped", len(v.Entries), records)
	}
	l.Draft.Provenance.Source.Format = "claude"
	for _, e := range verify(l, all).Entries {
		if e.Record.Type == string(episode.Error) || e.Record.Type == string(episode.Test) {
			t.Errorf("what a command did is dropped: %+v", e.Record)
		}
	}
}

func TestReasonIsTakenFromTheLog(t *testing.T) {
	for _, c := range []struct{ why, want string }{
		{"because the proxy closed", "because the proxy closed first"},
		{"each chunk is", "each chunk is retried"}, // on another line
		{"it is simply better", ""},                // the log does not say so
	} {
		v := verify(handDraft(), `+d1 recovery failure 9 "Raised the proxy limit" why "`+c.why+`"`)
		if len(v.Entries) != 1 || v.Entries[0].Why != c.want {
			t.Errorf("why %q: %+v %+v", c.why, v.Entries, v.Refused)
		}
	}
}

// A whole answer: what is in the episode afterwards.
func TestAnswerIsApplied(t *testing.T) {
	l := handDraft()
	v := verify(l, `
outcome partial 27
d001 recovery failure 10
drop d001>e001
+d1 recovery success 14 "Switched to chunked"
e002 test 15
e001>d001 causes 5-10
d1>e001 prevents 14
d1>e002 causes 14-15
d1>outcome enables 14
`)
	if len(v.Refused) > 0 {
		t.Fatalf("refused: %+v", v.Refused)
	}
	ep := l.Draft
	if dropped := corrections.Apply(ep, l.Lines, v.Entries); len(dropped) > 0 {
		t.Fatalf("dropped: %v", dropped)
	}
	var links []string
	for _, k := range ep.Links {
		links = append(links, k.Source+">"+k.Target+" "+string(k.Type))
	}
	if got, want := strings.Join(links, ", "), "d002>e001 prevents, d002>e002 causes, d002>outcome enables, e001>d001 causes"; got != want {
		t.Errorf("links %s, want %s", got, want)
	}
	if ep.Outcome != episode.Partial || ep.Decision("d001").Outcome != episode.Failure || ep.Event("e002").Type != episode.Test || ep.Decision("d002").Outcome != episode.Success {
		t.Errorf("%+v", ep)
	}
	if p := ep.Validate(); len(p) > 0 {
		t.Errorf("not valid: %v", p)
	}
	for _, id := range []string{"outcome", "d001", "d002", "e002", "d002>e001"} {
		if ep.Provenance.By[id] != "reader test" {
			t.Errorf("%s is by %q", id, ep.Provenance.By[id])
		}
	}
	if by, ok := ep.Provenance.By["e001"]; ok {
		t.Errorf("the rules found e001, not %q", by)
	}
}

const question = "? error 9-14 \"sending big files hangs\"\n"

func TestQuestions(t *testing.T) {
	for _, c := range []struct{ answer, says string }{
		{question, "changes nothing"},
		{question + "e002 milestone 15", "changes nothing"}, // as the draft has it
		{question + "outcome success 15", "open or blocked on line 27"},
	} {
		if v := verify(handDraft(), c.answer); len(v.Questions) != 1 || !strings.Contains(v.Questions[0], c.says) {
			t.Errorf("%q: %q", c.answer, v.Questions)
		}
	}
	if v := verify(handDraft(), "drop d009"); len(v.Questions) != 1 || !strings.Contains(v.Questions[0], "no question") {
		t.Errorf("%q", v.Questions)
	}
	l := handDraft()
	l.Draft.Outcome = episode.Success
	if v := verify(l, "drop e002"); len(v.Questions) != 2 {
		t.Errorf("%q", v.Questions)
	}
	if v := verify(l, "drop e002\noutcome success 15"); len(v.Questions) > 0 {
		t.Errorf("said again: %q", v.Questions)
	}
	for _, answer := range []string{"outcome partial 27", "drop e002", "outcome unknown 1"} {
		if v := verify(handDraft(), answer); len(v.Questions) > 0 {
			t.Errorf("%q: %q", answer, v.Questions)
		}
	}
}

// Of many questions six count, each once; the draft stays as it is.
func TestQuestionsOfTheAnswer(t *testing.T) {
	l := handDraft()
	answer := question + "? task 12-14 \"make \"retries\" work\"\n" + question
	for i := range 6000 {
		answer += fmt.Sprintf("? action 14 \"question %d\"\n", i)
	}
	v := verify(l, answer)
	if n := len(v.Entries); n != episode.MaxQuestions {
		t.Fatalf("%d questions were taken", n)
	}
	if len(corrections.Apply(l.Draft, l.Lines, v.Entries)) > 0 || len(l.Draft.Questions) != episode.MaxQuestions ||
		!cmp.Equal(l.Draft.Questions[0], episode.Question{Kind: "task", Text: `make "retries" work`, Lines: episode.Span{12, 14}, By: "reader test"}) {
		t.Errorf("%+v", l.Draft.Questions)
	}
	l = handDraft()
	l.Lines[13] = "- Switched to something else."
	if n := len(corrections.Apply(l.Draft, l.Lines, v.Entries)); n < 5 || len(l.Draft.Questions) != episode.MaxQuestions-n {
		t.Errorf("%d no longer hold, and %+v do", n, l.Draft.Questions)
	}
}

// Names keep their underscores, and a quote may have quotation marks in it.
func TestQuotesOfTheRawLine(t *testing.T) {
	l := handDraft()
	l.Lines[4] = `- **Uploads** of my__big__file with __strong__ words end in "no such host" at once.`
	for _, quote := range []string{"of my__big__file with", "with __strong__ words", `words end in "no such host"`} {
		v := verify(l, `+x1 error 5 "`+quote+`"`)
		if len(v.Refused) > 0 || len(v.Entries) != 1 || strings.Contains(v.Entries[0].Record.Text, "__strong") {
			t.Errorf("%q: %+v %+v", quote, v.Refused, v.Entries)
		}
	}
	if v := verify(l, `+d1 recovery failure 9 "Raised the "proxy" limit" why "because the "proxy" closed"`); len(v.Entries) != 1 || v.Entries[0].Why == "" {
		t.Errorf("%+v %+v", v.Refused, v.Entries)
	}
}

// A test that the draft has as passed may have failed.
func TestOutcomeOfATest(t *testing.T) {
	l := handDraft()
	v := verify(l, "e002 test failure 15")
	corrections.Apply(l.Draft, l.Lines, v.Entries)
	if e := l.Draft.Event("e002"); len(v.Refused) > 0 || e.Outcome != episode.Failure || e.Type != episode.Test {
		t.Errorf("%+v, %+v", e, v.Refused)
	}
}

// The last line about one thing counts, so that a second answer can mend a first.
func TestLaterLinesCount(t *testing.T) {
	v := verify(handDraft(), "outcome success 15\noutcome partial 27\n+x1 error 18 \"the retry count\"\n+x1 milestone 19 \"the retry count\"")
	if len(v.Entries) != 2 || v.Entries[0].Outcome != episode.Partial || v.Entries[1].Type != "milestone" {
		t.Errorf("%+v", v.Entries)
	}
}
