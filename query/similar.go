package query

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"episodes/causal"
	"episodes/episode"
	"episodes/keys"
)

// SimilarDecision is a decision taken in a like context. Of one that several sessions took
// it is the last, with the outcomes of all.
type SimilarDecision struct {
	Evidence            // Text: what was chosen; Outcome: the decision's or session's
	Project    string   `json:"project,omitempty"` // in an answer of several projects
	Date       string   `json:"date,omitempty"`
	Question   string   `json:"question,omitempty"`
	Rejected   []string `json:"rejected"`
	Rationale  string   `json:"rationale,omitempty"`
	Superseded string   `json:"superseded,omitempty"` // what took its place, or causal.NotNamed
	// Outcomes counts the sessions that took it, by how that ended.
	Outcomes causal.Tally `json:"outcomes"`
	Score    float64      `json:"score"` // of the words asked for; see Similar

	node string
	day  int
	text map[string]float64 // how often each word occurs, by weight of its field
	size float64            // the sum of text
}

// DecisionsOf returns the decisions of an episode, for Similar.
func DecisionsOf(ep *episode.Episode) (out []SimilarDecision) {
	c := causal.Contribute(ep)
	at := map[string]causal.Mention{}
	for _, m := range c.Mentions {
		at[m.Record] = m
	}
	for _, u := range c.Uses {
		d := ep.Decision(u.Record)
		s := SimilarDecision{Evidence: evidenceOf(ep, u.Record), Question: oneLine(u.Context),
			Rejected: append([]string{}, u.Rejected...), Rationale: oneLine(d.Rationale),
			Superseded: u.Superseded, node: at[u.Record].Node, day: causal.DayOf(ep.Timestamp), text: map[string]float64{}}
		s.Text, s.Outcome, s.Date = oneLine(d.Chosen), u.Outcome, DateOf(s.day)
		s.Outcomes.Add(u.Outcome, 1)
		s.addText(2, u.Context, d.Chosen)
		s.addText(1, append([]string{d.Rationale}, u.Rejected...)...)
		s.addText(0.5, ep.Task)
		out = append(out, s)
	}
	return out
}

func (s *SimilarDecision) addText(weight float64, texts ...string) {
	for _, text := range texts {
		for _, w := range keys.Words(text) {
			s.text[w] += weight
			s.size += weight
		}
	}
}

const (
	// DefaultSimilar is how many decisions Similar returns for limit 0.
	DefaultSimilar = 10
	// The parameters of BM25. Texts are short, so their length counts for little.
	saturation, lengthShare = 1.2, 0.3
	// leastLike is the share of the weight of the words asked for that a decision must have.
	leastLike = 0.5
	// closeScore is the share of the best score from which a decision is shown.
	closeScore = 0.5
)

// Similar returns the decisions whose question, options, reasons and task fit the words
// best, then the newest first, and how many more fit. Those of one node of the graph count as one.
// The decisions given are those, out of the number given, that have any of the words, or the best of these.
//
// The score is BM25F (Robertson, Zaragoza and Taylor 2004, CIKM): the words of question and
// choice count twice, those of the task half. A decision that lacks more than half of the
// words asked for, by weight, does not fit.
func Similar(all []SimilarDecision, of int, context string, limit int) (found []SimilarDecision, more int) {
	asked := keys.Words(context)
	docs, size := map[string]int{}, 0.0
	for _, d := range all {
		size += d.size
		for _, w := range asked {
			if d.text[w] > 0 {
				docs[w]++
			}
		}
	}
	n, total := float64(max(of, len(all))), 0.0
	idf := map[string]float64{}
	for _, w := range asked {
		idf[w] = math.Log1p((n - float64(docs[w]) + 0.5) / (float64(docs[w]) + 0.5))
		total += idf[w]
	}
	byNode := map[string]SimilarDecision{}
	for _, d := range all {
		has := 0.0
		for _, w := range asked {
			if tf := d.text[w] / (1 - lengthShare + lengthShare*d.size*float64(len(all))/size); tf > 0 {
				has += idf[w]
				d.Score += idf[w] * tf / (tf + saturation)
			}
		}
		if has == 0 || has < leastLike*total {
			continue
		}
		byNode[d.node] = d.with(byNode[d.node])
	}
	found = slices.Collect(maps.Values(byNode))
	slices.SortFunc(found, func(a, b SimilarDecision) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), b.compareAge(a))
	})
	fit := len(found)
	found = found[:min(fit, cmp.Or(limit, DefaultSimilar))]
	found = slices.DeleteFunc(found, func(d SimilarDecision) bool { return d.Score < closeScore*found[0].Score })
	slices.SortFunc(found, func(a, b SimilarDecision) int { return b.compareAge(a) })
	return found, fit - len(found)
}

// CountAll counts the sessions of decisions in the whole graph, for those of which Similar was
// given a part only.
func CountAll(found []SimilarDecision, node func(id string) (causal.Node, bool, error)) error {
	for i := range found {
		d := &found[i]
		n, ok, err := node(d.node)
		if err != nil {
			return err
		}
		if ok && n.Tally.Total() > d.Outcomes.Total() {
			d.Outcomes = n.Tally
		}
	}
	return nil
}

// with returns the later of two decisions of one node, with the outcomes of both.
func (s SimilarDecision) with(old SimilarDecision) SimilarDecision {
	if old.node == "" {
		return s
	}
	later, earlier := s, old
	if s.compareAge(old) < 0 {
		later, earlier = old, s
	}
	if later.Episode != earlier.Episode {
		later.Outcomes = s.Outcomes.Plus(old.Outcomes, 1)
	}
	later.Rationale = cmp.Or(later.Rationale, earlier.Rationale)
	later.Score = max(s.Score, old.Score)
	return later
}

// compareAge orders by day, then by place.
func (s SimilarDecision) compareAge(t SimilarDecision) int {
	return cmp.Or(s.day-t.day, strings.Compare(s.Episode, t.Episode), strings.Compare(s.Record, t.Record))
}
