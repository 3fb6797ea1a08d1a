package rules

import (
	"cmp"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/extract/internal/doc"
	"episodes/extract/internal/facts"
	"episodes/extract/internal/lex"
	"episodes/keys"
)

// merge drops an event that the log reports a second time, in a summary or a
// table: the report with fewer words goes.
func (x *extraction) merge(sim *likeness) {
	gone := map[*fact]*fact{} // → the fact that replaces it
	for _, fs := range x.byKind() {
		sortFacts(fs)
		for i, a := range fs {
			for _, b := range fs[i+1 : min(i+1+doc.Reach, len(fs))] {
				if gone[a] == nil && gone[b] == nil && !sideBySide(a, b) {
					x.mergePair(sim, a, b, gone)
				}
			}
		}
	}
	x.toldInDetail(sim, gone)
	if len(gone) == 0 {
		return
	}
	x.facts = slices.DeleteFunc(x.facts, func(f *fact) bool { return gone[f] != nil })
	x.moveLinks(gone)
}

// moveLinks redirects the links of removed facts to the facts that replaced them, and
// drops duplicates.
func (x *extraction) moveLinks(gone map[*fact]*fact) {
	links := x.links
	x.links, x.linked = nil, map[[2]*fact]bool{}
	for _, l := range links {
		for gone[l.from] != nil {
			l.from = gone[l.from]
		}
		for gone[l.to] != nil {
			l.to = gone[l.to]
		}
		if ends := [2]*fact{l.from, l.to}; l.from != l.to && !x.linked[ends] && !x.linked[[2]*fact{l.to, l.from}] {
			x.linked[ends] = true
			x.links = append(x.links, l)
		}
	}
}

// sideBySide reports whether two facts are in one section, which makes them facts about
// different things. Quoted output and the line that sums it up are not, nor are a fault and
// the cause that repeats it.
func sideBySide(a, b *fact) bool {
	if a.factSection() != b.factSection() {
		return false
	}
	if a.isError() && a.Content == b.Content {
		return false
	}
	if a.Kind == facts.Decision {
		return !a.factSection().Has(lex.RoleVerdict)
	}
	if a.block == nil || b.block == nil {
		return true
	}
	quoted := a.isEvent(episode.Test) && (a.block.Kind == doc.Code) != (b.block.Kind == doc.Code)
	return !quoted && (a.cause == b.cause || a.block.Parent != b.block.Parent)
}

// byKind groups the facts that may be reported twice by what they are.
func (x *extraction) byKind() [][]*fact {
	at := map[episode.EventType]int{} // "": the decisions
	var out [][]*fact
	for _, f := range x.facts {
		if f.Kind == facts.Lesson || f.Event == episode.Commit || f.Event == episode.Handoff {
			continue
		}
		i, known := at[f.Event]
		if !known {
			i = len(out)
			at[f.Event], out = i, append(out, nil)
		}
		out[i] = append(out[i], f)
	}
	return out
}

// mergePair notes in gone which of two facts the other one replaces, if they say the
// same.
func (x *extraction) mergePair(sim *likeness, a, b *fact, gone map[*fact]*fact) {
	keep, drop := a, b
	if a.Kind == facts.Decision {
		if !x.sameDecision(sim, a, b) {
			return
		}
		if a.repair && !b.repair {
			keep, drop = b, a
		}
		keep.takeOver(drop)
	} else {
		ca, cb := sim.count(a), sim.count(b)
		alike := sim.share(ca.words, cb.words) >= sameFact &&
			(a.Event != episode.Test || numbers(a.text) == numbers(b.text)) && !otherNames(a.text, b.text) ||
			a.isError() && max(sim.share(ca.clause, cb.clause),
				sim.share(x.lacked(sim, a), x.lacked(sim, b))) >= sameClause && !otherNames(a.text, b.text)
		if !alike && (a.Event != episode.Test || tally(a.text) == "" || tally(a.text) != tally(b.text)) {
			return
		}
		switch sa, sb := inSummary(a), inSummary(b); {
		case sa != sb: // where it was run says more than where it is summed up
			if sa {
				keep, drop = b, a
			}
		case alike && len(b.Content) > len(a.Content):
			keep, drop = b, a
		}
	}
	keep.cause = keep.cause || drop.cause
	keep.again = max(keep.again, drop.again, drop.Span[0])
	gone[drop] = keep
}

// lacked are the words of what an error says is not there: "No retry of the upload",
// "Upload retry missing".
func (x *extraction) lacked(sim *likeness, f *fact) []int32 {
	if !f.text.At(0, lex.ClassNone) && !f.text.Is(lex.ClassLack) {
		return nil
	}
	t := x.plain(keys.Clause(f.Content))
	things := slices.DeleteFunc(slices.Clone(t.Words), func(w lex.Word) bool { return w.Any(lex.ClassNone, lex.ClassLack) })
	names := make([]string, len(things))
	for i, w := range things {
		names[i] = w.Lower
	}
	return sim.words.of(strings.Join(names, " "))
}

func inSummary(f *fact) bool { return f.factSection().Any(lex.RoleSummary, lex.RoleOutcome) }

// otherNames reports whether two texts quote names, and each one that the other does not
// have: "cannot find lib/alpha" and "cannot find lib/beta" are two errors.
func otherNames(a, b lex.Text) bool { return lacksName(a, b) && lacksName(b, a) }

// lacksName reports whether a quotes a name that b does not contain.
func lacksName(a, b lex.Text) bool {
	return slices.ContainsFunc(a.Words, func(w lex.Word) bool {
		return isName(a, w) && !slices.ContainsFunc(b.Words, func(o lex.Word) bool { return o.Lower == w.Lower })
	})
}

// isName reports whether a word of a text is quoted, or is a path or an identifier.
func isName(t lex.Text, w lex.Word) bool {
	before := w.Start > 0 && strings.ContainsAny(t.Raw[w.Start-1:w.Start], "\"'`/\\")
	return w.Code || before || strings.ContainsAny(strings.Trim(w.Lower, "."), "/_.")
}

// numbers joins the figures of a text: two results are one only with the same.
func numbers(t lex.Text) string {
	var out []string
	for _, w := range t.Words {
		if lex.IsNumber(w.Lower) {
			out = append(out, w.Lower)
		}
	}
	return strings.Join(out, " ")
}

// tally is the count of a large run, "170/170", which two runs of one log hardly
// share by chance; "" when a text gives none or several.
func tally(t lex.Text) string {
	found := ""
	for i := 0; i+1 < len(t.Words); i++ {
		a, b := t.Words[i], t.Words[i+1]
		if !lex.IsNumber(a.Lower) || !lex.IsNumber(b.Lower) || len(b.Lower) < 2 || t.Raw[a.End:b.Start] != "/" {
			continue
		}
		if n := t.Raw[a.Start:b.End]; found != "" && found != n {
			return ""
		} else {
			found = n
		}
	}
	if found == "" {
		return largeCount(t)
	}
	return found
}

// largeCount is the number of checks of a run, where it has three digits at least.
func largeCount(t lex.Text) string {
	for i, w := range t.Words {
		if len(w.Lower) >= 3 && lex.IsNumber(w.Lower) && (t.At(i+1, lex.ClassTally) || t.At(i+1, lex.ClassTest)) {
			return w.Lower
		}
	}
	return ""
}

// sameDecision reports whether two decisions are one choice stated twice, as in a
// decision table and in the fix column of an issue table.
func (x *extraction) sameDecision(sim *likeness, a, b *fact) bool {
	if a.factSection() == b.factSection() { // the verdict of a section
		return x.approval(a) && x.approval(b)
	}
	alike := sim.of(a.Decision.Chosen, b.Decision.Chosen)
	if a.repair || b.repair {
		return alike >= sameChoice
	}
	if alike < sameClause {
		return false
	}
	ta, tb := x.plain(a.Decision.Chosen), x.plain(b.Decision.Chosen)
	return numbers(ta) == numbers(tb) && !otherNames(ta, tb)
}

// takeOver fills what a decision lacks from its duplicate.
func (f *fact) takeOver(o *fact) {
	f.Decision.Context = cmp.Or(f.Decision.Context, o.Decision.Context)
	f.Decision.Rationale = cmp.Or(f.Decision.Rationale, o.Decision.Rationale)
	if f.Decision.Outcome == episode.Unknown {
		f.Decision.Outcome = o.Decision.Outcome
	}
	if o.Decision.Type == episode.Recovery {
		f.Decision.Type = episode.Recovery
	}
}

// sameChoice is the likeness from which a fix and a decision of one log are one.
const sameChoice = 0.6

// sameClause is the likeness from which two choices of one log are one, and two errors by
// their first clauses.
const sameClause = 0.7

// sameFact is the likeness from which two events of one log are one.
const sameFact = 0.65
