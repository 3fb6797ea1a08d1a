package reader

import (
	"crypto/rand"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"io"
	"path"
	"slices"
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
	h := sha256.New()
	for _, line := range l.Lines {
		io.WriteString(h, line+"\n")
	}
	if mark, err := local.Mark("order " + hex.EncodeToString(h.Sum(nil))); err == nil {
		return mark[:16]
	}
	b := make([]byte, 8)
	rand.Read(b)
	return hex.EncodeToString(b)
}

// Order writes the work order for a log. Its beginning is the same for all logs, so that it may be
// cached. Nothing in it moves a terminal.
func Order(l Log, suffix string) string {
	var b strings.Builder
	b.WriteString(instructions)
	fmt.Fprintf(&b, "\nTHE LOG %s, without its lines that have no words\n<log-%s>\n", quoted(path.Base(l.Name)), suffix)
	for i, line := range l.shown() {
		if !strings.ContainsFunc(line, wordRune) {
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
		b.WriteString("\nSECTIONS IN WHICH THE DRAFT FOUND NOTHING\n")
		var spans []string
		for _, s := range empty {
			spans = append(spans, lines(s.span))
		}
		b.WriteString(strings.Join(spans, " ") + "\n")
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

func lines(s episode.Span) string {
	if s[0] == s[1] {
		return fmt.Sprint(s[0])
	}
	return fmt.Sprintf("%d-%d", s[0], s[1])
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
			return lines(s)
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

// section is a heading and the lines up to the next heading.
type section struct {
	title string
	level int
	span  episode.Span // the heading included
}

// sections finds the headings of a log, outside of code. The text before the first one
// is a section of level 0.
func sections(log []string) []section {
	out := []section{{span: episode.Span{1, 0}}}
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
		case strings.HasPrefix(line, "#"):
			level := len(line) - len(strings.TrimLeft(line, "#"))
			title := strings.TrimSpace(line[level:])
			if level <= 6 && title != "" && line[level] == ' ' {
				out = append(out, section{title, level, episode.Span{i + 1, i}})
			}
		}
		out[len(out)-1].span[1] = i + 1
	}
	return out
}

// fewLetters are too little text for a section to hold a fact: "N/A".
const fewLetters = 16

// emptySections lists the sections with some text from which the draft took nothing.
func emptySections(l Log) []section {
	change := make([]int, len(l.Lines)+2) // in the number of spans, from the line before
	for id, span := range l.Draft.Provenance.Spans {
		if id != "task" && l.Lines.Has(span) {
			change[span[0]]++
			change[span[1]+1]--
		}
	}
	var out []section
	spans := 0
	for _, s := range sections(l.Lines) {
		text, used := 0, false
		for n := s.span[0]; n <= s.span[1]; n++ {
			spans += change[n]
			used = used || spans > 0
			if n > s.span[0] {
				text += len(strings.Join(word().FindAllString(l.Lines[n-1], -1), ""))
			}
		}
		if s.level > 0 && text > fewLetters && !used {
			out = append(out, s)
		}
	}
	return slices.Clip(out)
}
