package query

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"episodes/causal"
	"episodes/episode"
	"episodes/keys"
)

func byWords(r Reader, ref string) (Resolution, error) {
	found, err := rankNodes(r, ref)
	if err != nil {
		return Resolution{}, err
	}
	if len(found) == 0 || found[0].score < minFit {
		e := &NotFoundError{Ref: ref}
		for _, f := range found[:min(len(found), maxNearest)] {
			e.Nearest = append(e.Nearest, match(f.node, f.score))
		}
		return Resolution{}, e
	}
	best := found[0]
	res := Resolution{Ref: ref, How: ByWords, Node: best.node, Score: round(best.score), Alternatives: []Match{}}
	for _, f := range found[1:] {
		if f.score >= closeFit*best.score && f.exact == best.exact && len(res.Alternatives) < maxAlternatives {
			res.Alternatives = append(res.Alternatives, match(f.node, f.score))
		}
	}
	return res, nil
}

type ranked struct {
	node  Node
	score float64
	exact int // fullLabel, chosenPart or 0
}

// How exactly a label matches the words asked for. A decision's option alone, without
// its question, comes next after a whole label.
const (
	chosenPart = iota + 1
	fullLabel
)

// fitLabel returns how well a node fits the words asked for, in any of their forms. A
// decision also fits by its whole option alone.
func fitLabel(m *matcher, n Node, forms []string) (score float64, exact int) {
	same := func(text string) bool {
		return slices.ContainsFunc(forms, func(f string) bool { return strings.EqualFold(f, text) })
	}
	score = m.fit(n.Label)
	if n.Type == causal.DecisionNode {
		for _, option := range optionsIn(n.Label) {
			switch {
			case same(option):
				score, exact = 1, chosenPart
			case m.fit(option) == 1: // a partial match of the option gets no bonus
				score = 1
			}
		}
	}
	if same(n.Label) {
		exact = fullLabel
	}
	return score, exact
}

// optionsIn returns what may be the option in a decision's label, which is the
// question, a colon and the option; both may have colons of their own.
func optionsIn(label string) (out []string) {
	for i := range label {
		if rest, ok := strings.CutPrefix(label[i:], ": "); ok {
			out = append(out, rest)
		}
	}
	return out
}

// rankNodes returns the nodes that share words with ref, best first. Nodes that cannot
// fit almost as well as the best are not read.
func rankNodes(r Reader, ref string) ([]ranked, error) {
	totals, err := r.Totals()
	if err != nil {
		return nil, err
	}
	nodes := 0
	for _, n := range totals.Nodes {
		nodes += n
	}
	apart, err := spaced(ref, r.WithWord)
	if err != nil {
		return nil, err
	}
	m, cands, err := newMatcher(apart, nodes, r.WithWord)
	if err != nil {
		return nil, err
	}
	keyed := identities(ref)
	if apart != ref {
		keyed = append(keyed, identities(apart)...)
	}
	for _, id := range keyed {
		cands = slices.Insert(cands, 0, candidate{id, 1})
	}
	var found []ranked
	seen := map[string]bool{}
	best := 0.0
	for _, c := range cands[:min(len(cands), maxReads)] {
		if c.bound < closeFit*best {
			break
		}
		if seen[c.id] {
			continue
		}
		seen[c.id] = true
		n, ok, err := r.Node(c.id)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		f := ranked{node: viewNode(n)}
		f.score, f.exact = fitLabel(m, f.node, []string{ref, apart})
		if slices.Contains(keyed, c.id) {
			f.score = 1
		}
		if f.exact == 0 && otherResult(ref, f.node.Label) {
			continue
		}
		best = math.Max(best, f.score)
		found = append(found, f)
	}
	slices.SortFunc(found, func(a, b ranked) int {
		return cmp.Or(b.exact-a.exact, cmp.Compare(b.score, a.score),
			b.node.Frequency-a.node.Frequency, strings.Compare(a.node.ID, b.node.ID))
	})
	return found, nil
}

// identities are the ids of the nodes that text would belong to if it were the text of a
// record, or a key.
func identities(text string) []string {
	var out []string
	add := func(t causal.NodeType, key string) {
		if key != "" {
			out = append(out, causal.NodeID(t, key))
		}
	}
	for _, t := range causal.NodeTypes() {
		add(t, text)
	}
	for _, t := range episode.EventTypes() {
		add(causal.EventNode, keys.Event(string(t), text))
	}
	option := keys.Option(text)
	add(causal.DecisionNode, option)
	for i := range text { // a decision's label is its question, a colon and the option
		if rest, ok := strings.CutPrefix(text[i:], ": "); ok {
			if opt := keys.Option(rest); opt != "" {
				add(causal.DecisionNode, keys.Choice(keys.Decision(text[:i]), opt))
			}
		}
	}
	return out
}
