package patterns

import (
	"fmt"
	"slices"

	"episodes/causal"
	"episodes/infer"
	"episodes/query"
)

// decisions holds all decisions, and those at each question by the option taken.
type decisions struct {
	uses      []causal.Use
	questions []*question
}

type question struct {
	point   string
	options []*option
}

type option struct {
	key  string
	uses []int // in decisions.uses
}

// collect reads every decision once. They come sorted by question.
func collect(r query.Reader) (*decisions, error) {
	d := &decisions{}
	err := r.Uses(func(u causal.Use) error {
		d.uses = append(d.uses, u)
		if u.Point == "" || u.Point == u.ChosenKey {
			return nil
		}
		if n := len(d.questions); n == 0 || d.questions[n-1].point != u.Point {
			d.questions = append(d.questions, &question{point: u.Point})
		}
		q := d.questions[len(d.questions)-1]
		i := slices.IndexFunc(q.options, func(o *option) bool { return o.key == u.ChosenKey })
		if i < 0 {
			i = len(q.options)
			q.options = append(q.options, &option{key: u.ChosenKey})
		}
		q.options[i].uses = append(q.options[i].uses, len(d.uses)-1)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the decisions: %w", err)
	}
	return d, nil
}

// usesOf returns the decisions behind a claim, whose episodes are sorted.
func (d *decisions) usesOf(c infer.Claim) (out []query.Use) {
	for i := range d.uses {
		u := &d.uses[i]
		if _, in := slices.BinarySearch(c.Episodes, u.Episode); in && u.ChosenKey == c.Option.Key && u.Point == c.Point.Key {
			out = append(out, query.Use{Episode: u.Episode, Record: u.Record, Outcome: u.Outcome})
		}
	}
	return out
}
