package query

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"episodes/causal"
	"episodes/episode"
)

func (e *explainer) node(ref string) (*NodeFacts, error) {
	res, err := Resolve(e.r, ref, e.sources.eps)
	if err != nil {
		return nil, err
	}
	n, _, err := e.r.Node(res.Node.ID)
	if err != nil {
		return nil, err
	}
	f := &NodeFacts{Node: res.Node, Key: n.Key, Mentions: []Evidence{}}
	if err := e.mentions(f); err != nil {
		return nil, err
	}
	in, err := e.r.In(res.Node.ID)
	if err != nil {
		return nil, err
	}
	out, err := e.r.Out(res.Node.ID)
	if err != nil {
		return nil, err
	}
	if f.In, err = e.summaries(in, func(x causal.Edge) string { return x.Source }); err != nil {
		return nil, err
	}
	f.Out, err = e.summaries(out, func(x causal.Edge) string { return x.Target })
	f.LeftOut.In, f.LeftOut.Out = len(in)-len(f.In), len(out)-len(f.Out)
	return f, err
}

func (e *explainer) mentions(f *NodeFacts) error {
	ms, err := e.r.Mentions(f.Node.ID)
	if err != nil {
		return err
	}
	if err := markSuperseded(e.r, e.sources.eps, &f.Node); err != nil {
		return err
	}
	wordings, days := map[string]map[string]bool{}, map[string]int{}
	for _, m := range ms {
		days[m.Episode] = m.Day
		label := m.Label
		if wordings[label] == nil {
			wordings[label] = map[string]bool{}
		}
		wordings[label][m.Episode] = true
	}
	f.Spread = spreadOf(days)
	f.Wordings = []Wording{}
	for label, eps := range wordings {
		f.Wordings = append(f.Wordings, Wording{label, slices.Sorted(maps.Keys(eps))})
	}
	slices.SortFunc(f.Wordings, func(a, b Wording) int {
		return cmp.Or(len(b.Episodes)-len(a.Episodes), strings.Compare(a.Label, b.Label))
	})
	f.LeftOut.Wordings = max(0, len(f.Wordings)-e.o.Limit)
	f.Wordings = f.Wordings[:len(f.Wordings)-f.LeftOut.Wordings]
	for _, m := range ms[:min(len(ms), e.o.Limit)] {
		ev, err := e.sources.evidence(m.Episode, m.Record)
		if err != nil {
			return err
		}
		ev.Text, ev.Outcome = m.Label, m.Outcome
		f.Mentions = append(f.Mentions, ev)
	}
	f.LeftOut.Mentions = len(ms) - len(f.Mentions)
	return nil
}

// summaries shows edges, the strongest first.
func (e *explainer) summaries(edges []causal.Edge, other func(causal.Edge) string) ([]EdgeSummary, error) {
	out := []EdgeSummary{}
	edges = slices.Clone(edges)
	slices.SortStableFunc(edges, func(a, b causal.Edge) int { return cmp.Compare(b.Weight(), a.Weight()) })
	for _, x := range edges[:min(len(edges), e.o.Limit)] {
		n, err := nodeOf(e.r, other(x))
		if err != nil {
			return nil, err
		}
		out = append(out, summary(n, x))
	}
	return out, nil
}

func summary(other Node, x causal.Edge) EdgeSummary {
	return EdgeSummary{Node: other, Type: x.Type, Weight: x.Weight(), EvidenceCount: x.Support.Count(), Explicit: x.Support.Explicit}
}

// owner loads the episode that a reference names; it must exist.
func (e *explainer) owner(ref, id string) (*episode.Episode, error) {
	ep, err := e.sources.load(id)
	if err == nil && ep == nil {
		err = notFound(ref, "there is no episode %q", id)
	}
	return ep, err
}

func (e *explainer) record(ref, id, record string) (*RecordFacts, error) {
	ep, err := e.owner(ref, id)
	if err != nil {
		return nil, err
	}
	f := recordFacts(ep, record)
	if f.Text == "" && f.Decision == nil && f.Event == nil {
		return nil, notFound(ref, "episode %q has no %s", ep.ID, record)
	}
	c := causal.Contribute(ep)
	for _, m := range c.Mentions {
		if m.Record != record {
			continue
		}
		if n, ok, err := e.r.Node(m.Node); err != nil {
			return nil, err
		} else if ok {
			v := viewNode(n)
			f.Node = &v
			if err := markSuperseded(e.r, e.sources.eps, f.Node); err != nil {
				return nil, err
			}
		}
	}
	for i := range ep.Links {
		if l := &ep.Links[i]; l.Source == record || l.Target == record {
			lf, err := e.linkFacts(ep, &c, l)
			if err != nil {
				return nil, err
			}
			f.Links = append(f.Links, *lf)
		}
	}
	return f, nil
}

// recordFacts returns what the episode alone has on a record.
func recordFacts(ep *episode.Episode, record string) *RecordFacts {
	f := &RecordFacts{Evidence: evidenceOf(ep, record), Kind: record, Links: []LinkFacts{}}
	f.Text, f.Outcome = RecordText(ep, record), ep.Outcome
	switch record[0] {
	case 'd':
		f.Kind = "decision"
		f.Decision = ep.Decision(record)
	case 'e':
		f.Kind = "event"
		f.Event = ep.Event(record)
	case 'l':
		f.Kind = "lesson"
	}
	if f.Decision != nil {
		f.Outcome = f.Decision.Outcome
	}
	return f
}

func (e *explainer) link(ref, id, link string) (*LinkFacts, error) {
	ep, err := e.owner(ref, id)
	if err != nil {
		return nil, err
	}
	for i := range ep.Links {
		if l := &ep.Links[i]; episode.LinkID(l.Source, l.Target) == link {
			c := causal.Contribute(ep)
			return e.linkFacts(ep, &c, l)
		}
	}
	return nil, notFound(ref, "episode %q has no such link", ep.ID)
}

func (e *explainer) linkFacts(ep *episode.Episode, c *causal.Contribution, l *episode.Link) (*LinkFacts, error) {
	f := &LinkFacts{
		Evidence: evidenceOf(ep, episode.LinkID(l.Source, l.Target)),
		From:     RecordText(ep, l.Source), To: RecordText(ep, l.Target), Type: l.Type,
	}
	f.Text = linkText(ep, f.Record)
	f.Explicit = &l.Explicit
	nodeAt := map[string]string{}
	for _, m := range c.Mentions {
		nodeAt[m.Record] = m.Node
	}
	edges, err := e.r.Out(nodeAt[l.Source])
	if err != nil {
		return nil, err
	}
	for _, x := range edges {
		if x.Target == nodeAt[l.Target] && x.Type == l.Type {
			n, err := nodeOf(e.r, x.Target)
			if err != nil {
				return nil, err
			}
			s := summary(n, x)
			f.Edge = &s
		}
	}
	return f, nil
}

// RecordText returns the text of a record on one line, or "" if the record does not exist.
func RecordText(ep *episode.Episode, record string) string {
	text := ""
	switch {
	case ep.Decision(record) != nil:
		d := ep.Decision(record)
		text = WithQuestion(d.Context, d.Chosen)
	case ep.Event(record) != nil:
		text = ep.Event(record).Content
	case ep.Lesson(record) != nil:
		l := ep.Lesson(record)
		text = strings.TrimSpace(l.Say + " " + l.More)
	case record == "task":
		text = ep.Task
	case record == episode.OutcomeRef:
		text = "outcome: " + string(ep.Outcome)
	default:
		for i, l := range ep.Lessons {
			if episode.LessonID(i+1) == record {
				text = l
			}
		}
	}
	return strings.Join(strings.Fields(text), " ")
}

// linkText describes a link in the words of its records.
func linkText(ep *episode.Episode, link string) string {
	source, target, _ := strings.Cut(link, ">")
	for _, l := range ep.Links {
		if l.Source == source && l.Target == target {
			return fmt.Sprintf("%s %s %s", RecordText(ep, source), LinkVerb(l.Type, ep.Decision(target) != nil),
				RecordText(ep, target))
		}
	}
	return ""
}
