package query

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"episodes/causal"
	"episodes/episode"
)

// MostDrawn is the largest number of facts in a drawing around one of them.
const MostDrawn = 30

// Drawing is a part of the graph to be drawn: facts, and all links between them.
type Drawing struct {
	At    string      `json:"at,omitempty"` // the fact it is around
	To    string      `json:"to,omitempty"` // the other end of the path that was asked for
	Facts []DrawnFact `json:"facts"`
	Links []DrawnLink `json:"links"`
	// Path are the facts along the best path from At to To, or, with Back, from To to At; empty where
	// neither is known.
	Path []string `json:"path,omitempty"`
	Back bool     `json:"back,omitempty"`
}

// DrawnFact is a node of a drawing.
type DrawnFact struct {
	ID       string `json:"id"`
	Kind     string `json:"kind"` // Choice, outcome, or the type of an event
	Label    string `json:"label"`
	Sessions int    `json:"sessions"`
	Known    int    `json:"known,omitempty"` // of these, with a known outcome
	Good     int    `json:"good,omitempty"`  // and of these, those that ended well
	More     int    `json:"more,omitempty"`  // facts linked to it that are not drawn
}

// Choice is the kind of a decision in a drawing.
const Choice = "choice"

// DrawnLink is an edge of a drawing.
type DrawnLink struct {
	Source   string           `json:"source"`
	Target   string           `json:"target"`
	Type     episode.LinkType `json:"type"`
	Weight   float64          `json:"weight"`
	Sessions int              `json:"sessions"` // that state it
}

// DrawOptions are what a drawing is made with.
type DrawOptions struct {
	Most     int      // facts, besides those of a path; 0: MostDrawn
	To       string   // a reference: with the path to it
	Episodes Episodes // for references such as EPISODE#d001
}

// Around draws the facts nearest to the one that a reference names, those of the best path first. An
// outcome is drawn but not followed: it is linked to what has nothing else in common. For "" the
// drawing is around the most frequent fact that is linked, and empty if nothing is linked.
//
// The error is a *NotFoundError when a reference names nothing.
func Around(r Reader, ref string, o DrawOptions) (*Drawing, error) {
	d := newDrawer(r)
	if ref == "" {
		at, err := d.start()
		if err != nil || at == "" {
			return &d.Drawing, err
		}
		ref = at
	}
	at, err := Resolve(r, ref, o.Episodes)
	if err != nil {
		return nil, err
	}
	d.At = at.Node.ID
	d.add(d.At)
	if o.To != "" {
		if err := d.path(o); err != nil {
			return nil, err
		}
	}
	most := cmp.Or(o.Most, MostDrawn)
	for i := 0; i < len(d.ids) && len(d.ids) < most; i++ {
		if err := d.follow(d.ids[i], most); err != nil {
			return nil, err
		}
	}
	return d.done()
}

// DrawAll draws all facts that have a link. At is the one to begin with.
func DrawAll(r Reader) (*Drawing, error) {
	d := newDrawer(r)
	err := r.Nodes(func(n causal.Node) error {
		links, err := d.links(n.ID)
		if len(links) > 0 {
			d.add(n.ID)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if d.At, err = d.start(); err != nil {
		return nil, err
	}
	return d.done()
}

// drawer collects the facts of a drawing.
type drawer struct {
	Drawing
	r     Reader
	ids   []string
	drawn map[string]bool
}

func newDrawer(r Reader) *drawer {
	return &drawer{Drawing: Drawing{Facts: []DrawnFact{}, Links: []DrawnLink{}}, r: r, drawn: map[string]bool{}}
}

func (d *drawer) add(id string) {
	if !d.drawn[id] {
		d.drawn[id] = true
		d.ids = append(d.ids, id)
	}
}

// start finds a fact to begin with: the most frequent one with a link.
func (d *drawer) start() (best string, err error) {
	often, most := 0, 0
	err = d.r.Nodes(func(n causal.Node) error {
		if n.Type == causal.OutcomeNode || n.Frequency < often {
			return nil
		}
		links, err := d.links(n.ID)
		if len(links) > 0 && (n.Frequency > often || len(links) > most) {
			best, often, most = n.ID, n.Frequency, len(links)
		}
		return err
	})
	return best, err
}

// links returns the links at a fact, those that most sessions state first.
func (d *drawer) links(id string) ([]DrawnLink, error) {
	out, err := d.r.Out(id)
	if err != nil {
		return nil, err
	}
	in, err := d.r.In(id)
	if err != nil {
		return nil, err
	}
	var links []DrawnLink
	for _, e := range append(slices.Clip(out), in...) {
		links = append(links, DrawnLink{Source: e.Source, Target: e.Target, Type: e.Type, Weight: e.Weight(), Sessions: e.Support.Count()})
	}
	slices.SortStableFunc(links, func(a, b DrawnLink) int {
		return cmp.Or(cmp.Compare(b.Sessions, a.Sessions), cmp.Compare(b.Weight, a.Weight))
	})
	return links, nil
}

func (l DrawnLink) other(id string) string {
	if l.Source == id {
		return l.Target
	}
	return l.Source
}

// follow adds the facts linked to one, up to a number of all.
func (d *drawer) follow(id string, most int) error {
	n, err := nodeOf(d.r, id)
	if err != nil || n.Type == causal.OutcomeNode && id != d.At {
		return err
	}
	links, err := d.links(id)
	for _, l := range links {
		if len(d.ids) < most {
			d.add(l.other(id))
		}
	}
	return err
}

// path adds the facts of the best path to o.To, or of that in the other direction.
func (d *drawer) path(o DrawOptions) error {
	found, err := Paths(d.r, d.At, o.To, PathOptions{K: 1, Episodes: o.Episodes})
	if err != nil {
		return err
	}
	d.To = found.To.ID
	best := found.Reverse
	if len(found.Paths) > 0 {
		best = &found.Paths[0]
	}
	if best != nil {
		d.Back = best == found.Reverse
		d.Path = append(d.Path, best.Hops[0].Source.ID)
		for _, h := range best.Hops {
			d.Path = append(d.Path, h.Target.ID)
		}
	}
	for _, id := range append(slices.Clip(d.Path), d.To) {
		d.add(id)
	}
	return nil
}

// done describes the facts and lists the links between them.
func (d *drawer) done() (*Drawing, error) {
	for _, id := range d.ids {
		n, ok, err := d.r.Node(id)
		if err != nil || !ok {
			return nil, cmp.Or(err, fmt.Errorf("%w: a link to the fact %s, which is missing", ErrDamaged, id))
		}
		f := DrawnFact{ID: id, Kind: kindOf(n), Label: n.Label, Sessions: n.Frequency, Known: n.Tally.Known(), Good: n.Tally.Success}
		links, err := d.links(id)
		if err != nil {
			return nil, err
		}
		others := map[string]bool{}
		for _, l := range links {
			switch other := l.other(id); {
			case !d.drawn[other]:
				others[other] = true
			case l.Source == id:
				d.Links = append(d.Links, l)
			}
		}
		f.More = len(others)
		d.Facts = append(d.Facts, f)
	}
	return &d.Drawing, nil
}

// kindOf is the kind of a fact in one word. The key of an event begins with its type, unless its
// episode gives a key of its own.
func kindOf(n causal.Node) string {
	if n.Type == causal.DecisionNode {
		return Choice
	}
	for _, t := range episode.EventTypes() {
		if n.Type == causal.EventNode && strings.HasPrefix(n.Key, string(t)) {
			return strings.ReplaceAll(string(t), "_", " ")
		}
	}
	return string(n.Type)
}
