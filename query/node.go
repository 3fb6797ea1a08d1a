package query

import (
	"cmp"
	"fmt"
	"strings"

	"episodes/causal"
	"episodes/episode"
)

// Level is the nominal coverage of every interval in an answer.
const Level = 0.90

// Node is a node in the form of an answer.
type Node struct {
	ID          string          `json:"id"`
	Type        causal.NodeType `json:"type"`
	Label       string          `json:"label"`
	Frequency   int             `json:"frequency"`    // episodes it occurs in
	SuccessRate *float64        `json:"success_rate"` // among the known outcomes of those; null when none is known
	Outcomes    causal.Tally    `json:"outcomes"`     // of those episodes
	// Superseded is what took the place of a decision in the last session that decided so,
	// causal.NotNamed where nothing is named; "" while it holds. Only paths, what-ifs and
	// explanations say it.
	Superseded string `json:"superseded,omitempty"`
}

// asOfLast is what the newest mentions of a decision say of whether it holds.
func asOfLast(mentions []causal.Mention) (superseded string) {
	newest := -1
	for _, m := range mentions {
		switch {
		case m.Day > newest:
			newest, superseded = m.Day, m.Superseded
		case m.Day == newest && m.Superseded == "":
			superseded = ""
		}
	}
	return superseded
}

// markSuperseded marks the decisions that no longer hold.
func markSuperseded(r Reader, nodes ...*Node) error {
	var all []causal.Use // read when the first decision is met
	for _, n := range nodes {
		if n.Type != causal.DecisionNode {
			continue
		}
		ms, err := r.Mentions(n.ID)
		if err != nil {
			return err
		}
		if n.Superseded = asOfLast(ms); n.Superseded != "" {
			continue
		}
		if all == nil {
			if all, err = decisions(r); err != nil {
				return err
			}
		}
		n.Superseded = reversedBy(all, n.ID)
	}
	return nil
}

func viewNode(n causal.Node) Node {
	v := Node{ID: n.ID, Type: n.Type, Label: n.Label, Frequency: n.Frequency, Outcomes: n.Tally}
	if r, ok := n.Tally.Rate(); ok {
		v.SuccessRate = &r
	}
	return v
}

// LinkVerb is the verb between the source and the target of a link. A cause of a
// decision is a reason for it, so it "led to the choice". A correlation has no direction
// and must not read as if it had one.
func LinkVerb(t episode.LinkType, toDecision bool) string {
	switch {
	case t == episode.Correlates:
		return "goes together with"
	case t == episode.Causes && toDecision:
		return "led to the choice"
	}
	return string(t)
}

// nodeOf reads one node that must exist.
func nodeOf(r Reader, id string) (Node, error) {
	n, ok, err := r.Node(id)
	if err != nil {
		return Node{}, fmt.Errorf("read node %q: %w", id, err)
	}
	if !ok {
		return Node{}, fmt.Errorf("%w: it names node %q but does not hold it", ErrDamaged, id)
	}
	return viewNode(n), nil
}

// Combine combines the outcomes of two records of one episode, so that the episode
// counts once: different known outcomes are partial, and unknown ones are ignored.
func Combine(a, b episode.Outcome) episode.Outcome {
	switch {
	case !a.Known():
		return b
	case !b.Known() || a == b:
		return a
	}
	return episode.Partial
}

// Commonest returns the most frequent wording; of equally frequent ones the shortest,
// then the first by bytes.
func Commonest(wordings map[string]int) string {
	best, most := "", 0
	for w, n := range wordings {
		if c := cmp.Or(most-n, len(w)-len(best), strings.Compare(w, best)); most == 0 || c < 0 {
			best, most = w, n
		}
	}
	return best
}

// WithQuestion puts a choice after the question that it answers.
func WithQuestion(question, chosen string) string {
	question = causal.Question(question)
	switch {
	case question == "", strings.HasPrefix(chosen, question+":"): // a verdict that names its judge
		return chosen
	case strings.HasSuffix(question, "?"):
		return question + " " + chosen
	}
	return question + ": " + chosen
}
