package query

import (
	"episodes/episode"
	"episodes/infer"
)

// PathOptions bound the search for paths. Zero values take the defaults.
type PathOptions struct {
	K         int                // how many paths; default 3
	MaxHops   int                // longest path, in edges; default 8
	Types     []episode.LinkType // edges to follow; default causes, enables and prevents
	MinWeight float64            // edges of less weight are not followed
	Episodes  Episodes           // for references such as EPISODE#d001
	Edges     []infer.Edge       // statistical ones, whose paths are added
}

func (o PathOptions) withDefaults() PathOptions {
	if o.K <= 0 {
		o.K = 3
	}
	if o.MaxHops <= 0 {
		o.MaxHops = 8
	}
	if len(o.Types) == 0 {
		o.Types = []episode.LinkType{episode.Causes, episode.Enables, episode.Prevents}
	}
	return o
}

// The effect of a path on its end, by the types of its edges. With an odd number of
// prevents edges it works against the end; with an even number it removes what prevents
// it. What led to a choice does not cause the effects of the choice (an error is no
// cause of its repair), so the effect of a path through choices is that of the part after
// the last one. With a correlates edge a path claims no effect.
const (
	LeadsTo      = "leads_to"
	ClearsWay    = "clears_way"
	WorksAgainst = "works_against"
	Correlated   = "correlated"
)

// PathResult is the result of Paths.
type PathResult struct {
	From  Node   `json:"from"`
	To    Node   `json:"to"`
	Paths []Path `json:"paths"` // best first
	// Reverse is the best path from To to From, if no path leads the other way.
	Reverse *Path `json:"reverse,omitempty"`
	// Near is a path between other nodes that match the references almost as well, if no
	// path connects the best ones.
	Near *NearPath `json:"near,omitempty"`
	// Ended is what ended the failure From, if no path leads on from it; nil where no log shows it.
	Ended *Said `json:"ended,omitempty"`
	// Learned are the statistical paths, where such edges touch both nodes.
	Learned  *Learned     `json:"learned,omitempty"`
	Resolved PathResolved `json:"resolved"`
}

// NearPath is the best path between two nodes that were not the best fit.
type NearPath struct {
	From Node `json:"from"`
	To   Node `json:"to"`
	Path Path `json:"path"`
}

// PathResolved says how the two references were understood.
type PathResolved struct {
	From Resolution `json:"from"`
	To   Resolution `json:"to"`
}

// Path is a loopless path.
type Path struct {
	Weight   float64 `json:"weight"`              // product of the weights of its hops
	Effect   string  `json:"effect"`              // leads_to, clears_way, works_against or correlated
	ByChoice bool    `json:"by_choice,omitempty"` // the effect is that of a choice on the path
	Hops     []Hop   `json:"hops"`
	Weakest  int     `json:"weakest"` // index of the hop of least weight
	// Spread is that of the episodes behind all hops. It hangs on one day when one of
	// its hops does.
	Spread
}

// Hop is one edge of a path, in the direction in which the path goes.
type Hop struct {
	Source        Node             `json:"source"`
	Target        Node             `json:"target"`
	Type          episode.LinkType `json:"type"`
	Weight        float64          `json:"weight"`
	EvidenceCount int              `json:"evidence_count"` // episodes that state it
	Explicit      int              `json:"explicit"`       // of those, explicitly
	Of            int              `json:"of"`             // episodes in which the edge's source occurs
	Episodes      []string         `json:"episodes"`
	// Spread is that of the episodes that state it. It hangs on one day when most of
	// these are of that day, or when without that day another type of link between the
	// same two would be the stronger one.
	Spread
	days map[string]int // by episode
}

// Paths finds the best paths from one node to another, both given as references
// (see Resolve). The weight of a path is the product of its edges' weights; the K
// best loopless paths of at most MaxHops edges are found exactly. Paths of equal
// weight come in order of length, then of the ids along them.
//
// The error is a *NotFoundError when a reference names nothing.
func Paths(r Reader, from, to string, o PathOptions) (*PathResult, error) {
	o = o.withDefaults()
	var res PathResolved
	for _, end := range []struct {
		ref string
		to  *Resolution
	}{{from, &res.From}, {to, &res.To}} {
		var err error
		if *end.to, err = Resolve(r, end.ref, o.Episodes); err != nil {
			return nil, err
		}
	}
	s := &routes{r: r, types: o.Types, least: o.MinWeight, maxHops: o.MaxHops}
	out, err := s.paths(res.From.Node, res.To.Node, o.K)
	if err != nil {
		return nil, err
	}
	out.Resolved = res
	if err := out.markSuperseded(r, o.Episodes); err != nil {
		return nil, err
	}
	out.Learned = learnedBetween(o.Edges, out.From, out.To, o.K)
	if len(out.Paths) == 0 && out.From.ID != out.To.ID {
		if err = out.explainNone(s); err == nil {
			out.Ended, err = endOf(r, o.Episodes, out.From.ID)
		}
	}
	return out, err
}

func (p *PathResult) markSuperseded(r Reader, eps Episodes) error {
	nodes := []*Node{&p.From, &p.To}
	for i := range p.Paths {
		for j := range p.Paths[i].Hops {
			h := &p.Paths[i].Hops[j]
			nodes = append(nodes, &h.Source, &h.Target)
		}
	}
	return markSuperseded(r, eps, nodes...)
}

// paths returns the k best paths between two nodes.
func (s *routes) paths(from, to Node, k int) (*PathResult, error) {
	out := &PathResult{From: from, To: to, Paths: []Path{}}
	if from.ID == to.ID {
		return out, nil
	}
	found, err := s.best(from.ID, to.ID, k)
	if err != nil {
		return nil, err
	}
	v := newViewer(s.r)
	v.nodes[from.ID], v.nodes[to.ID] = from, to
	for _, rt := range found {
		p, err := v.path(from, rt)
		if err != nil {
			return nil, err
		}
		out.Paths = append(out.Paths, p)
	}
	return out, nil
}

// explainNone fills in what there is instead of a path.
func (p *PathResult) explainNone(s *routes) error {
	back, err := s.best(p.To.ID, p.From.ID, 1)
	if err != nil {
		return err
	}
	if len(back) > 0 {
		path, err := newViewer(s.r).path(p.To, back[0])
		if err != nil {
			return err
		}
		p.Reverse = &path
	}
	return p.tryAlternatives(s)
}

// tryAlternatives looks for a path between other nodes that fit the references, the
// better fitting ones first.
func (p *PathResult) tryAlternatives(s *routes) error {
	froms := append([]Match{match(p.From, 1)}, p.Resolved.From.Alternatives...)
	tos := append([]Match{match(p.To, 1)}, p.Resolved.To.Alternatives...)
	for sum := 1; sum <= len(froms)+len(tos)-2; sum++ {
		for i := range froms {
			j := sum - i
			if j < 0 || j >= len(tos) || froms[i].ID == tos[j].ID {
				continue
			}
			from, err := nodeOf(s.r, froms[i].ID)
			if err != nil {
				return err
			}
			to, err := nodeOf(s.r, tos[j].ID)
			if err != nil {
				return err
			}
			near, err := s.paths(from, to, 1)
			if err != nil {
				return err
			}
			if len(near.Paths) > 0 {
				p.Near = &NearPath{From: from, To: to, Path: near.Paths[0]}
				return nil
			}
		}
	}
	return nil
}
