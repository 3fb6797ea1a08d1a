package corrections

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/internal/plain"
)

// Disputed describes what readers, or readers and a check, say different things of. It is not
// applied. ep may be nil.
func Disputed(ep *episode.Episode, entries []Entry) (out []string) {
	said, all := claims(entries)
	if outcomes := said[string(Outcome)]; outcomes != nil && ep != nil && Measured(ep) {
		outcomes["a check"] = string(ep.Outcome)
	}
	for _, c := range disputed(said, all) {
		var all []string
		for _, by := range slices.Sorted(maps.Keys(said[c.about])) {
			all = append(all, by+": "+said[c.about][by])
		}
		out = append(out, c.subject+" ("+strings.Join(all, "; ")+")")
	}
	return out
}

// claim is the statement of an entry about one thing, which about identifies for all readers.
type claim struct{ about, subject, says string }

// claims returns what readers say of each thing, and one claim about each.
func claims(entries []Entry) (said map[string]map[string]string, all []claim) {
	said = map[string]map[string]string{}
	for _, e := range entries {
		if !e.FromReader() {
			continue
		}
		for _, c := range e.claims() {
			if said[c.about] == nil {
				said[c.about], all = map[string]string{}, append(all, c)
			}
			said[c.about][e.By] = c.says
		}
	}
	return said, all
}

// disputed leaves the claims of which not all say the same.
func disputed(said map[string]map[string]string, all []claim) []claim {
	return slices.DeleteFunc(all, func(c claim) bool {
		s := slices.Sorted(maps.Values(said[c.about]))
		return s[0] == s[len(s)-1]
	})
}

// claims are those of one entry.
func (e Entry) claims() (out []claim) {
	add := func(what, says string, refs ...*Ref) {
		if says == "" {
			return
		}
		about, subject := what, what
		for _, r := range refs {
			about += fmt.Sprintf("\n%s %q", r.Kind, r.Text)
			if r.At != nil {
				about += " " + cmp.Or(r.At.Hash, fmt.Sprint(r.At.Lines))
			}
			subject += " of " + string(r.Kind) + " " + plain.Quote(r.Text, 60)
		}
		out = append(out, claim{about, subject, says})
	}
	switch e.Op {
	case SetOutcome:
		add(string(Outcome), string(e.Outcome))
	case Put:
		add("presence", "it is one", e.Record)
		add("type", e.Type, e.Record)
		add("outcome", string(e.Outcome), e.Record)
	case Drop:
		add("presence", "it is none", e.Record)
	case PutLink:
		add("link", e.Type, e.From, e.To)
	case DropLink:
		add("link", "none", e.From, e.To)
	}
	return out
}

// claimed reports whether an entry says something of what a claim is about.
func (e Entry) claimed(c claim) bool {
	return slices.ContainsFunc(e.claims(), func(own claim) bool { return own.about == c.about })
}

// Measured reports whether checks show the outcome of a session.
func Measured(ep *episode.Episode) bool {
	return ep.Outcome.Known() && ep.OutcomeSource == episode.Measured
}
