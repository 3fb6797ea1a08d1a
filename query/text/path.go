package text

import (
	"fmt"
	"slices"

	"episodes/causal"
	"episodes/episode"
	"episodes/internal/plain"
	"episodes/query"
)

// Path renders the paths from one node to another. tokens is the budget; 0 means
// PathTokens.
func Path(r *query.PathResult, tokens int) string {
	return fitUnits(budget(tokens, PathTokens), func(d detail) *sheet {
		s := &sheet{}
		s.now(r.From, d.width)
		s.now(r.To, d.width)
		if len(r.Paths) == 0 {
			noPath(s, r, d)
		} else {
			somePaths(s, r, d)
		}
		alsoFits(s, r.Resolved.From, d)
		alsoFits(s, r.Resolved.To, d)
		if r.Learned.Any() {
			learnedBest(s, r.Learned, d) // with stated paths the best one is enough
		}
		return s
	})
}

func budget(tokens, standard int) int {
	if tokens > 0 {
		return tokens
	}
	return standard
}

func somePaths(s *sheet, r *query.PathResult, d detail) {
	head := fmt.Sprintf("From %s to %s: %s", quoteLabel(r.From, d.width), quoteLabel(r.To, d.width), plain.Plural(len(r.Paths), "path"))
	if len(r.Paths) > 1 {
		head += ", best first"
	}
	for i, p := range r.Paths {
		lines := pathLines(i+1, p, d)
		if i == 0 {
			lines = append([]string{head}, lines...)
		}
		s.add(lines...)
	}
}

// pathLines shows a path by how many sessions state each step.
func pathLines(n int, p query.Path, d detail) []string {
	lines := []string{fmt.Sprintf("%d. %s", n, effect(p)), "   " + quoteLabel(p.Hops[0].Source, d.width)}
	var eps []string
	for i, h := range p.Hops {
		weakest := ""
		if i == p.Weakest && len(p.Hops) > 1 {
			weakest = ", weakest"
		}
		lines = append(lines,
			fmt.Sprintf("   %s %s (%s%s)", verb(h), quoteLabel(h.Target, d.width), saidIn(h.EvidenceCount, h.Of), weakest))
		for _, id := range h.Episodes {
			if !slices.Contains(eps, id) {
				eps = append(eps, id)
			}
		}
	}
	return append(lines, "   evidence over "+pathDays(p)+": "+ids(eps, d))
}

// effect renders the effect of a path on its end. It never speaks of probability.
func effect(p query.Path) string {
	last := p.Hops[len(p.Hops)-1]
	end := "it"
	if last.Target.Type == causal.DecisionNode {
		end = "the choice"
	}
	does := ""
	switch {
	case p.Effect == query.Correlated:
		return "goes together with " + end + ", which claims no cause"
	case p.Effect == query.ClearsWay:
		does = "stops what works against " + end
	case p.Effect == query.WorksAgainst && end != "it" && last.Type != episode.Prevents:
		does = "takes away a reason for " + end
	case p.Effect == query.WorksAgainst:
		does = "works against " + end
	default:
		does = "leads to " + end
	}
	switch {
	case !p.ByChoice:
		return does
	case end == "it":
		return "the choice " + does
	}
	return "an earlier choice " + does
}

func noPath(s *sheet, r *query.PathResult, d detail) {
	from, to := quoteLabel(r.From, d.width), quoteLabel(r.To, d.width)
	if r.From.ID == r.To.ID {
		s.addf("%s and %s name the same thing, %s.", quote(r.Resolved.From.Ref, d.width), quote(r.Resolved.To.Ref, d.width), from)
		return
	}
	if r.Learned.Any() {
		s.addf("No log states a path from %s to %s.", from, to)
	} else {
		s.addf("No path leads from %s to %s.", from, to)
	}
	if e := r.Ended; e != nil {
		s.addf("What ended it: %s (%s)", quote(e.Text, d.width), name(e.Episode+"#"+e.Record))
	}
	if p := r.Reverse; p != nil {
		s.addf("There is one the other way round, from %s to %s (%s).", to, from, plain.Plural(len(p.Hops), "step"))
	}
	if n := r.Near; n != nil {
		s.addf("There is one between what fits almost as well, from %s (%s) to %s (%s).",
			quoteLabel(n.From, d.width), n.From.ID, quoteLabel(n.To, d.width), n.To.ID)
	}
}

// alsoFits names the other nodes that a reference could have meant.
func alsoFits(s *sheet, r query.Resolution, d detail) {
	matches(s, fmt.Sprintf("%s also fits", quote(r.Ref, d.width)), r.Alternatives, d)
}

func matches(s *sheet, what string, list []query.Match, d detail) {
	if n := min(len(list), d.items); n > 0 {
		line := what + ":"
		for i, m := range list[:n] {
			sep := ","
			if i == 0 {
				sep = ""
			}
			line += fmt.Sprintf("%s %s (%s)", sep, quote(m.Label, d.width), m.ID)
		}
		s.add(line)
	}
}
