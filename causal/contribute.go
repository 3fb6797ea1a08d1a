package causal

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"episodes/episode"
	"episodes/keys"
)

// Contribution is what one episode adds to the graph. Its slices are sorted and
// without duplicates, so that equal episodes have equal contributions.
type Contribution struct {
	Episode    string          `cbor:"1,keyasint"`
	Outcome    episode.Outcome `cbor:"2,keyasint"` // unknown when an older tool filled it in
	Mentions   []Mention       `cbor:"3,keyasint,omitempty"`
	Statements []Statement     `cbor:"4,keyasint,omitempty"`
	Uses       []Use           `cbor:"5,keyasint,omitempty"`
}

// Contribute returns the contribution of ep. It never fails: links to missing
// records, records without words and repeated links are dropped.
func Contribute(ep *episode.Episode) Contribution {
	c := Contribution{Episode: ep.ID, Outcome: episode.Unknown}
	day := DayOf(ep.Timestamp)
	links := ep.Links
	if OfOlderTool(ep) {
		links = orderLinks(ep)
	} else if ep.Measured() {
		c.Outcome = ep.Outcome
	}
	nodeOf := map[string]string{}
	for i := range ep.Decisions {
		d := &ep.Decisions[i]
		point, option := decisionKeys(d)
		if option == "" {
			continue
		}
		out, own := decisionOutcome(ep, d, c.Outcome)
		m := c.mention(DecisionNode, keys.Choice(point, option), decisionLabel(d), d.ID, out)
		nodeOf[d.ID] = m.Node
		c.Mentions[len(c.Mentions)-1].Superseded = superseded(d)
		c.Uses = append(c.Uses,
			Use{Episode: ep.ID, Record: d.ID, Point: point, Context: Question(d.Context), Node: m.Node,
				Chosen: clean(d.Chosen), ChosenKey: option,
				Rejected: rejected(d, option), Outcome: out, OwnResult: own, Day: day, Superseded: superseded(d)})
	}
	for i := range ep.Events {
		v := &ep.Events[i]
		key := eventKey(v)
		if key == "" {
			continue
		}
		nodeOf[v.ID] = c.mention(EventNode, key, clean(v.Content), v.ID, c.Outcome).Node
	}
	if c.Outcome.Known() {
		label := "outcome: " + string(c.Outcome)
		nodeOf[episode.OutcomeRef] = c.mention(OutcomeNode, label, label, episode.OutcomeRef, c.Outcome).Node
	}
	c.state(ep, links, nodeOf)
	c.SetDay(day)
	slices.SortFunc(c.Mentions, func(a, b Mention) int {
		return cmp.Or(strings.Compare(a.Node, b.Node), strings.Compare(a.Record, b.Record))
	})
	return c
}

// SetDay dates the mentions and statements; a stored contribution has the day once.
func (c *Contribution) SetDay(day int) {
	for i := range c.Mentions {
		c.Mentions[i].Day = day
	}
	for i := range c.Statements {
		c.Statements[i].Day = day
	}
}

// DayOf is the day of a time in RFC 3339, in days since 1970-01-01 in UTC; 0 when it is
// none. Whoever writes logs can date them freely.
func DayOf(timestamp string) int {
	t, err := time.Parse(time.RFC3339, timestamp)
	if err != nil {
		return 0
	}
	return int(t.Unix() / (24 * 60 * 60))
}

func (c *Contribution) mention(t NodeType, key, label, record string, out episode.Outcome) Mention {
	m := Mention{Episode: c.Episode, Record: record, Node: NodeID(t, key), Type: t, Key: key, Label: label, Outcome: out}
	c.Mentions = append(c.Mentions, m)
	return m
}

// state turns the links of the episode into statements between nodes, and adds to
// each use the events that led to the decision.
func (c *Contribution) state(ep *episode.Episode, links []episode.Link, nodeOf map[string]string) {
	type edge struct {
		source, target string
		typ            episode.LinkType
	}
	best := map[edge]Statement{}
	for _, l := range links {
		s, t := nodeOf[l.Source], nodeOf[l.Target]
		if s == "" || t == "" || s == t {
			continue
		}
		k := edge{s, t, l.Type}
		st := Statement{Episode: ep.ID, Source: s, Target: t, Type: l.Type, Explicit: l.Explicit,
			Link: episode.LinkID(l.Source, l.Target)}
		if old, ok := best[k]; !ok || !old.Explicit && st.Explicit {
			best[k] = st
		}
		if l.Type != episode.Correlates && ep.Event(l.Source) != nil {
			for i := range c.Uses {
				if u := &c.Uses[i]; u.Record == l.Target && !slices.Contains(u.Triggers, s) {
					u.Triggers = append(u.Triggers, s)
				}
			}
		}
	}
	for _, st := range best {
		c.Statements = append(c.Statements, st)
	}
	slices.SortFunc(c.Statements, func(a, b Statement) int {
		return strings.Compare(a.Source+a.Target+string(a.Type), b.Source+b.Target+string(b.Type))
	})
	for i := range c.Uses {
		slices.Sort(c.Uses[i].Triggers)
	}
}

func decisionKeys(d *episode.Decision) (point, option string) {
	point = d.Key
	if point == "" {
		point = keys.Decision(d.Context)
	}
	for i, o := range d.Options {
		if i < len(d.OptionKeys) && o == d.Chosen {
			option = d.OptionKeys[i]
		}
	}
	if option == "" {
		option = keys.Option(d.Chosen)
	}
	if point == option {
		point = "" // a question that only repeats its answer does not count
	}
	return point, option
}

func rejected(d *episode.Decision, chosenKey string) []string {
	var out []string
	for i, o := range d.Options {
		var key string
		if i < len(d.OptionKeys) {
			key = d.OptionKeys[i]
		} else {
			key = keys.Option(o)
		}
		if key != "" && key != chosenKey {
			out = append(out, clean(o))
		}
	}
	return out
}

// decisionOutcome is the decision's own outcome where the log shows one, else the
// session's. Episodes without provenance come from tools that filled in "success", so
// their decisions' own outcomes are not evidence.
func decisionOutcome(ep *episode.Episode, d *episode.Decision, session episode.Outcome) (out episode.Outcome, own bool) {
	if d.Outcome.Known() && ep.Provenance.Source.SHA256 != "" {
		return d.Outcome, true
	}
	return session, false
}

func superseded(d *episode.Decision) string {
	switch {
	case d.Superseded == nil:
		return ""
	case clean(*d.Superseded) == "":
		return NotNamed
	}
	return clean(*d.Superseded)
}

func decisionLabel(d *episode.Decision) string {
	if q := Question(d.Context); q != "" {
		return q + ": " + clean(d.Chosen)
	}
	return clean(d.Chosen)
}

// Question is the context of a decision on one line, without trailing punctuation.
func Question(context string) string {
	return strings.TrimRight(clean(context), " :;,.-–—：；，。")
}

// clean puts a text on one line, with single spaces.
func clean(s string) string { return strings.Join(strings.Fields(s), " ") }
