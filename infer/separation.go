package infer

import (
	"cmp"
	"math"
	"slices"

	"episodes/stats"
)

// prune drops the hypotheses that another cause of their target explains. Which are dropped is
// decided of all before any is, so that the order does not matter.
func (s *Study) prune(hyps []*hypothesis) []*hypothesis {
	into := map[int][]*hypothesis{}
	for _, h := range hyps {
		into[h.b] = append(into[h.b], h)
	}
	for _, list := range into {
		slices.SortFunc(list, func(x, y *hypothesis) int { return cmp.Or(cmp.Compare(x.p, y.p), x.a-y.a) })
	}
	var out []*hypothesis
	for _, h := range hyps {
		others := slices.DeleteFunc(slices.Clone(into[h.b]), func(o *hypothesis) bool { return o == h || s.sameChoice(h.a, o.a) })
		others = others[:min(len(others), maxOtherCauses)]
		if !slices.ContainsFunc(others, func(o *hypothesis) bool { return s.separatedBy(h, o.a) }) {
			out = append(out, h)
		}
	}
	return out
}

// separatedBy reports whether a cause makes a pair independent.
func (s *Study) separatedBy(h *hypothesis, cause int) bool {
	tables := s.tables(h.a, h.b, []int{cause})
	if _, _, size := stats.Standardised(tables); size < minSeparating {
		return false // too little evidence is left
	}
	if stats.StratifiedMidP(tables) <= separated {
		return false
	}
	whole, ok := stats.MantelHaenszel(h.tables)
	given, ok2 := stats.MantelHaenszel(tables)
	return !ok || !ok2 || math.Abs(given) < shrunk*math.Abs(whole)
}

func (s *Study) sameChoice(a, b int) bool {
	return s.nodes[a].option && s.nodes[b].option && s.nodes[a].pointAt == s.nodes[b].pointAt
}
