package reader

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"episodes/episode"
	"episodes/extract"
	"episodes/internal/corrections"
)

// labelled is a log of testdata with an answer that says what a careful reader found.
type labelled struct {
	Log
	answer []Line
}

type labels struct {
	Outcome   string
	Lines     []episode.Span `json:"outcome_lines"`
	Decisions []struct {
		ID                    string
		Lines                 episode.Span
		Type, Outcome, Chosen string
	}
	Events []struct {
		ID            string
		Lines         episode.Span
		Type, Content string
	}
	Lessons []struct{ Lines episode.Span }
	Links   []struct {
		From, To, Type string
		Lines          episode.Span
	}
}

// labelledLogs makes answers of the labels of testdata.
func labelledLogs(t *testing.T) []labelled {
	files, err := filepath.Glob("../../testdata/labels/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	var out []labelled
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json") + ".md"
		data, err := os.ReadFile(filepath.Join("../../testdata/sessions", name))
		if err != nil {
			continue
		}
		var want labels
		text, err := os.ReadFile(file)
		if err == nil {
			err = json.Unmarshal(text, &want)
		}
		res, err2 := extract.New(extract.Vocabulary{}).Log(extract.Source{Path: name}, data)
		if err != nil || err2 != nil {
			t.Fatal(name, err, err2)
		}
		l := labelled{Log: Log{Name: name, Lines: corrections.Split(data), Draft: &episode.Episode{ID: res.Episode.ID}}}
		l.addRecords(want)
		if len(want.Lines) > 0 {
			l.say("outcome %s %s", want.Outcome, lines(want.Lines[0]))
		}
		for _, k := range want.Links {
			l.say("%s>%s %s %s", label(k.From), label(k.To), k.Type, lines(k.Lines))
		}
		out = append(out, l)
	}
	return out
}

func (l *labelled) addRecords(want labels) {
	for _, d := range want.Decisions {
		l.say("+%s %s %s %s %s", label(d.ID), d.Type, d.Outcome, lines(d.Lines), l.begin(d.Lines, d.Chosen))
	}
	for _, e := range want.Events {
		l.say("+%s %s %s %s", label(e.ID), e.Type, lines(e.Lines), l.begin(e.Lines, e.Content))
	}
	for i, k := range want.Lessons {
		l.say("+l%d lesson %s", i+1, lines(k.Lines))
	}
}

// label is a label's id as an answer can name it.
func label(id string) string { return strings.Replace(id, "e", "x", 1-strings.Count(id, "outcome")) }

// begin quotes lines: from where they say what the label says, else their first words.
func (l *labelled) begin(s episode.Span, text string) string {
	words := tokens(passage(l.Lines, s))
	for said := tokens(text); len(said) >= quoteWords; said = said[1:] {
		if at := find(words, said); at >= 0 {
			words = words[at:]
			break
		}
	}
	var quote []string
	for _, w := range words[:min(5, len(words))] {
		quote = append(quote, w.word)
	}
	return `"` + strings.Join(quote, " ") + `"`
}

func (l *labelled) say(format string, args ...any) {
	lines, refused := Parse(fmt.Sprintf(format, args...))
	if len(refused) > 0 {
		panic(refused[0].Reason + ": " + refused[0].Text)
	}
	lines[0].Number = len(l.answer) + 1
	l.answer = append(l.answer, lines[0])
}

// refusedWith reports whether a line is refused when it is changed and the others stay.
// That the labels tell something twice is no fault of the line.
func refusedWith(l labelled, i int, changed Line) bool {
	answer := slices.Clone(l.answer)
	answer[i] = changed
	v := Verify(l.Log, answer, nil, "reader test")
	follows := slices.ContainsFunc(v.pending, func(p Line) bool { return p.Number == changed.Number })
	return follows || slices.ContainsFunc(v.Refused, func(r Refusal) bool {
		return r.Line == changed.Number && !strings.Contains(r.Reason, "once, in one direction") && !strings.Contains(r.Reason, "says the same")
	})
}

// What verification catches of answers that were right and then were changed. The bounds
// are what a reader, and who reads its episodes, can rely on.
func TestVerificationCatchesMutations(t *testing.T) {
	shift := func(by int) func(Line) (Line, bool) {
		return func(c Line) (Line, bool) {
			c.Span = episode.Span{c.Span[0] + by, c.Span[1] + by}
			return c, c.Verb == Add && c.Quote != ""
		}
	}
	mutations := []struct {
		name   string
		mutate func(Line) (Line, bool)
		least  float64 // of them refused
	}{
		{"right (must not be refused)", func(c Line) (Line, bool) { return c, true }, 0},
		{"lines shifted by 1", shift(1), 0.95},
		{"lines shifted by -1", shift(-1), 0.75},
		{"lines shifted by 3", shift(3), 0.97},
		{"lines beyond the end", shift(100000), 1},
		{"a word changed", func(c Line) (Line, bool) {
			w := strings.Fields(strings.Trim(c.Quote, `"`))
			if len(w) < 3 {
				return c, false
			}
			w[1] = "zzz"
			c.Quote = strings.Join(w, " ")
			return c, c.Verb == Add
		}, 1},
		{"two words swapped", func(c Line) (Line, bool) {
			w := strings.Fields(c.Quote)
			if len(w) < 3 || w[0] == w[1] {
				return c, false
			}
			w[0], w[1] = w[1], w[0]
			c.Quote = strings.Join(w, " ")
			return c, c.Verb == Add
		}, 0.95},
		{"type of another kind", func(c Line) (Line, bool) {
			swap := map[string]string{"error": "recovery", "milestone": "design", "commit": "routing", "handoff": "routing",
				"recovery": "error", "design": "milestone", "implementation": "commit", "routing": "handoff"}
			c.Type = swap[c.Type]
			return c, c.Verb == Add && c.Type != ""
		}, 1},
		{"prevents turned round", func(c Line) (Line, bool) {
			c.ID, c.To = c.To, c.ID
			return c, c.Verb == AddLink && c.Type == "prevents" && c.ID != "outcome"
		}, 1},
		{"causes made prevents", func(c Line) (Line, bool) {
			was := c.Type
			c.Type = "prevents"
			return c, c.Verb == AddLink && was == "causes"
		}, 0.9},
		{"links shifted by 3", func(c Line) (Line, bool) {
			c.Span = episode.Span{c.Span[0] + 3, c.Span[1] + 3}
			return c, c.Verb == AddLink
		}, 0},
		{"link to nothing", func(c Line) (Line, bool) { c.To = "x999"; return c, c.Verb == AddLink }, 1},
		{"lessons shifted by 1 (no quote: lines alone)", func(c Line) (Line, bool) {
			c.Span = episode.Span{c.Span[0] + 1, c.Span[1] + 1}
			return c, c.Verb == Add && c.Quote == ""
		}, 0},
	}
	logs := labelledLogs(t)
	t.Logf("%-46s %7s %7s", "mutation", "tried", "caught")
	for _, m := range mutations {
		tried, caught := 0, 0
		for _, l := range logs {
			for i, line := range l.answer {
				changed, applies := m.mutate(line)
				if !applies {
					continue
				}
				tried++
				if refusedWith(l, i, changed) {
					caught++
					if m.least == 0 && changed.Span == line.Span {
						t.Logf("%s: %s", l.Name, line.Text)
					}
				}
			}
		}
		t.Logf("%-46s %7d %6.0f%%", m.name, tried, 100*float64(caught)/float64(max(tried, 1)))
		if tried == 0 || float64(caught) < m.least*float64(tried) {
			t.Errorf("%s: caught %d of %d, want at least %.0f%%", m.name, caught, tried, 100*m.least)
		}
		if strings.HasPrefix(m.name, "right") && float64(caught) > 0.02*float64(tried) {
			t.Errorf("%d of %d right lines are refused", caught, tried)
		}
	}
}
