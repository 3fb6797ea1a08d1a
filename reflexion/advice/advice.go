// Package advice asks the causal graph about the errors of an attempt: in which episodes
// they occurred, what was done about them, and with which outcome.
//
// Only errors with the same key in the graph count; similar words are not reason enough
// to advise an agent.
package advice

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"episodes/causal"
	"episodes/episode"
	"episodes/internal/plain"
	"episodes/keys"
	"episodes/query"
	"episodes/query/text"
	"episodes/reflexion"
)

// most is the largest number of errors that are looked up.
const most = 5

// EventText is the text of the event for an error in an episode, from which its key is
// derived.
func EventText(p reflexion.Problem) string {
	message := reflexion.FirstLine(p.Message)
	if p.Rule != "" && !strings.Contains(message, p.Rule) {
		message = p.Rule + ": " + message
	}
	return message
}

// About returns what the graph knows about the errors: for each that it contains, the number
// of episodes and the decisions that it led to, with their outcomes, best first. Decisions
// are quoted and reported in the past tense with counts, since they come from logs. eps
// gives the days of the sessions; if nil, days are left out. leave is the id of an episode
// to ignore, the loop's own. What the loop tried in vain (reflexion.Tried) is left out, so
// that a wrong memory costs one attempt.
func About(r query.Reader, eps query.Episodes, errors []reflexion.Problem, leave string,
	tried map[string]bool) ([]reflexion.Advice, error) {
	nodes, seen := map[string]reflexion.Problem{}, map[string][]string{}
	var order []string
	for _, e := range errors {
		for _, words := range []string{EventText(e), e.Message} {
			key := keys.Event(string(episode.Error), words)
			if key == "" || len(order) >= most {
				continue
			}
			id := causal.NodeID(causal.EventNode, key)
			if _, asked := nodes[id]; asked {
				continue
			}
			in, err := episodesAt(r, id, leave)
			if err != nil {
				return nil, err
			}
			if len(in) > 0 {
				nodes[id], seen[id] = e, in
				order = append(order, id)
			}
		}
	}
	if len(order) == 0 {
		return nil, nil
	}
	answers, err := responses(r, nodes, leave, tried)
	if err != nil {
		return nil, err
	}
	var out []reflexion.Advice
	for _, id := range order {
		if a, ok := describe(eps, seen[id], nodes[id], answers[id]); ok {
			out = append(out, a)
		}
	}
	return out, nil
}

// episodesAt lists the episodes of a node.
func episodesAt(r query.Reader, id, leave string) ([]string, error) {
	mentions, err := r.Mentions(id)
	in := map[string]bool{}
	for _, m := range mentions {
		if m.Episode != leave {
			in[m.Episode] = true
		}
	}
	return slices.Sorted(maps.Keys(in)), err
}

// response is one option that was chosen because of an error.
type response struct {
	chosen   string
	good     int
	known    int
	episodes map[string]bool
}

// quoted quotes what was chosen. Of the changes of a loop it is the edit nearest to the error,
// since the others vary.
func (x *response) quoted() string {
	edit, _, more := strings.Cut(x.chosen, "\"; ")
	if !more || !reflexion.IsEdit(x.chosen) {
		return plain.Quote(x.chosen, mostChosen)
	}
	return plain.Quote(edit+"\"", mostChosen) + ", with other changes,"
}

// responses collects, for each error, the decisions that it led to.
func responses(r query.Reader, nodes map[string]reflexion.Problem, leave string,
	tried map[string]bool) (map[string][]*response, error) {
	found := map[string]map[string]*response{}
	err := r.Uses(func(u causal.Use) error {
		for _, t := range u.Triggers {
			if _, wanted := nodes[t]; !wanted || u.Episode == leave || !u.Outcome.Known() || tried[keys.Option(u.Chosen)] {
				continue
			}
			if found[t] == nil {
				found[t] = map[string]*response{}
			}
			x := found[t][u.ChosenKey]
			if x == nil {
				x = &response{chosen: u.Chosen, episodes: map[string]bool{}}
				found[t][u.ChosenKey] = x
			}
			x.known++
			x.episodes[u.Episode] = true
			if u.Outcome == episode.Success {
				x.good++
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	out := map[string][]*response{}
	for id, m := range found {
		out[id] = slices.SortedFunc(maps.Values(m), func(a, b *response) int {
			return cmp.Or(cmp.Compare(b.good*a.known, a.good*b.known), cmp.Compare(b.known, a.known), cmp.Compare(a.chosen, b.chosen))
		})
	}
	return out, nil
}

// Bounds of a piece of advice.
const (
	mostOptions = 2
	mostChosen  = 180 // bytes of an option
)

// describe renders the advice on one error; false when no decision with a known outcome
// is on record.
func describe(eps query.Episodes, seen []string, e reflexion.Problem, rs []*response) (reflexion.Advice, bool) {
	if len(rs) == 0 {
		return reflexion.Advice{}, false
	}
	a := reflexion.Advice{About: reflexion.Describe(e), Error: reflexion.SignatureOf(e)}
	all := map[string]bool{}
	var parts []string
	for _, x := range rs[:min(len(rs), mostOptions)] {
		ended := fmt.Sprintf("ended well in %d of %d", x.good, x.known)
		if x.good == 0 {
			ended = fmt.Sprintf("did not end well in any of %d", x.known)
		}
		in := slices.Sorted(maps.Keys(x.episodes))
		parts = append(parts, fmt.Sprintf("%s %s (%s)", x.quoted(), ended, text.Over(len(in), text.Days(eps, in))))
		maps.Copy(all, x.episodes)
	}
	a.Text = fmt.Sprintf("seen here before (%s); of what was done then, %s",
		text.Over(len(seen), text.Days(eps, seen)), strings.Join(parts, "; "))
	if rs[0].good > 0 {
		a.Step = parts[0]
	}
	a.Episodes = slices.Sorted(maps.Keys(all))
	return a, true
}
