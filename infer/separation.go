package infer

import (
	"cmp"
	"math"
	"slices"

	"episodes/stats"
)

// prune drops the hypotheses that other causes of their target explain.
func (s *Study) prune(hyps []*hypothesis) []*hypothesis {
	alive := map[*hypothesis]bool{}
	into := map[int][]*hypothesis{}
	for _, h := range hyps {
		alive[h] = true
		into[h.b] = append(into[h.b], h)
	}
	for _, list := range into {
		slices.SortFunc(list, func(x, y *hypothesis) int { return cmp.Or(cmp.Compare(x.p, y.p), x.a-y.a) })
	}
	for size := 1; size <= 2; size++ {
		frozen := map[*hypothesis]bool{}
		for h := range alive {
			frozen[h] = true
		}
		for _, h := range hyps {
			if !alive[h] {
				continue
			}
			var others []int
			for _, o := range into[h.b] {
				if o != h && frozen[o] && !s.sameChoice(h.a, o.a) && len(others) < maxOtherCauses {
					others = append(others, o.a)
				}
			}
			if s.separates(h, others, size) {
				delete(alive, h)
			}
		}
	}
	return slices.DeleteFunc(hyps, func(h *hypothesis) bool { return !alive[h] })
}

// separates reports whether a set of the given size makes the pair independent.
func (s *Study) separates(h *hypothesis, others []int, size int) bool {
	for i, x := range others {
		if size == 1 {
			if s.separatedBy(h, []int{x}) {
				return true
			}
			continue
		}
		for _, y := range others[i+1:] {
			if s.separatedBy(h, []int{x, y}) {
				return true
			}
		}
	}
	return false
}

func (s *Study) separatedBy(h *hypothesis, set []int) bool {
	tables := s.tables(h.a, h.b, set)
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
