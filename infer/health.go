package infer

import (
	"fmt"

	"episodes/stats"
)

// Health measures how much of the records can support a causal answer.
type Health struct {
	Sessions  int      `json:"sessions" cbor:"1,keyasint,omitempty"`
	Measured  int      `json:"measured" cbor:"2,keyasint,omitempty"` // with a measured outcome
	Successes int      `json:"successes" cbor:"3,keyasint,omitempty"`
	Records   int      `json:"records" cbor:"4,keyasint,omitempty"`    // decisions and events
	Shared    int      `json:"shared" cbor:"5,keyasint,omitempty"`     // of them, of a fact that two or more sessions have
	Facts     int      `json:"facts" cbor:"6,keyasint,omitempty"`      // distinct ones
	Single    int      `json:"single" cbor:"7,keyasint,omitempty"`     // of them, of one session only
	Decisions int      `json:"decisions" cbor:"8,keyasint,omitempty"`  // all
	Asked     int      `json:"asked" cbor:"9,keyasint,omitempty"`      // of them, with a question
	Compared  int      `json:"compared" cbor:"10,keyasint,omitempty"`  // of them, at a question with two options taken
	Random    int      `json:"random" cbor:"11,keyasint,omitempty"`    // chosen at random and logged as such
	Timed     int      `json:"timed" cbor:"12,keyasint,omitempty"`     // sessions in which the order of records is known
	Tasks     int      `json:"tasks" cbor:"13,keyasint,omitempty"`     // tasks of enough sessions to be compared within
	Named     int      `json:"named" cbor:"15,keyasint,omitempty"`     // sessions that name their instance
	Effective int      `json:"effective" cbor:"16,keyasint,omitempty"` // instances with a measured outcome
	Enough    bool     `json:"enough" cbor:"14,keyasint,omitempty"`    // LeastSessions measured, with both outcomes
	Wanted    []string `json:"wanted" cbor:"-"`                        // what to log to get more
}

// Health returns the health of the study's records.
func (s *Study) Health() Health { return s.health }

// Shares below which Health asks for more logging.
const (
	wantShared = .3 // of records of a fact that other sessions have too
	wantAsked  = .5 // of decisions with a question
	wantTimed  = .5 // of sessions with times
	wantNamed  = .5 // of sessions that name their instance
)

func (s *Study) measureHealth(byID map[string]*Record) Health {
	h := Health{Sessions: s.totals.Sessions, Measured: s.totals.Measured, Successes: s.totals.Successes,
		Facts: len(s.nodes), Enough: s.enough(), Wanted: []string{}}
	tasks, instances := map[string]int{}, map[string]int{}
	for _, r := range byID {
		if k := r.Task.Key; k != "" {
			tasks[k]++
			h.Tasks += stats.Indicator(tasks[k] == minStratum)
		}
		h.Named += stats.Indicator(r.Instance != "")
		if r.Outcome != Unmeasured && (r.Instance == "" || instances[r.Instance] == 0) {
			h.Effective++
		}
		if r.Outcome != Unmeasured {
			instances[r.Instance]++
		}
	}
	for i := range s.nodes {
		h.Single += stats.Indicator(s.nodes[i].n == 1)
	}
	count := func(n int) {
		h.Records++
		h.Shared += stats.Indicator(s.nodes[n].n > 1)
	}
	for _, r := range byID {
		timed := true
		for _, c := range r.Choices {
			h.Decisions++
			h.Random += stats.Indicator(c.Explore)
			timed = timed && c.At > 0
			k, ok := optionKey(c.Point.Key, c.Option.Key)
			if !ok {
				h.Records++
				continue
			}
			h.Asked++
			n := s.nodeOf[k]
			count(n)
			h.Compared += stats.Indicator(len(s.points[s.nodes[n].pointAt].options) > 1)
		}
		for _, e := range r.Events {
			timed = timed && e.At > 0
			count(s.nodeOf[nodeKey{key: e.Name.Key}])
		}
		h.Timed += stats.Indicator(timed && len(r.Choices)+len(r.Events) > 0)
	}
	h.listWanted()
	return h
}

// listWanted fills in what is wanted, the most useful first.
func (h *Health) listWanted() {
	want := func(format string, args ...any) { h.Wanted = append(h.Wanted, fmt.Sprintf(format, args...)) }
	less := func(n, of int, share float64) bool { return of > 0 && float64(n) < share*float64(of) }
	h.Wanted = []string{}
	if h.Sessions == 0 {
		return
	}
	if h.Measured < LeastSessions {
		want("measured outcomes (tests run, exit codes): statistical claims need %d", LeastSessions)
	}
	if h.Measured > 0 && (h.Successes == 0 || h.Successes == h.Measured) {
		want("outcomes of both kinds: where every session ends the same way, nothing can be compared")
	}
	if less(h.Asked, h.Decisions, wantAsked) {
		want("the question of each decision (decision.key)")
	}
	if less(h.Compared, h.Asked, wantAsked) {
		want("the same question in the same words in each session (decision.key, option_keys)")
	}
	if less(h.Shared, h.Records, wantShared) {
		want("one key for the same event in each session (event.key)")
	}
	if less(h.Named, h.Sessions, wantNamed) {
		want("what each session worked on (instance: the issue, pull request or branch): without it each session counts as evidence of its own")
	}
	if less(h.Timed, h.Sessions, wantTimed) {
		want("the times of decisions and events")
	}
	if h.Enough && h.Random == 0 {
		want("a few choices made at random and marked so (exploration): only they rule out hidden causes")
	}
}
