package reader

import (
	"crypto/rand"
	_ "embed"
	"fmt"
	"path"
	"strings"

	"episodes/episode"
	"episodes/internal/local"
	"episodes/internal/telling"
	"episodes/internal/term"
)

//go:embed instructions.md
var instructions string

// maxLine is how many bytes of a line of the log an order shows.
const maxLine = 4000

// Suffix returns what the tags around a log end in: a hash of the log under the user's key, so
// that no text of the log can close them, and that the order for a log is always the same. Where
// there is no key it is random.
func (l Log) Suffix() string {
	if mark, err := local.Mark("order " + strings.Join(l.Lines, "\n")); err == nil {
		return mark[:16]
	}
	return strings.ToLower(rand.Text()[:16])
}

// Order writes the work order for a log. Its beginning is the same for all logs, so that it may be
// cached. Nothing in it moves a terminal.
func Order(l Log, suffix string) string {
	var b strings.Builder
	b.WriteString(instructions)
	fmt.Fprintf(&b, "\nTHE LOG %s, without its lines that have no words\n<log-%s>\n", quoted(path.Base(l.Name)), suffix)
	for i, line := range l.shown() {
		if !hasWords(line) {
			continue
		}
		mark := fmt.Sprint(i+1, ": ")
		for part := range strings.SplitSeq(line, "\n") {
			if len(part) > maxLine {
				part = strings.ToValidUTF8(part[:maxLine], "") + " …"
			}
			b.WriteString(mark + strings.TrimRight(term.Line(strings.ReplaceAll(part, "\t", "  ")), " ") + "\n")
			mark = "  "
		}
	}
	fmt.Fprintf(&b, "</log-%s>\n\nTHE DRAFT (id, lines, what it is, how it begins). %s\n", suffix, found[l.Rendered])
	writeDraft(&b, l.Draft)
	if empty := emptySections(l); len(empty) > 0 {
		b.WriteString("\nSECTIONS IN WHICH THE DRAFT FOUND NOTHING\n" + strings.Join(empty, " ") + "\n")
	}
	b.WriteString("\nYour answer, in the forms above and nothing else:\n")
	return b.String()
}

// shown are the lines of the log without what tools printed.
func (l Log) shown() []string {
	if l.Rendered {
		return l.Lines
	}
	return telling.InLog(l.Lines)
}

// found says what the rules find of a kind of log: a transcript, which the reader sees without what tools printed,
// or a text.
var found = map[bool]string{
	true: "Of a transcript the rules find most errors, tests and commits,\n" +
		"but few decisions and hardly a lesson or another link than a cure; what they call a cure may only have come before.",
	false: "Of a text the rules find about half of the decisions and\n" +
		"one in six links, and one in four of their events is none.",
}

// quoted is a text of others in quotation marks, without what a terminal would obey.
func quoted(text string) string {
	return `"` + term.Line(strings.ReplaceAll(episode.Shorten(text, 80), `"`, "'")) + `"`
}

// How many words of a record are shown.
const (
	beginning = 5
	testWords = 12
)

func writeDraft(b *strings.Builder, ep *episode.Episode) {
	spans := ep.Provenance.Spans
	at := func(id string) string {
		if s, ok := spans[id]; ok {
			return s.Range()
		}
		return "-"
	}
	begin := func(text string, most int) string {
		words := strings.Fields(text)
		return quoted(strings.Join(words[:min(most, len(words))], " "))
	}
	fmt.Fprintf(b, "outcome %s %s\n", at(episode.OutcomeRef), ep.Outcome)
	if ep.Task != "" {
		fmt.Fprintf(b, "task %s %s\n", at("task"), begin(ep.Task, beginning))
	}
	for _, d := range ep.Decisions {
		fmt.Fprintf(b, "%s %s %s %s %s\n", d.ID, at(d.ID), d.Type, d.Outcome, begin(d.Chosen, beginning))
	}
	for _, v := range ep.Events {
		words := beginning
		if v.Type == episode.Test { // with its result
			words = testWords
		}
		fmt.Fprintf(b, "%s %s %s %s\n", v.ID, at(v.ID), v.Type, begin(v.Content, words))
	}
	for i, text := range ep.Lessons {
		id := episode.LessonID(i + 1)
		fmt.Fprintf(b, "%s %s lesson %s\n", id, at(id), begin(text, beginning))
	}
	for _, l := range ep.Links {
		id := episode.LinkID(l.Source, l.Target)
		fmt.Fprintf(b, "%s %s %s\n", id, at(id), l.Type)
	}
}

// sections finds the headings of a log, outside of code: each with the lines up to the next one. The first section is
// the text before them.
func sections(log []string) []episode.Span {
	out := []episode.Span{{1, 0}}
	fence := ""
	for i, line := range log {
		t := strings.TrimSpace(line)
		switch {
		case fence != "":
			if strings.HasPrefix(t, fence) {
				fence = ""
			}
		case strings.HasPrefix(t, "```"), strings.HasPrefix(t, "~~~"):
			fence = t[:3]
		case heading().MatchString(line):
			out = append(out, episode.Span{i + 1, i})
		}
		out[len(out)-1][1] = i + 1
	}
	return out
}

// fewLetters are too little text for a section to hold a fact: "N/A".
const fewLetters = 16

// emptySections lists the sections with some text from which the draft took nothing.
func emptySections(l Log) (out []string) {
	change := make([]int, len(l.Lines)+2) // in the number of spans, from the line before
	for id, span := range l.Draft.Provenance.Spans {
		if id != "task" && l.Lines.Has(span) {
			change[span[0]]++
			change[span[1]+1]--
		}
	}
	spans := 0
	for i, s := range sections(l.Lines) {
		text, used := 0, false
		for n := s[0]; n <= s[1]; n++ {
			spans += change[n]
			used = used || spans > 0
			if n > s[0] {
				text += len(strings.Join(word().FindAllString(l.Lines[n-1], -1), ""))
			}
		}
		if i > 0 && text > fewLetters && !used {
			out = append(out, s.Range())
		}
	}
	return out
}
