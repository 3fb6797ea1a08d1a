package query

import (
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"

	"episodes/causal"
	"episodes/episode"
	"episodes/infer"
)

// ExplainOptions are the inputs of Explain beside the graph.
type ExplainOptions struct {
	Patterns []Pattern // the mined ones, for references such as p…
	Limit    int       // evidence shown per list; 0: 20
	// Study, when not nil, gives the statistics for nodes and edges.
	Study func() (*infer.Study, error)
}

// Explanation is the evidence for something in the graph. Exactly one of its parts is
// set.
type Explanation struct {
	Ref     string        `json:"ref"`
	Node    *NodeFacts    `json:"node,omitempty"`
	Edge    *EdgeFacts    `json:"edge,omitempty"`
	Record  *RecordFacts  `json:"record,omitempty"`
	Link    *LinkFacts    `json:"link,omitempty"`
	Pattern *PatternFacts `json:"pattern,omitempty"`
	Learned *LearnedHop   `json:"learned,omitempty"` // an edge that no log states
}

// Evidence is a location in a log. Quote, the text of the lines, is filled in by callers
// that can read the log, if it still has the recorded digest.
type Evidence struct {
	Episode  string          `json:"episode"`
	Record   string          `json:"record"` // d001, e001, "d001>e002", task, outcome, l001
	Text     string          `json:"text,omitempty"`
	Outcome  episode.Outcome `json:"outcome,omitempty"`
	Explicit *bool           `json:"explicit,omitempty"` // of a link: stated explicitly
	Source   episode.Source  `json:"source"`
	Lines    *episode.Span   `json:"lines"` // null when the episode gives none
	Quote    []string        `json:"quote,omitempty"`
	Missing  bool            `json:"missing,omitempty"` // the episode's file is gone
}

// NodeFacts explain a node.
type NodeFacts struct {
	Node     Node          `json:"node"`
	How      string        `json:"how"`
	Key      string        `json:"key"`          // shared by all its records; see package keys
	Others   []Match       `json:"alternatives"` // other nodes that the words fit almost equally
	Wordings []Wording     `json:"wordings"`     // the commonest first
	In       []EdgeSummary `json:"in"`
	Out      []EdgeSummary `json:"out"`
	Learned  []LearnedHop  `json:"learned,omitempty"` // statistical edges at the node
	Mentions []Evidence    `json:"mentions"`
	LeftOut  LeftOut       `json:"left_out"`
}

// Wording is one wording of a fact, with the episodes that use it.
type Wording struct {
	Label    string   `json:"label"`
	Episodes []string `json:"episodes"`
}

// EdgeSummary is an edge at a node, seen from it.
type EdgeSummary struct {
	Node          Node             `json:"node"` // at the other end
	Type          episode.LinkType `json:"type"`
	Weight        float64          `json:"weight"`
	EvidenceCount int              `json:"evidence_count"`
	Explicit      int              `json:"explicit"`
}

// LeftOut counts what exceeds the limit.
type LeftOut struct {
	Wordings int `json:"wordings"`
	In       int `json:"in"`
	Out      int `json:"out"`
	Mentions int `json:"mentions"`
}

// EdgeFacts explain an edge.
type EdgeFacts struct {
	Hop
	Low        float64    `json:"low"` // posterior of the weight at Level
	High       float64    `json:"high"`
	Statements []Evidence `json:"statements"`
	LeftOut    int        `json:"left_out"`
	// Learned is the statistical edge between the same nodes.
	Learned *LearnedHop `json:"learned,omitempty"`
}

// RecordFacts explain one record of one episode.
type RecordFacts struct {
	Evidence
	Kind     string            `json:"kind"`           // decision, event, lesson, task or outcome
	Node     *Node             `json:"node,omitempty"` // of the graph, that it belongs to
	Decision *episode.Decision `json:"decision,omitempty"`
	Event    *episode.Event    `json:"event,omitempty"`
	Links    []LinkFacts       `json:"links"` // of its episode, to and from it
}

// LinkFacts explain one link of one episode.
type LinkFacts struct {
	Evidence
	From string           `json:"from"` // text of the records
	To   string           `json:"to"`
	Type episode.LinkType `json:"type"`
	Edge *EdgeSummary     `json:"edge,omitempty"` // the edge it supports, seen from its source
}

// PatternFacts explain a pattern.
type PatternFacts struct {
	Pattern Pattern    `json:"pattern"`
	Uses    []Evidence `json:"evidence"`
	LeftOut int        `json:"left_out"`
	Lessons []Evidence `json:"lessons,omitempty"`
}

var (
	patternRef = regexp.MustCompile(`^p[0-9a-f]{3,12}$`)
	linkRef    = regexp.MustCompile(`^([^#\s]+)#((?:d|e)\d{3,}>(?:d\d{3,}|e\d{3,}|outcome))$`)
	anyRecord  = regexp.MustCompile(`^([^#\s]+)#(d\d{3,}|e\d{3,}|l\d{3,}|task|outcome)$`)
	edgeRef    = regexp.MustCompile(`\s*>\s*(causes|enables|prevents|correlates)\s*>\s*`)
)

// Explain returns the evidence for a node, an edge (a>causes>b), a record
// (EPISODE#d001), a link (EPISODE#d001>e002) or a pattern (p…): the records, with the
// log and the lines that each was read from.
//
// The error is a *NotFoundError when ref names nothing.
func Explain(r Reader, eps Episodes, ref string, o ExplainOptions) (*Explanation, error) {
	if o.Limit <= 0 {
		o.Limit = 20
	}
	ref = strings.Join(strings.Fields(ref), " ")
	e := &explainer{r: r, sources: sources{eps: eps, seen: map[string]*episode.Episode{}}, o: o}
	out := &Explanation{Ref: ref}
	var err error
	switch {
	case e.namesPattern(ref):
		out.Pattern, err = e.pattern(ref)
	case linkRef.MatchString(ref):
		m := linkRef.FindStringSubmatch(ref)
		out.Link, err = e.link(ref, m[1], m[2])
	case anyRecord.MatchString(ref):
		m := anyRecord.FindStringSubmatch(ref)
		out.Record, err = e.record(ref, m[1], m[2])
	case edgeRef.MatchString(ref):
		out.Edge, out.Learned, err = e.edge(ref)
	default:
		if out.Node, err = e.node(ref); err == nil {
			out.Node.Learned, err = e.learnedAt(out.Node.Node)
		}
	}
	if err != nil {
		return nil, err
	}
	return out, nil
}

type explainer struct {
	r       Reader
	sources sources
	o       ExplainOptions
}

// sources loads each episode once.
type sources struct {
	eps  Episodes
	seen map[string]*episode.Episode
}

// load returns an episode, or nil when its file is gone.
func (s *sources) load(id string) (*episode.Episode, error) {
	if ep, ok := s.seen[id]; ok {
		return ep, nil
	}
	ep, err := loadEpisode(s.eps, id)
	if errors.Is(err, fs.ErrNotExist) {
		ep, err = nil, nil
	}
	if err == nil {
		s.seen[id] = ep
	}
	return ep, err
}

// evidence points at a record of an episode.
func (s *sources) evidence(id, record string) (Evidence, error) {
	ep, err := s.load(id)
	if err != nil {
		return Evidence{}, err
	}
	if ep == nil {
		return Evidence{Episode: id, Record: record, Missing: true}, nil
	}
	return evidenceOf(ep, record), nil
}

// evidenceOf returns where a record of ep is in its log.
func evidenceOf(ep *episode.Episode, record string) Evidence {
	e := Evidence{Episode: ep.ID, Record: record, Source: ep.Provenance.Source}
	if span, ok := ep.Provenance.Spans[record]; ok {
		e.Lines = &span
	}
	return e
}

// namesPattern reports whether ref is a pattern's id. A prefix of an id may also be a
// word, so it counts only if there is such a pattern.
func (e *explainer) namesPattern(ref string) bool {
	return patternRef.MatchString(ref) && (len(ref) == 13 || len(e.patterns(ref)) > 0)
}

func (e *explainer) patterns(ref string) (fits []Pattern) {
	for _, p := range e.o.Patterns {
		if strings.HasPrefix(p.ID, ref) {
			fits = append(fits, p)
		}
	}
	return fits
}

func (e *explainer) pattern(ref string) (*PatternFacts, error) {
	fits := e.patterns(ref)
	switch len(fits) {
	case 0:
		return nil, &NotFoundError{Ref: ref, Reason: "no pattern that is told now has this id"}
	case 1:
	default:
		return nil, &NotFoundError{Ref: ref, Reason: fmt.Sprintf("%d ids begin so", len(fits))}
	}
	f := &PatternFacts{Pattern: fits[0], Uses: []Evidence{}}
	for _, u := range fits[0].Uses {
		if len(f.Uses) == e.o.Limit {
			f.LeftOut = len(fits[0].Uses) - e.o.Limit
			break
		}
		ev, err := e.sources.evidence(u.Episode, u.Record)
		if err != nil {
			return nil, err
		}
		ev.Outcome = u.Outcome
		if ep := e.sources.seen[u.Episode]; ep != nil {
			ev.Text = recordText(ep, u.Record)
		}
		f.Uses = append(f.Uses, ev)
	}
	for _, l := range fits[0].Lessons {
		ev, err := e.sources.evidence(l.Episode, l.Record)
		if err != nil {
			return nil, err
		}
		ev.Text = l.Text
		f.Lessons = append(f.Lessons, ev)
	}
	return f, nil
}

// edge finds a stated edge, or else a statistical one.
func (e *explainer) edge(ref string) (*EdgeFacts, *LearnedHop, error) {
	at := edgeRef.FindStringSubmatchIndex(ref)
	t := episode.LinkType(ref[at[2]:at[3]])
	var ends [2]Node
	for i, part := range []string{ref[:at[0]], ref[at[1]:]} {
		res, err := Resolve(e.r, part, ResolveOptions{Episodes: e.sources.eps})
		if err != nil {
			return nil, nil, err
		}
		ends[i] = res.Node
	}
	ways := [][2]Node{ends}
	if t == episode.Correlates { // it has no direction
		ways = append(ways, [2]Node{ends[1], ends[0]})
	}
	for _, way := range ways {
		edges, err := e.r.Out(way[0].ID)
		if err != nil {
			return nil, nil, err
		}
		for _, edge := range edges {
			if edge.Target != way[1].ID || edge.Type != t {
				continue
			}
			f, err := e.edgeFacts(way[0], way[1], edge)
			if err == nil {
				f.Learned, err = e.learned(way, "")
			}
			return f, nil, err
		}
	}
	for _, way := range ways {
		if hop, err := e.learned(way, t); hop != nil || err != nil {
			return nil, hop, err
		}
	}
	return nil, nil, &NotFoundError{Ref: ref, Reason: fmt.Sprintf("no episode says that %q %s %q", ends[0].Label, LinkVerb(t, false), ends[1].Label)}
}

// learnedAt returns the statistical edges at a node.
func (e *explainer) learnedAt(n Node) (out []LearnedHop, err error) {
	if e.o.Study == nil {
		return nil, nil
	}
	s, err := e.o.Study()
	if err != nil {
		return nil, err
	}
	at, ok := factAt(s, n)
	for _, edge := range s.Edges() {
		if ok && (edge.Source == at || edge.Target == at) {
			out = append(out, LearnedEdge(edge))
		}
	}
	return out, nil
}

// learned returns the statistical edge between two nodes, of a type or, for "", of any;
// nil when there is none.
func (e *explainer) learned(way [2]Node, t episode.LinkType) (*LearnedHop, error) {
	if e.o.Study == nil {
		return nil, nil
	}
	s, err := e.o.Study()
	if err != nil {
		return nil, err
	}
	from, ok := factAt(s, way[0])
	to, known := factAt(s, way[1])
	for _, edge := range s.Edges() {
		if ok && known && edge.Source == from && edge.Target == to && (t == "" || t == edge.Type) {
			hop := LearnedEdge(edge)
			return &hop, nil
		}
	}
	return nil, nil
}

// factAt returns the statistical fact of a node. Of the outcomes only success is one.
func factAt(s *infer.Study, n Node) (infer.Fact, bool) {
	if n.Type == causal.OutcomeNode {
		return infer.Fact{}, n.Label == "outcome: "+string(episode.Success)
	}
	return s.FactOf(n.ID)
}

func (e *explainer) edgeFacts(source, target Node, edge causal.Edge) (*EdgeFacts, error) {
	v := newViewer(e.r)
	hop, err := v.hop(source, target, edge)
	if err != nil {
		return nil, err
	}
	i := posterior(edge).Interval(Level)
	f := &EdgeFacts{Hop: hop, Low: i.Low, High: i.High, Statements: []Evidence{}}
	sts, err := e.r.Statements(edge.Source, edge.Target, edge.Type)
	if err != nil {
		return nil, err
	}
	for _, st := range sts[:min(len(sts), e.o.Limit)] {
		ev, err := e.sources.evidence(st.Episode, st.Link)
		if err != nil {
			return nil, err
		}
		ev.Explicit = &st.Explicit
		if ep := e.sources.seen[st.Episode]; ep != nil {
			ev.Text = linkText(ep, st.Link)
		}
		f.Statements = append(f.Statements, ev)
	}
	f.LeftOut = len(sts) - len(f.Statements)
	return f, nil
}
