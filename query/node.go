package query

import (
	"cmp"
	"fmt"
	"strings"

	"episodes/causal"
	"episodes/episode"
	"episodes/internal/plain"
)

// Level is the nominal coverage of every interval in an answer.
const Level = 0.90

// Quote puts words of a log into quotation marks that they cannot end.
func Quote(s string) string { return plain.Quote(s, maxQuoted) }

// maxQuoted is the largest number of bytes of a quotation in a sentence.
const maxQuoted = 300

// Node is a node in the form of an answer.
type Node struct {
	ID          string          `json:"id"`
	Type        causal.NodeType `json:"type"`
	Label       string          `json:"label"`
	Frequency   int             `json:"frequency"`    // episodes it occurs in
	SuccessRate *float64        `json:"success_rate"` // null when no outcome is known
	Outcomes    causal.Tally    `json:"outcomes"`     // of those episodes
	// Superseded is what took the place of a decision, causal.NotNamed where nothing is named; ""
	// while it holds. Later is the decision that reversed it, if it is known. Only paths and
	// explanations have them.
	Superseded string         `json:"superseded,omitempty"`
	Later      *LaterDecision `json:"later,omitempty"`
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
