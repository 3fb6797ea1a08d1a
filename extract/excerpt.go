package extract

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/extract/actions"
	"episodes/internal/turns"
)

// Excerpts shows spans of a transcript in lines for people, and returns the digest of all
// its files, or of its session in a file with several. of is the source of an episode; found is
// false if it is not of a format of transcripts. parts are as for Read.
func (e *Extractor) Excerpts(in io.Reader, of episode.Source, spans []episode.Span,
	parts ...io.Reader) (lines [][]string, digest string, found bool, err error) {
	f, ok := Transcript(of.Format)
	if !ok {
		return nil, "", false, nil
	}
	lines = make([][]string, len(spans))
	x := newReading(f, func(t turns.Turn) error {
		for i, span := range spans {
			if t.At[0] <= span[1] && t.At[1] >= span[0] && len(lines[i]) < excerptLines {
				lines[i] = append(lines[i], shownTurn(t)...)
			}
		}
		return nil
	}, e.redact.String)
	if digest, err = x.one(of.Session, in, parts, func(bool) {}); err != nil {
		return nil, "", true, err
	}
	for i := range lines {
		lines[i] = lines[i][:min(len(lines[i]), excerptLines)]
	}
	return lines, digest, true, nil
}

// Rendering is a transcript as a reader of it is shown it (actions.Builder.Rendering): the text at i is of
// record i+1, and most are empty. It is nil for a format of logs. of and parts are as for Excerpts.
func (e *Extractor) Rendering(in io.Reader, of episode.Source, parts ...io.Reader) (texts []string, digest string, err error) {
	f, ok := Transcript(of.Format)
	if !ok {
		return nil, "", nil
	}
	b := actions.New()
	x := newReading(f, func(t turns.Turn) error { return b.Add(t) }, e.redact.String)
	x.next = func() { b.NextFile() }
	var list []actions.Rendered
	digest, err = x.one(of.Session, in, parts, func(found bool) {
		if found {
			list = b.Rendering()
		}
		b = actions.New()
	})
	if err != nil {
		return nil, "", err
	}
	for _, r := range list {
		for len(texts) < r.Record {
			texts = append(texts, "")
		}
		at := &texts[r.Record-1]
		*at = strings.TrimPrefix(*at+"\n"+r.Text, "\n")
	}
	return texts, digest, nil
}

// An excerpt is as long as the quote of a log may be.
const (
	excerptLines = 40
	turnLines    = 12  // of one turn
	lineBytes    = 300 // of one line
)

func shownTurn(t turns.Turn) []string {
	switch t.Role {
	case turns.User:
		return shownText("user: ", t.Text)
	case turns.Agent:
		return shownText("agent: ", t.Text)
	case turns.Call:
		c := t.Call
		what := c.Command
		if what == "" {
			what = strings.TrimSpace(strings.Join(c.Files, " ") + " " + c.Text)
		}
		out := shownText("call "+c.Name+": ", what)
		if c.Old != "" {
			out = append(out, shownText("- ", c.Old)...)
		}
		if c.New != "" {
			out = append(out, shownText("+ ", c.New)...)
		}
		return out
	case turns.Result:
		head := "result: "
		if t.Result.Exit != nil {
			head = fmt.Sprintf("result, exit code %d: ", *t.Result.Exit)
		}
		return append(shownText(head, t.Result.Text), shownText("user: ", t.Result.Said)...)
	}
	return []string{"the user stopped the agent"}
}

// shownText is the beginning and the end of a text, with a word before it.
func shownText(head, text string) []string {
	if strings.TrimSpace(text) == "" {
		if strings.HasPrefix(head, "result") {
			return []string{head + "nothing"}
		}
		return nil
	}
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	if n := len(lines); n > turnLines {
		lines = append(append(slices.Clone(lines[:turnLines/2]), fmt.Sprintf("… %d lines …", n-turnLines)),
			lines[n-turnLines/2:]...)
	}
	lines[0] = head + lines[0]
	for i, l := range lines {
		if cut := turns.Start(l, lineBytes); cut != l {
			lines[i] = cut + "…"
		}
	}
	return lines
}
