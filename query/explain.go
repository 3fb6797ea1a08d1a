package query

import (
	"errors"
	"io/fs"
	"strings"

	"episodes/episode"
	"episodes/internal/lazy"
)

// ExplainOptions are the inputs of Explain other than the graph.
type ExplainOptions struct {
	Patterns []Pattern // the mined ones, for references such as p…
	Limit    int       // evidence shown per list; 0: 20
}

var (
	patternRef = lazy.Pattern(`^p[0-9a-f]{3,12}$`)
	linkRef    = lazy.Pattern(`^([^#\s]+)#((?:d|e)\d{3,}>(?:d\d{3,}|e\d{3,}|outcome))$`)
	anyRecord  = lazy.Pattern(`^([^#\s]+)#(d\d{3,}|e\d{3,}|l\d{3,}|task|outcome)$`)
	edgeRef    = lazy.Pattern(`\s*>\s*(causes|enables|prevents|correlates)\s*>\s*`)
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
	e := &explainer{r: r, sources: sources{eps: eps, seen: map[string]*session{}}, o: o}
	out := &Explanation{Ref: ref}
	var err error
	switch {
	case e.namesPattern(ref):
		out.Pattern, err = e.pattern(ref)
	case linkRef().MatchString(ref):
		m := linkRef().FindStringSubmatch(ref)
		out.Link, err = e.link(ref, m[1], m[2])
	case anyRecord().MatchString(ref):
		m := anyRecord().FindStringSubmatch(ref)
		out.Record, err = e.record(ref, m[1], m[2])
	case edgeRef().MatchString(ref):
		out.Edge, err = e.edge(ref)
	default:
		out.Node, err = e.node(ref)
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
	seen map[string]*session
}

// load returns an episode, or nil when its file is gone.
func (s *sources) load(id string) (*episode.Episode, error) {
	x, err := s.session(id)
	if x == nil {
		return nil, err
	}
	return x.Episode, nil
}

func (s *sources) session(id string) (*session, error) {
	if x, ok := s.seen[id]; ok {
		return x, nil
	}
	var x *session
	ep, err := loadEpisode(s.eps, id)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, err
	default:
		x = &session{Episode: ep}
	}
	s.seen[id] = x
	return x, nil
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
	return patternRef().MatchString(ref) && (len(ref) == 13 || len(e.patterns(ref)) > 0)
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
		return nil, notFound(ref, "no pattern that is told now has this id")
	case 1:
	default:
		return nil, notFound(ref, "%d ids begin so", len(fits))
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
			ev.Text = RecordText(ep.Episode, u.Record)
		}
		f.Uses = append(f.Uses, ev)
	}
	return f, nil
}
