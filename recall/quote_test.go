package recall_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"episodes/episode"
	"episodes/recall"
)

// line draws a sentence of a log.
func drawSentence(t *rapid.T) string {
	words := rapid.SliceOfN(rapid.SampledFrom(vocabulary), 3, 12).Draw(t, "sentence")
	cue := rapid.SampledFrom([]string{"", "", "Fix: ", "Root cause: ", "Decided: "}).Draw(t, "cue")
	return cue + strings.Join(words, " ") + rapid.SampledFrom([]string{".", "!", "."}).Draw(t, "end")
}

// drawLog makes a log of sections with paragraphs, lists and long lines of several sentences.
// It returns its lines.
func drawLog(t *rapid.T) []string {
	out := []string{"# Session"}
	for range rapid.IntRange(1, 3).Draw(t, "sections") {
		out = append(out, "", "## "+rapid.SampledFrom(vocabulary).Draw(t, "heading"))
		for range rapid.IntRange(1, 4).Draw(t, "blocks") {
			out = append(out, "")
			switch rapid.IntRange(0, 2).Draw(t, "block") {
			case 0:
				out = append(out, drawSentence(t))
			case 1:
				for range rapid.IntRange(1, 5).Draw(t, "items") {
					out = append(out, "- "+drawSentence(t))
				}
			default:
				var all []string
				for range rapid.IntRange(3, 9).Draw(t, "sentences") {
					all = append(all, drawSentence(t))
				}
				out = append(out, strings.Join(all, " "))
			}
		}
	}
	return out
}

// quoted checks that a text quotes a log: whole sentences of some of its lines in their
// order, the last of which may be cut between two words.
func quoted(text string, lines []string) error {
	at := 0
	for _, part := range strings.Split(text, " / ") {
		err := fmt.Errorf("no line is left for %q", part)
		for ; at < len(lines); at++ { // another line may have the words, too
			if err = quotes(part, strings.TrimPrefix(lines[at], "- ")); err == nil {
				break
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// quotes checks that a part of a quotation is of a line.
func quotes(part, line string) error {
	part, short := strings.CutSuffix(part, "…")
	part, goesOn := strings.CutPrefix(part, "…") // of a fix that is quoted up to there
	before, after, found := strings.Cut(line, part)
	switch {
	case !found:
		return fmt.Errorf("%q is not in %q", part, line)
	case before != "" && !(goesOn && strings.HasSuffix(before, " ")) && !strings.HasSuffix(before, ". ") && !strings.HasSuffix(before, "! ") && !strings.HasSuffix(before, ": "): // after a label
		return fmt.Errorf("%q begins within a sentence of %q", part, line)
	case !short && after != "" && after[0] != ' ' || !short && !strings.ContainsAny(part[len(part)-1:], ".!"):
		return fmt.Errorf("%q ends within a sentence of %q", part, line)
	case short && after != "" && !strings.ContainsAny(after[:1], " :") && part != "":
		return fmt.Errorf("%q is cut within a word of %q", part, line)
	}
	return nil
}

// What is quoted of a log stands there, in the lines that are named, from the beginning of a
// sentence to the end of one.
func TestQuotationsAreWholeSentencesOfTheirLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		log := drawLog(t)
		s := session("quoted", "2026-01-01", strings.Join(log, "\n"), func(e *episode.Episode) { e.Task = "" })
		x := open(t, append(catalogue(10), s))
		q := recall.Analyse(recall.ATask, strings.Join(rapid.SliceOfN(rapid.SampledFrom(vocabulary), 1, 6).Draw(t, "question"), " "))
		if a, err := x.Closest(q); err != nil {
			t.Fatal(err)
		} else if a != nil {
			for _, st := range a.Statements {
				lines := log[st.Lines[0]-1 : st.Lines[1]]
				for _, quote := range st.Quotes {
					if err := quoted(quote.Text, lines); err != nil {
						t.Fatalf("lines %v: %v\n%s", st.Lines, err, strings.Join(lines, "\n"))
					}
				}
			}
		}
		for _, h := range find(t, x, "walnut copper harbor", recall.Filter{Kind: "line", Limit: 9}) {
			if err := quoted(h.Text, log[h.Lines[0]-1:h.Lines[1]]); err != nil || len(h.Text) > 160 {
				t.Fatalf("hit in lines %v: %v\n%s", h.Lines, err, strings.Join(log, "\n"))
			}
		}
	})
}

// A fault, its cause and its fix are quoted from a long block by their own lines.
func TestLinesOfLongBlocks(t *testing.T) {
	log := []string{"# Session", "", "## Import", ""}
	for i := range 60 {
		log = append(log, "ribbon "+vocabulary[20+i%5])
	}
	log[6] = "Fix: open the copper tunnel after the meadow importer."
	log[60] = "LedgerLockError: walnut harbor holds the copper tunnel of the violet saddle"
	s := session("block", "2026-01-01", strings.Join(log, "\n"), func(e *episode.Episode) {
		e.Task = ""
		e.Events = []episode.Event{{ID: "e001", Type: episode.Error, Content: log[60]}}
		e.Provenance.Spans = map[string]episode.Span{"e001": {61, 61}}
	})
	a := ask(t, open(t, append(catalogue(30), s)), recall.AnError, log[60])
	if a == nil {
		t.Fatal("no answer")
	}
	if s := a.Statements[0]; !strings.Contains(s.Text(), "open the copper tunnel") || s.Class() != recall.Fix || s.Lines[0] > 7 || s.Lines[1] < 7 {
		t.Errorf("line 7 is quoted as lines %v: %q", s.Lines, s.Text())
	}
}

// Where a quotation has used up the budget nothing is added: a few bytes of what follows say nothing.
func TestNoScraps(t *testing.T) {
	sentence := "The walnut harbor was painted with copper while the lantern of the tunnel was lit by the importer, and the meadow dried at last." // 129 bytes
	long := strings.Join([]string{sentence, sentence, sentence, "Because t" + sentence[1:]}, " ")
	log := "# Session\n\n## Paint\n\n" + long + "\n\n## After\n\nFix: bucket and basket, always in this order and never otherwise.\n"
	s := session("long", "2026-01-01", log, func(e *episode.Episode) { e.Task = "" })
	a, err := open(t, append(catalogue(30), s)).Closest(recall.Analyse(recall.ATask, "walnut lantern importer"))
	if err != nil || a == nil || len(a.Statements) != 1 {
		t.Fatalf("%+v, %v", a, err)
	}
	if quotes := a.Statements[0].Quotes; len(quotes) != 1 || len(quotes[0].Text) < 500 {
		t.Errorf("%+v", quotes)
	}
}

// Wrapped lines are one sentence again, and the marks of Markdown are left out.
func TestQuotationsOfMarkdown(t *testing.T) {
	for _, c := range []struct{ name, log, want string }{
		{"a wrapped paragraph", "Fix: the **walnut** harbor is painted before the copper tunnel is opened,\nand the lantern is lit.",
			"the walnut harbor is painted before the copper tunnel is opened, and the lantern is lit."},
		{"an item", "- [x] Fix: the walnut harbor is painted\n  and the lantern is lit.", "the walnut harbor is painted and the lantern is lit."},
		{"a quotation", "> Fix: the walnut harbor is painted.", "the walnut harbor is painted."},
		{"what is announced is left out", "Fix: the walnut harbor is painted.\n\nThe lantern, in the walnut harbor:\n", "the walnut harbor is painted."},
		{"quotation marks", `Fix: the walnut "harbor" is “painted”.`, `the walnut 'harbor' is 'painted'.`},
		{"control characters", "Fix: the walnut\u202e harbor \x1b[31mis\x1b[0m painted.", "the walnut harbor is painted."},
	} {
		x := open(t, append(catalogue(30), session("marked", "2026-01-01", "# Session\n\n## Work\n\n"+c.log+"\n", func(e *episode.Episode) { e.Task = "" })))
		a, err := x.Closest(recall.Analyse(recall.ATask, "paint the walnut harbor"))
		if err != nil || a == nil {
			t.Errorf("%s: %v, %v", c.name, a, err)
			continue
		}
		if text := a.Text(recall.Budget); !strings.Contains(text, `Fix: "Fix: `+c.want+`" (marked.md:5`) {
			t.Errorf("%s: %q is not in:\n%s", c.name, c.want, text)
		}
	}
}

// The answer keeps to any budget, ends each quotation that it begins, and names the place of
// each; with less room it says the beginning of the same.
func TestAnyBudget(t *testing.T) {
	x := open(t, beside(settled("a", "2026-03-01", "set a busy timeout "+strings.Repeat("and wait for the importer ", 9), nil), settled("b", "2026-03-03", "never retry in a loop", nil)))
	advised := ask(t, x, recall.AnError, locked)
	weak, err := x.Closest(recall.Analyse(recall.ATask, "busy"))
	if err != nil || advised == nil || weak == nil {
		t.Fatalf("%v, %v, %v", advised, weak, err)
	}
	for _, a := range []*recall.Answer{advised, weak} {
		for _, spans := range []bool{false, true} {
			a.Spans = spans
			last := 0
			for budget := range 2 * recall.Budget {
				text := a.Text(budget)
				if len(text) > budget {
					t.Fatalf("%d bytes of at most %d:\n%s", len(text), budget, text)
				}
				if strings.Count(text, `"`)%2 != 0 || text != "" && !strings.HasSuffix(text, "\n") {
					t.Fatalf("with %d bytes a quotation is left open:\n%s", budget, text)
				}
				places := strings.Count(text, ".md:")
				if places < last {
					t.Fatalf("with %d bytes fewer places are named:\n%s", budget, text)
				}
				last = places
			}
			if last != len(a.Statements) {
				t.Errorf("%d places are named, of %d", last, len(a.Statements))
			}
		}
	}
}

// No answer that is made is longer than the budget by itself, so that a quotation need not be
// cut again.
func TestQuotationsShareTheBudget(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := catalogue(10)
		for i := range rapid.IntRange(1, 4).Draw(t, "sessions") {
			all = append(all, session(fmt.Sprint(i), "2026-01-01", strings.Join(drawLog(t), "\n"), func(e *episode.Episode) { e.Lessons = []string{drawSentence(t)} }))
		}
		q := recall.Analyse(recall.ATask, strings.Join(rapid.SliceOfN(rapid.SampledFrom(vocabulary), 1, 6).Draw(t, "question"), " "))
		a, err := open(t, all).Closest(q)
		if err != nil || a == nil {
			return
		}
		size := 0
		var seen []string
		for _, s := range a.Statements {
			for _, quote := range s.Quotes {
				if quote.Text == "" || slices.Contains(seen, s.Episode+quote.Text) {
					t.Fatalf("%q is empty, or quoted twice", quote.Text)
				}
				seen = append(seen, s.Episode+quote.Text)
				size += len(quote.Text)
			}
		}
		if size > recall.Budget {
			t.Fatalf("%d bytes are quoted", size)
		}
	})
}

// A quotation that is too long ends after a clause, or else between two words.
func TestCut(t *testing.T) {
	const opening = "The keeper of the harbor writes the ledger of the walnut ribbons every morning and again at night"
	for text, want := range map[string]string{
		opening + ". Then the copper parcel goes to the anchor of the pilot where the lantern burns until the tide": opening + ".",
		opening + ", then the copper parcel goes to the anchor of the pilot where the lantern burns until the tide": opening + "…",
		strings.Repeat("harbor ", 30): strings.TrimSpace(strings.Repeat("harbor ", 22)) + "…",
	} {
		x := open(t, append(catalogue(10), sayings("long", "2026-01-01", text)))
		if hits := find(t, x, text, recall.Filter{Kind: "lesson", Limit: 1}); len(hits) != 1 || hits[0].Text != want {
			t.Errorf("%+v, want %q", hits, want)
		}
	}
}
