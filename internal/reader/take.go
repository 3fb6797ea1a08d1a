package reader

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/internal/lesson"
)

// Verdict is what became of an answer.
type Verdict struct {
	Entries []lesson.Entry // what was taken
	Refused []Refusal
	Cached  bool // it was counted before
}

// Take reads an answer and holds it to the session.
func Take(l Log, answer string) *Verdict {
	entries, refused := Entries(answer, l.Draft, l.Lines)
	c := l.Check
	c.By, c.Session = lesson.Reader, cmp.Or(l.Draft.Session, l.Draft.ID)
	if c.Log == nil {
		c.Log = lesson.FromMarkdown(l.Lines)
	}
	own := map[lesson.Ref]bool{} // of the draft, which the answer may name
	for _, t := range l.Draft.Taught {
		own[t.ID] = true
	}
	for _, e := range entries {
		if e.Drop != nil { // Entries has found it
			own[e.Drop.ID] = true
		}
	}
	c.Known = func(ref lesson.Ref) lesson.Age {
		if own[ref] {
			return lesson.Same
		}
		return lesson.Nowhere
	}
	res := c.Take(entries)
	given := strings.Split(answer, "\n")
	for _, r := range res.Refused {
		refused = append(refused, Refusal{r.Entry.Line, episode.Shorten(given[r.Entry.Line-1], maxText), r.Text, r.Code == lesson.BadRef})
	}
	slices.SortStableFunc(refused, func(a, b Refusal) int { return cmp.Compare(a.Line, b.Line) })
	return &Verdict{Entries: res.Taken, Refused: refused}
}

// keeps are the lines of an answer that stay.
func (v *Verdict) keeps(answer string) string {
	out := strings.Split(body(answer), "\n")
	for _, r := range v.Refused {
		if r.follows {
			continue
		}
		out[r.Line-1] = ""
		for _, e := range v.Entries {
			if e.Line == r.Line && e.Drop != nil { // each id counts by itself
				out = append(out, "drop "+string(e.Drop.ID))
			}
		}
	}
	out = slices.DeleteFunc(out, func(l string) bool { return strings.TrimSpace(l) == "" })
	return strings.Join(append(out, ""), "\n")
}

// mended is the verdict on what is kept of a first answer together with a second one.
func mended(l Log, kept, again string) *Verdict {
	v := Take(l, kept+body(again))
	before := strings.Count(kept, "\n")
	for i, r := range v.Refused {
		if r.Line > before {
			v.Refused[i].Line -= before
		}
	}
	return v
}

// text is an answer that gives the same verdict.
func (v *Verdict) text() string {
	var b strings.Builder
	for _, e := range v.Entries {
		json.NewEncoder(&b).Encode(e)
	}
	return b.String()
}
