package recall

import (
	"slices"
	"strings"

	"episodes/episode"
	"episodes/internal/plain"
	"episodes/keys"
)

// reverse marks the decisions of some places that a decision of another place undoes later: it has
// all words of the earlier one, and is against them.
func reverse(all []*Place) {
	for _, p := range all {
		for _, old := range p.decisions() {
			for _, o := range all {
				for _, d := range o.decisions() {
					if d != old && old.Until <= o.Session.Date && o.later(d, p, old) && d.undoes(old) {
						old.Later, old.Until = d.chosen(), o.Session.Date
					}
				}
			}
		}
	}
}

func (p *Place) decisions() []*Document {
	return slices.DeleteFunc(slices.Clone(p.Docs), func(d *Document) bool { return d.Kind != Decision })
}

// later reports whether d was decided after old, of the place o: on a later day, in the next session
// of that day, or further down in the same log.
func (p *Place) later(d *Document, o *Place, old *Document) bool {
	if p.Session.Episode == o.Session.Episode {
		return d.Lines[0] > old.Lines[1]
	}
	return o.Session.Date != "" && (p.Session.Date > o.Session.Date || p.Session.Date == o.Session.Date &&
		episode.Follows(p.Session.Name, o.Session.Name))
}

// undoes reports whether a decision is against what an earlier one chose.
func (d *Document) undoes(old *Document) bool {
	words, have := keys.Words(old.chosen()), keys.Words(d.chosen())
	return len(words) > 1 && keys.Opposite(old.chosen(), d.chosen()) &&
		!slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(have, w) })
}

// chosen returns what a decision chose: the line of its text that its options repeat, or the one
// below its question.
func (d *Document) chosen() string {
	lines := strings.Split(d.Text, "\n")
	for i, l := range lines {
		if slices.Contains(lines[i+1:], l) {
			return l
		}
	}
	if len(lines) > 2 || len(lines) == 2 && strings.HasSuffix(lines[0], "?") {
		return lines[1]
	}
	return lines[0]
}

// was begins a statement that quotes a decision that no longer holds; "" for others.
func (s *Statement) was() string {
	for _, d := range s.place.decisions() {
		if was := d.was(); was != "" && holds(s.Quotes[0].Text, d.chosen()) {
			return was
		}
	}
	return ""
}

// was begins the text of a decision that no longer holds: with what does, and until when it did.
func (d *Document) was() string {
	switch {
	case d.Later == "" || d.Later == Unnamed:
		return ""
	case d.Until != "":
		return "Now: " + plain.Quote(d.Later, longestNote) + "; was, until " + d.Until + ": "
	}
	return "Now: " + plain.Quote(d.Later, longestNote) + "; was: "
}
