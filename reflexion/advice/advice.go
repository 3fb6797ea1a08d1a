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

// Bounds of advice: how many errors are looked up, and the options of each with their bytes.
const (
	most        = 5
	mostOptions = 2
	mostChosen  = 180
)

// EventText is the text of the event for an error in an episode, from which its key is derived.
func EventText(p reflexion.Problem) string {
	message := reflexion.FirstLine(p.Message)
	if p.Rule != "" && !strings.Contains(message, p.Rule) {
		message = p.Rule + ": " + message
	}
	return message
}

// known is an error that the graph has.
type known struct {
	error   reflexion.Problem
	in      []string           // episodes
	options map[string]*option // that it led to, by their keys
}

// option is what was chosen because of an error.
type option struct {
	chosen      string
	good, known int
	episodes    map[string]bool
}

// About returns what the graph knows about the errors: for each that it contains, the number of
// episodes and the decisions that it led to, quoted, with their outcomes, best first. eps gives the
// days of the sessions, and may be nil. leave is the id of an episode to ignore, the loop's own. What
// failed in the loop (reflexion.Tried) is left out, so that a wrong memory costs one attempt.
func About(r query.Reader, eps query.Episodes, errors []reflexion.Problem, leave string,
	tried map[string]bool) (out []reflexion.Known, err error) {
	nodes, order := map[string]*known{}, []string{}
	for _, e := range errors {
		for _, words := range []string{EventText(e), e.Message} {
			key := keys.Event(string(episode.Error), words)
			id := causal.NodeID(causal.EventNode, key)
			if key == "" || nodes[id] != nil || len(order) >= most {
				continue
			}
			mentions, err := r.Mentions(id)
			if err != nil {
				return nil, err
			}
			in := map[string]bool{}
			for _, m := range mentions {
				in[m.Episode] = true
			}
			if delete(in, leave); len(in) > 0 {
				nodes[id] = &known{e, slices.Sorted(maps.Keys(in)), map[string]*option{}}
				order = append(order, id)
			}
		}
	}
	if len(order) == 0 {
		return nil, nil
	}
	err = r.Uses(func(u causal.Use) error {
		for _, t := range u.Triggers {
			k := nodes[t]
			if k == nil || u.Episode == leave || !u.Outcome.Known() || tried[keys.Option(u.Chosen)] {
				continue
			}
			o := k.options[u.ChosenKey]
			if o == nil {
				o = &option{chosen: u.Chosen, episodes: map[string]bool{}}
				k.options[u.ChosenKey] = o
			}
			o.known++
			o.episodes[u.Episode] = true
			if u.Outcome == episode.Success {
				o.good++
			}
		}
		return nil
	})
	for _, id := range order {
		if k := nodes[id]; len(k.options) > 0 {
			out = append(out, k.advice(eps))
		}
	}
	return out, err
}

// advice says what was done about the error.
func (k *known) advice(eps query.Episodes) reflexion.Known {
	a := reflexion.Known{About: reflexion.Describe(k.error), Error: reflexion.SignatureOf(k.error)}
	over := func(in []string) string { return text.Over(len(in), text.Days(eps, in)) }
	best := slices.SortedFunc(maps.Values(k.options), func(a, b *option) int {
		return cmp.Or(cmp.Compare(b.good*a.known, a.good*b.known), cmp.Compare(b.known, a.known), cmp.Compare(a.chosen, b.chosen))
	})
	all := map[string]bool{}
	var parts []string
	for _, o := range best[:min(len(best), mostOptions)] {
		ended := fmt.Sprintf("ended well in %d of %d", o.good, o.known)
		if o.good == 0 {
			ended = fmt.Sprintf("did not end well in any of %d", o.known)
		}
		parts = append(parts, fmt.Sprintf("%s %s (%s)", o.quoted(), ended, over(slices.Sorted(maps.Keys(o.episodes)))))
		maps.Copy(all, o.episodes)
	}
	a.Text = fmt.Sprintf("seen here before (%s); of what was done then, %s", over(k.in), strings.Join(parts, "; "))
	if best[0].good > 0 {
		a.Step = parts[0]
	}
	a.Episodes = slices.Sorted(maps.Keys(all))
	return a
}

// quoted quotes what was chosen. Of the changes of a loop it is the edit nearest to the error,
// since the others vary.
func (o *option) quoted() string {
	edit, _, more := strings.Cut(o.chosen, "\"; ")
	if !more || !reflexion.IsEdit(o.chosen) {
		return plain.Quote(o.chosen, mostChosen)
	}
	return plain.Quote(edit+"\"", mostChosen) + ", with other changes,"
}
