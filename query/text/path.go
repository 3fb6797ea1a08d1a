package text

import (
	"fmt"
	"slices"

	"episodes/causal"
	"episodes/episode"
	"episodes/query"
)

// Path renders the paths from one node to another. tokens is the budget; 0 means
// PathTokens.
func Path(r *query.PathResult, tokens int) string {
	return fitUnits(budget(tokens, PathTokens), func(d detail) *sheet {
		s := &sheet{}
		if len(r.Paths) == 0 {
			noPath(s, r, d)
		} else {
			somePaths(s, r, d)
		}
		alsoFits(s, r.Resolved.From, d)
		alsoFits(s, r.Resolved.To, d)
		if r.Learned.Any() {
			learnedBest(s, r.Learned, d) // beside stated paths the best one is enough
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
	head := fmt.Sprintf("From %s to %s: %s", quoteLabel(r.From, d.width), quoteLabel(r.To, d.width), plural(len(r.Paths), "path"))
	if len(r.Paths) > 1 {
		head += ", best first"
	}
	if r.AnyRoute != nil {
		head += fmt.Sprintf("; any that furthers it %.2f", *r.AnyRoute)
	}
	for i, p := range r.Paths {
		lines := pathLines(i+1, p, d)
		if i == 0 {
			lines = append([]string{head}, lines...)
		}
		s.add(lines...)
	}
}

func pathLines(n int, p query.Path, d detail) []string {
	lines := []string{
		fmt.Sprintf("%d. weight %.2f (90 %%: %.2f to %.2f), %s", n, p.Weight, p.Low, p.High, effect(p)),
		"   " + quoteLabel(p.Hops[0].Source, d.width),
	}
	var eps []string
	for i, h := range p.Hops {
		weakest := ""
		if i == p.Weakest && len(p.Hops) > 1 {
			weakest = ", weakest"
		}
		lines = append(lines, fmt.Sprintf("   %s (%.2f, in %d of %s%s) %s", verb(h), h.Weight, h.EvidenceCount, plural(max(h.Of, h.EvidenceCount), "episode"), weakest, quoteLabel(h.Target, d.width)))
		for _, id := range h.Episodes {
			if !slices.Contains(eps, id) {
				eps = append(eps, id)
			}
		}
	}
	for _, b := range p.BlockedBy[:min(len(p.BlockedBy), d.items)] {
		lines = append(lines, fmt.Sprintf("   blocked by (%.2f) %s", b.Weight, quoteLabel(b.Source, d.width)))
	}
	return append(lines, "   evidence, "+pathDays(p)+": "+ids(eps, d))
}

// effect renders the effect of a path on its end. It never speaks of probability: the
// weight is how firmly the logs state the path.
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
	if p := r.Reverse; p != nil {
		s.addf("There is one the other way round, from %s to %s (weight %.2f, %s).", to, from, p.Weight, plural(len(p.Hops), "step"))
	}
	if r.OtherTypes {
		s.add("There is one over cause links of other types.")
	}
	if r.CorrelatedOnly {
		s.add("They are connected by correlations only, which claim no cause.")
	}
	if n := r.Near; n != nil {
		s.addf("There is one between what fits almost as well, from %s (%s) to %s (%s), weight %.2f.",
			quoteLabel(n.From, d.width), n.From.ID, quoteLabel(n.To, d.width), n.To.ID, n.Path.Weight)
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
