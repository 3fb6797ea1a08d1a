package query

import (
	"episodes/episode"
	"episodes/infer"
)

// Modelled is the outcome model's estimate for an option.
type Modelled struct {
	Question    string    `json:"question"`
	Alternative Estimate  `json:"alternative"`
	Actual      *Estimate `json:"actual"`            // null without support or another option
	Gain        *Gain     `json:"gain"`              // alternative minus actual; null without support for both
	Adjusted    []string  `json:"adjusted"`          // adjusted for, where that changes the answer
	ByTask      bool      `json:"by_task,omitempty"` // the task is adjusted for, and that changes the answer
	// Hidden is by how much causes that are not logged may shift the logit of an option (standard
	// deviation), which the intervals hold: choices follow what is logged, so they may follow
	// what is not.
	Hidden float64 `json:"hidden_shift,omitempty"`
	// Within compares the two on things that were tried both ways; null where there are none.
	Within *Within `json:"within,omitempty"`
	// Very: asked about the very thing that a session worked on, not about the average of like
	// sessions.
	Very bool `json:"very_instance,omitempty"`
	// Measures compare the two by outcomes of more than two values that the logs have.
	Measures []MeasuredOutcome `json:"measures,omitempty"`
	Since    string            `json:"since,omitempty"`  // date from which outcomes count, since they changed then
	Older    int               `json:"older,omitempty"`  // decisions left out as older
	Random   int               `json:"random,omitempty"` // choices made at random, where the estimate rests on them
	AllTasks bool              `json:"all_tasks,omitempty"`
	Alike    bool              `json:"alike,omitempty"` // all measured decisions there had the same result
	Base     Base              `json:"base"`
	// Hindsight bounds the probability that the one session asked about would have
	// succeeded; data on other sessions cannot show more.
	Hindsight *[2]float64 `json:"hindsight,omitempty"`
}

// Estimate is the probability of success of an option with its interval at Level.
type Estimate struct {
	Option    string  `json:"option"`
	Supported bool    `json:"supported"` // tried and measured; else figures are undefined
	P         float64 `json:"p"`
	Low       float64 `json:"low"`
	High      float64 `json:"high"`
	N         int     `json:"n"`     // decisions for it that count
	Exact     int     `json:"exact"` // of them, in exactly this context
	// Instances is on how many things these worked; one that names none is one of its own. Named
	// is how many of them the logs name.
	Instances int `json:"instances"`
	Named     int `json:"named"`
	// Random are those made at random, where the estimate rests on them.
	Random int `json:"random,omitempty"`
	// Pooled: it was taken so rarely that the model counts it as one with so many others.
	Pooled int `json:"pooled,omitempty"`
}

// MeasuredOutcome compares the alternative with the actual option by reward (difference of the
// means) or by duration, tool calls, tokens or cost (ratio), under like conditions.
type MeasuredOutcome struct {
	Measure   string  `json:"measure"`
	Ratio     bool    `json:"ratio"`
	Estimate  float64 `json:"estimate"`
	Low       float64 `json:"low"`
	High      float64 `json:"high"`
	N         int     `json:"n"`
	OtherN    int     `json:"other_n"`
	Instances int     `json:"instances"`
}

// Within counts the things (issues, tasks of few sessions) that were tried with both options.
type Within struct {
	Things      int `json:"things"`
	Alternative int `json:"alternative"` // of them, those where the alternative did better
	Actual      int `json:"actual"`
}

// Gain is a difference of two probabilities.
type Gain struct {
	Difference float64 `json:"difference"`
	Low        float64 `json:"low"`
	High       float64 `json:"high"`
	Better     float64 `json:"better"` // probability that the alternative is the better one
	// EValue is stats.EValue of the difference, EValueLimit that of the limit of its
	// interval.
	EValue      float64 `json:"e_value"`
	EValueLimit float64 `json:"e_value_limit"`
}

// Model asks the outcome model about an option and another one, both by key.
func Model(s *infer.Study, q infer.Question, other string) *Modelled {
	m := &Modelled{Adjusted: []string{}, Base: Base{Successes: s.Totals().Successes, N: s.Totals().Measured}}
	c, both := s.Compare(q, other)
	a := c.Option
	m.Alternative = estimate(s, q.Point, q.Option, a)
	if f, ok := s.OptionFact(q.Point, q.Option); ok {
		m.Question = f.Point.Label
	}
	if c.Other.Supported {
		e := estimate(s, q.Point, other, c.Other)
		m.Actual = &e
	}
	if both {
		if w := c.Within; w.Things > 0 {
			m.Within = &Within{w.Things, w.Option, w.Other}
		}
		for _, x := range s.Measures(q, other) {
			m.Measures = append(m.Measures,
				MeasuredOutcome{x.Measure.String(), x.Measure.Ratio(), x.Estimate, x.Interval.Low, x.Interval.High,
					x.N, x.OtherN, x.Instances})
		}
		m.Gain = &Gain{c.Gain, c.Interval.Low, c.Interval.High, c.Better, c.EValue, c.EValueLimit}
	}
	m.ByTask, m.Hidden, m.Very = a.ByTask, a.Hidden, q.Instance != ""
	for _, n := range a.Adjusted {
		m.Adjusted = append(m.Adjusted, n.Label)
	}
	m.Alike = a.Alike
	m.Random, m.Older, m.AllTasks = max(a.Random, c.Other.Random), a.Before, a.Relaxed && q.Task != ""
	m.Since = DateOf(a.Since)
	return m
}

func estimate(s *infer.Study, point, option string, a infer.Answer) Estimate {
	e := Estimate{Option: option, Supported: a.Supported, P: a.P, Low: a.Interval.Low, High: a.Interval.High,
		N: a.N, Exact: a.Exact, Random: a.Random, Pooled: a.Pooled, Instances: a.Instances, Named: a.Named}
	if f, ok := s.OptionFact(point, option); ok {
		e.Option = f.Option.Label
	}
	return e
}

// Statistical is the kind of evidence for an edge over many sessions. It is never mixed with
// what logs state.
const Statistical = "statistical"

// Learned are the paths from one node to another along statistical edges.
type Learned struct {
	From   string        `json:"from"`
	To     string        `json:"to"`
	Raises []LearnedPath `json:"raises"`
	Lowers []LearnedPath `json:"lowers"`
}

// Any reports whether there is a path.
func (l *Learned) Any() bool { return l != nil && len(l.Raises)+len(l.Lowers) > 0 }

// LearnedPath is one such path.
type LearnedPath struct {
	P       float64      `json:"p"` // product of the causal powers of its hops
	Low     float64      `json:"low"`
	High    float64      `json:"high"`
	Hops    []LearnedHop `json:"hops"`
	Weakest int          `json:"weakest"`
	Blocked []LearnedHop `json:"blocked_by"`
}

// LearnedHop is one statistical edge.
type LearnedHop struct {
	Source   string           `json:"source"`
	SourceID string           `json:"source_id,omitempty"`
	Target   string           `json:"target"`
	TargetID string           `json:"target_id,omitempty"`
	Type     episode.LinkType `json:"type"`
	Weight   float64          `json:"weight"` // causal power
	With     float64          `json:"with"`   // rates of the target with and without the source
	Without  float64          `json:"without"`
	N        int              `json:"n"` // sessions with the source
	OtherN   int              `json:"other_n"`
	P        float64          `json:"p_value"`
	Q        float64          `json:"q_value"`
	PN       [2]float64       `json:"necessity"` // bounds for a single case
	PS       [2]float64       `json:"sufficiency"`
	PNS      [2]float64       `json:"both"`
	Evidence string           `json:"evidence"`
	Spread                    // of the sessions with the source
}

// Learn finds the k best statistical paths from one fact to another.
func Learn(s *infer.Study, from, to infer.Fact, k int) *Learned {
	p := s.Paths(from, to, k)
	out := &Learned{From: FactLabel(from), To: FactLabel(to), Raises: []LearnedPath{}, Lowers: []LearnedPath{}}
	for _, x := range p.Raises {
		out.Raises = append(out.Raises, learnedPath(x))
	}
	for _, x := range p.Lowers {
		out.Lowers = append(out.Lowers, learnedPath(x))
	}
	return out
}

func learnedPath(p infer.Path) LearnedPath {
	out := LearnedPath{P: p.P, Low: p.Interval.Low, High: p.Interval.High, Weakest: p.Weakest,
		Hops: []LearnedHop{}, Blocked: []LearnedHop{}}
	for _, e := range p.Edges {
		out.Hops = append(out.Hops, LearnedEdge(e))
	}
	for _, e := range p.Blocked {
		out.Blocked = append(out.Blocked, LearnedEdge(e))
	}
	return out
}

// LearnedEdge converts a statistical edge to the form of an answer.
func LearnedEdge(e infer.Edge) LearnedHop {
	b := e.Bounds
	return LearnedHop{Source: FactLabel(e.Source), SourceID: e.Source.Node, Target: FactLabel(e.Target),
		TargetID: e.Target.Node, Type: e.Type, Weight: e.Weight,
		With: e.With, Without: e.Without, N: e.N, OtherN: e.OtherN, P: e.P, Q: e.Q,
		PN: [2]float64{b.PN.Low, b.PN.High}, PS: [2]float64{b.PS.Low, b.PS.High},
		PNS: [2]float64{b.PNS.Low, b.PNS.High}, Evidence: Statistical,
		Spread: Spread{Sessions: e.N, Days: e.Days, OneDay: e.OneDay}}
}

// FactLabel names a fact in words.
func FactLabel(f infer.Fact) string {
	switch {
	case f.IsOutcome():
		return "outcome: success"
	case f.Option.Key != "":
		return f.Point.Label + ": " + f.Option.Label
	}
	return f.Event.Label
}
