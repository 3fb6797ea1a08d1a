package recall_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"episodes/episode"
	"episodes/recall"
)

// month makes one session of many turns, as a chat history of a month is: a turn every ten lines.
func month(turns map[int]string) *recall.Session {
	s := recall.FromEpisode(&episode.Episode{ID: "episode-month", Provenance: episode.Provenance{Source: episode.Source{Path: "chat.md"}}})
	for i := range 400 {
		text := turns[i]
		if text == "" {
			text = fmt.Sprintf("Step %d: the client sends its query to the server; fix shelf %d of the store.", i, i)
		}
		s.AddSaid(episode.Span{10*i + 1, 10*i + 8}, 0, recall.AnAgent, text, 0)
	}
	return s
}

// What a user pasted and what the agent found are found, though the memory is one session whose
// turns all share words with the output.
func TestAMonthInOneSession(t *testing.T) {
	all := []*recall.Session{month(map[int]string{
		40: "Why does the drawer stay shut?\nDRAWER: \"OPEN /till HTTP/1.1\" 409 Stamp Not Allowed",
		41: "Problem\nThe drawer compares the stamp with the ledger, which is written in local time, so it answers 409 stamp not allowed to every till that was open.",
		90: "The drawer is green instead of blue because the client asked for it.",
	})}
	hits := find(t, open(t, all), "stamp not allowed", recall.Filter{Limit: 3})
	if len(hits) < 2 || hits[0].Kind != "line" || hits[0].Lines[0] < 401 || hits[0].Lines[0] > 418 {
		t.Errorf("%+v", hits)
	}
}

// A fix that names only files is no advice; one that says what changed is.
func TestAFixHasContent(t *testing.T) {
	for fix, want := range map[string]bool{"edit of till.go, edit of drawer.go": false, "edit of till.go: `i < n` → `i <= n`": true} {
		mended := session("till", "2026-03-02", "", func(e *episode.Episode) {
			e.Task = "Mend the till"
			e.Events = []episode.Event{{ID: "e001", Type: episode.Error, Content: "go test: the drawer of the till is shut"}, {ID: "e002", Type: episode.ToolCall, Content: fix}}
			e.Links = []episode.Link{{Source: "e002", Target: "e001", Type: episode.Prevents}}
		})
		lines := advise(t, open(t, append(catalogue(20), mended)), recall.AnError, "$ go test\nFAIL\ntill_test.go:9: the drawer of the till is shut\n")
		if got := len(lines) > 0 && lines[0].Kind() == "fix" && lines[0].Text == fix; got != want {
			t.Errorf("%q: %+v", fix, lines)
		}
	}
}

// The fix of an error that quotes another name is none of this one.
func TestAnErrorOfAnotherName(t *testing.T) {
	mended := session("till", "2026-03-02", "", func(e *episode.Episode) {
		e.Task = "Mend the till"
		e.Events = []episode.Event{{ID: "e001", Type: episode.Error, Content: "make till: the type 'Drawer' cannot be found in the ledger"}, {ID: "e002", Type: episode.ToolCall, Content: "after `make ledger`"}}
		e.Links = []episode.Link{{Source: "e002", Target: "e001", Type: episode.Prevents}}
	})
	for name, is := range map[string]bool{"Drawer": true, "Voucher": false} {
		lines := advise(t, open(t, append(catalogue(20), mended)), recall.AnError, "$ make till\nchecking the ledger\nthe type '"+name+"' cannot be found in the ledger\nmake: *** [Makefile:3: till] Error 1\n")
		if got := len(lines) > 0 && lines[0].Kind() == "fix" && lines[0].Text == "after `make ledger`"; got != is {
			t.Errorf("%s: %+v", name, lines)
		}
	}
}

// Of a text that is kept in a file the index has only the places. What is no longer there is left
// out of answers.
func TestTextInAFile(t *testing.T) {
	const finding = "The drawer compares the stamp with the ledger of the harbor, which is written in local time, so it is shut."
	texts := []string{"Why does the drawer stay shut? It says `StampError: stamp 409 not allowed`.", finding + "\n\nFix: write the ledger in UTC.", "hid\u202eden words of the drawer"}
	file, full := "", session("till", "2026-03-02", "", func(*episode.Episode) {})
	places := session("till", "2026-03-02", "", func(*episode.Episode) {})
	for i, text := range texts {
		file += "\f\n"
		full.AddSaid(episode.Span{i + 1, i + 1}, 0, recall.AnAgent, text, 0)
		places.AddSaid(episode.Span{i + 1, i + 1}, 0, recall.AnAgent, text, len(file))
		file += text + "\n"
	}
	data := build([]*recall.Session{places})
	if strings.Contains(string(data), "drawer compares") || !strings.Contains(string(data), "words of the drawer") {
		t.Error("the text is in the index, or one that had to be filtered is not")
	}
	seg := must(openSegment(data))
	x := recall.NewIndex([]*recall.Segment{seg}, []map[int]bool{nil})
	all := func(x *recall.Index) (out []string) {
		for _, h := range find(t, x, "drawer stamp ledger", recall.Filter{Limit: 9}) {
			out = append(out, fmt.Sprintf("%v %s", h.Lines, h.Text))
		}
		return out
	}
	want := all(open(t, []*recall.Session{full}))
	seg.Kept = func(id string) string { return map[string]string{"episode-till": file}[id] }
	if got := all(x); !slices.Equal(got, want) || len(want) != 3 {
		t.Errorf("%q, want %q", got, want)
	}
	for name, other := range map[string]string{"gone": "", "cut": file[:20], "other": strings.Replace(file, "compares", "Compares", 1)} {
		seg.Kept = func(string) string { return other }
		if got := all(x); len(got) == 0 || len(got) >= len(want) || strings.Contains(strings.Join(got, " "), "ompares the") {
			t.Errorf("%s: %q", name, got)
		}
		if lines := advise(t, x, recall.AnError, "StampError: stamp 409 not allowed"); strings.Contains(fmt.Sprint(lines), "ompares") {
			t.Errorf("%s: %+v", name, lines)
		}
	}
}
