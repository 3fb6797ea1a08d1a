package pages

import (
	"episodes/episode"
	"episodes/query"
)

// GraphView is what the page of the graph shows.
type GraphView struct {
	*query.Drawing
	// NotFound is not nil where what was asked for names nothing; then there is no drawing.
	NotFound *query.NotFoundError
	At, To   string // as they were asked for, to be asked for again
	// More is the address of more of the graph, as JSON; "" where all of it is in the page.
	More string
}

// Step is a link with the fact at its end.
type Step struct {
	query.DrawnLink
	Of    query.DrawnFact // from which it leads
	Other query.DrawnFact // to which it leads
}

// Verb is that of the link. What a log gives as a cause may be a reason or an occasion, and after what was done about
// an error it may have ended for another reason.
func (s Step) Verb() string {
	switch {
	case s.Type == episode.Correlates:
		return "goes with"
	case s.Type == episode.Causes:
		return "led to"
	case s.Type == episode.Prevents && s.Of.Kind == string(episode.ToolCall):
		return "tried against"
	}
	return string(s.Type)
}

// Linked is a fact with the links at it.
type Linked struct {
	query.DrawnFact
	Steps []Step
}

// List is the drawing as a list: each fact with the links that leave it.
func (v GraphView) List() []Linked {
	at := map[string]int{}
	out := make([]Linked, len(v.Facts))
	for i, f := range v.Facts {
		at[f.ID], out[i].DrawnFact = i, f
	}
	for _, l := range v.Links {
		from := &out[at[l.Source]]
		from.Steps = append(from.Steps, Step{DrawnLink: l, Of: from.DrawnFact, Other: v.Facts[at[l.Target]]})
	}
	return out
}

// Chosen is the fact that the drawing is around, and Other the end of the path that was asked for.
func (v GraphView) Chosen() *query.DrawnFact { return v.fact(v.Drawing.At) }
func (v GraphView) Other() *query.DrawnFact  { return v.fact(v.Drawing.To) }

func (v GraphView) fact(id string) *query.DrawnFact {
	for i := range v.Facts {
		if v.Facts[i].ID == id {
			return &v.Facts[i]
		}
	}
	return nil
}

// Way is the path, step by step, beginning with the fact that it begins with.
func (v GraphView) Way() (out []Step) {
	for i, id := range v.Path {
		f := v.fact(id)
		if f == nil {
			return nil
		}
		step := Step{Other: *f}
		for _, l := range v.Links {
			if i > 0 && l.Source == v.Path[i-1] && l.Target == id && l.Weight > step.Weight {
				step.DrawnLink, step.Of = l, *v.fact(l.Source)
			}
		}
		out = append(out, step)
	}
	return out
}
