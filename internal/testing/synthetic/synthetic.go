// Package synthetic generates memory folders of any size, for benchmarks and manual
// tests. The same seed and number always give the same episode, on every machine.
//
// The distributions follow 388 real logs of one project, read by this program. There,
// half of the sessions have up to six facts and one in a hundred more than fifty;
// most facts occur once, and a few everywhere. Here a session has a log-normal number
// of events and decisions (median 6 and 1) and a link for about every third record,
// twice as many as there, since the graph is what is measured. A fact is the session's
// own with probability ownFact; else it is drawn by Zipf's law from a pool that all
// sessions share, so that there are hubs at any size and new shared facts keep
// appearing. The most common fact of the pool is in about a tenth of the sessions, and
// an outcome in most. The wordings of a shared fact differ in what its key masks:
// numbers, paths, hashes.
package synthetic

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"episodes/episode"
	"episodes/keys"
)

// Memory is an infinite sequence of episodes, numbered from 0.
type Memory struct{ Seed uint64 }

const (
	ownFact    = 0.7  // share of facts that only one session has
	asked      = 0.4  // share of decisions that answer a question
	ownAnswer  = 0.3  // share of shared questions with an answer of the session's own
	poolSkew   = 1.15 // exponent of Zipf's law
	poolSize   = 1 << 30
	medianEv   = 6.0
	medianDec  = 2.3
	spread     = 0.8 // of the logarithm of both
	most       = 60  // events, and decisions
	linkShare  = 0.3 // links for each record
	startOfAll = "2020-01-01T00:00:00Z"
	every      = 37 * time.Minute // between the starts of two sessions
)

// ID is the id of the i-th episode.
func (m Memory) ID(i int) string { return episode.IDFromSession(m.session(i)) }

func (m Memory) start(i int) time.Time {
	t, _ := time.Parse(time.RFC3339, startOfAll) // a constant
	return t.Add(time.Duration(i) * every)
}

func (m Memory) session(i int) string {
	return fmt.Sprintf("%s-session-%07d", m.start(i).Format(time.DateOnly), i)
}

// Episode generates the i-th episode.
func (m Memory) Episode(i int) *episode.Episode {
	s := &session{Rand: rand.New(rand.NewPCG(m.Seed, uint64(i))), seed: m.Seed, line: 3}
	s.pool = newZipf(s.Rand)
	start := m.start(i)
	name := m.session(i)
	sum := sha256.Sum256([]byte(fmt.Sprint(m.Seed, name)))
	ep := &episode.Episode{
		ID: m.ID(i), Session: name, Timestamp: start.Format(time.RFC3339),
		Task: s.phrase() + " " + s.phrase(),
		Provenance: episode.Provenance{
			Source:    episode.Source{Path: ".agents/sessions/" + name + ".md", SHA256: hex.EncodeToString(sum[:]), Format: "markdown"},
			Extractor: "1", Spans: map[string]episode.Span{"task": {1, 1}},
		},
	}
	switch p := s.Float64(); {
	case p < 0.13:
		ep.Outcome = episode.Unknown
	case p < 0.27:
		ep.Outcome, ep.OutcomeSource = episode.Failure, episode.Measured
	case p < 0.4:
		ep.Outcome, ep.OutcomeSource = episode.Partial, episode.Stated
	default:
		ep.Outcome, ep.OutcomeSource = episode.Success, episode.Stated
	}
	s.ep = ep
	for range s.logNormal(medianEv) {
		s.addEvent()
	}
	for range s.logNormal(medianDec) - 1 {
		s.addDecision()
	}
	s.addLinks()
	for n := range s.IntN(3) {
		ep.Lessons = append(ep.Lessons, s.phrase()+", since "+s.phrase())
		ep.Provenance.Spans[fmt.Sprintf("l%03d", n+1)] = s.span()
	}
	if ep.Outcome.Known() {
		ep.Provenance.Spans["outcome"] = s.span()
	}
	tools, commits := 5*len(ep.Events)+s.IntN(20), s.IntN(4)
	ep.Metrics.ToolCalls, ep.Metrics.Commits = &tools, &commits
	return ep
}

// session generates one episode.
type session struct {
	*rand.Rand
	seed uint64
	pool *rand.Zipf
	ep   *episode.Episode
	line int // last line used of the imaginary log
}

func newZipf(r *rand.Rand) *rand.Zipf { return rand.NewZipf(r, poolSkew, 3, poolSize) }

// logNormal draws a number of 1 or more.
func (s *session) logNormal(median float64) int {
	return min(most, max(1, int(math.Round(median*math.Exp(spread*s.NormFloat64())))))
}

func (s *session) span() episode.Span {
	from := s.line + 1 + s.IntN(3)
	s.line = from + s.IntN(2)
	return episode.Span{from, s.line}
}

// wording returns the generator of a fact's text. A fact of the pool depends on its rank
// alone, apart from what varies.
func (s *session) wording(kind uint64) *wording {
	if s.Float64() < ownFact {
		return &wording{Rand: s.Rand, vary: s.Rand}
	}
	return &wording{Rand: rand.New(rand.NewPCG(s.seed^kind<<56, s.pool.Uint64())), vary: s.Rand}
}

func (s *session) phrase() string { return (&wording{Rand: s.Rand, vary: s.Rand}).phrase() }

// The kinds of facts in the pool.
const (
	eventKind uint64 = iota + 1
	questionKind
	answerKind
)

func (s *session) addEvent() {
	t := s.wording(eventKind)
	v := episode.Event{ID: episode.EventID(len(s.ep.Events) + 1)}
	v.Type, v.Content = t.event()
	v.Key = keys.Event(string(v.Type), v.Content)
	s.ep.Events = append(s.ep.Events, v)
	s.ep.Provenance.Spans[v.ID] = s.span()
}

func (s *session) addDecision() {
	d := episode.Decision{ID: episode.DecisionID(len(s.ep.Decisions) + 1), Type: decisionTypes[s.IntN(len(decisionTypes))], Outcome: episode.Unknown}
	if s.IntN(3) == 0 {
		d.Outcome = episode.Outcomes()[s.IntN(3)]
	}
	if s.Float64() < asked {
		q := s.wording(questionKind)
		d.Context = q.question()
		d.Key = keys.Decision(d.Context)
		for range 2 + q.IntN(3) { // every session that asks this knows the same options
			d.Options = append(d.Options, q.phrase())
		}
		if s.Float64() < ownAnswer {
			d.Options = append(d.Options, s.phrase())
		}
		d.Chosen = d.Options[s.IntN(len(d.Options))]
		for _, o := range d.Options {
			d.OptionKeys = append(d.OptionKeys, keys.Option(o))
		}
	} else {
		d.Chosen = s.wording(answerKind).phrase()
	}
	if s.IntN(2) == 0 {
		d.Rationale = s.phrase() + " because " + s.phrase()
	}
	s.ep.Decisions = append(s.ep.Decisions, d)
	s.ep.Provenance.Spans[d.ID] = s.span()
}

// addLinks links records, forwards, and some of them to the outcome.
func (s *session) addLinks() {
	var records []string
	for n := range max(len(s.ep.Events), len(s.ep.Decisions)) { // alternating
		if n < len(s.ep.Events) {
			records = append(records, s.ep.Events[n].ID)
		}
		if n < len(s.ep.Decisions) {
			records = append(records, s.ep.Decisions[n].ID)
		}
	}
	known := map[string]bool{}
	for range int(linkShare*float64(len(records)) + s.Float64()) {
		at := s.IntN(len(records))
		l := episode.Link{Source: records[at], Target: episode.OutcomeRef, Type: episode.Causes, Explicit: s.IntN(5) < 3}
		if next := at + 1 + s.IntN(4); next < len(records) {
			l.Target = records[next]
		} else if !s.ep.Outcome.Known() {
			continue
		}
		switch p := s.Float64(); {
		case p < 0.15:
			l.Type = episode.Prevents
		case p < 0.22:
			l.Type = episode.Enables
		case p < 0.25:
			l.Type = episode.Correlates
		}
		if id := episode.LinkID(l.Source, l.Target); !known[id] {
			known[id] = true
			s.ep.Links = append(s.ep.Links, l)
			s.ep.Provenance.Spans[id] = s.span()
		}
	}
}
