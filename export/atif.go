package export

import (
	"cmp"
	"encoding/json"
	"io"
	"math"
	"slices"
	"time"

	"episodes/episode"
	"episodes/internal/plain"
)

// ATIF is the name of the format that WriteATIF writes. It is not one of [Formats], since
// it is of episodes and not of their graph.
const ATIF = "atif"

// ATIFAgent is the agent of the trajectories that WriteATIF writes. The reader of ATIF
// refuses what is by this agent: a digest is no evidence of a session.
const ATIFAgent = "episodes"

// ATIFOptions say what an episode does not say itself.
type ATIFOptions struct {
	Version string // of the program
	// Recorded reports whether logs of a format hold what tools put out, and not only what
	// somebody wrote about it; nil: none do.
	Recorded func(format string) bool
}

const (
	atifVersion = "ATIF-v1.7"
	atifNotes   = "A digest of a session: each step is a record of an episode, not a turn. Spans are places in the log that extra.source names."
)

// The members of a trajectory, those of version 1.7 that an episode can fill.
type (
	atifTrajectory struct {
		SchemaVersion string      `json:"schema_version"`
		SessionID     string      `json:"session_id"`
		TrajectoryID  string      `json:"trajectory_id"`
		Agent         atifAgent   `json:"agent"`
		Steps         []atifStep  `json:"steps"`
		Notes         string      `json:"notes"`
		FinalMetrics  atifMetrics `json:"final_metrics"`
		Extra         atifEpisode `json:"extra"`
	}
	atifAgent struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	}
	atifStep struct {
		StepID      int              `json:"step_id"`
		Timestamp   string           `json:"timestamp,omitempty"`
		Source      string           `json:"source"` // user, agent or system
		Message     string           `json:"message"`
		Observation *atifObservation `json:"observation,omitempty"`
		Extra       atifRecord       `json:"extra"`
	}
	atifObservation struct {
		Results []atifResult `json:"results"`
	}
	atifResult struct {
		Content string          `json:"content"`
		Extra   map[string]bool `json:"extra,omitempty"`
	}
	atifMetrics struct {
		TotalSteps int             `json:"total_steps"`
		Extra      episode.Metrics `json:"extra"`
	}
	atifEpisode struct {
		Digest    bool           `json:"digest"` // always
		Started   string         `json:"started,omitempty"`
		Outcome   atifOutcome    `json:"outcome"`
		Lessons   []atifLesson   `json:"lessons,omitempty"`
		Links     []atifLink     `json:"links,omitempty"`
		Source    episode.Source `json:"source"`
		Extractor string         `json:"extractor,omitempty"`
	}
	atifOutcome struct {
		Value  episode.Outcome `json:"value"`
		Source string          `json:"source,omitempty"` // measured, stated or default
		atifEvidence
	}
	atifEvidence struct {
		Span *episode.Span `json:"span,omitempty"`
		By   string        `json:"by,omitempty"` // who said so, where it was not the log by itself
	}
	atifLesson struct {
		Text string `json:"text"`
		atifEvidence
	}
	atifLink struct {
		Source   string           `json:"source"`
		Target   string           `json:"target"`
		Type     episode.LinkType `json:"type"`
		Explicit bool             `json:"explicit"`
		atifEvidence
	}
	// atifRecord is the record of the episode that a step is made of.
	atifRecord struct {
		Record string `json:"record"` // its id, or "task"
		Type   string `json:"type,omitempty"`
		Key    string `json:"key,omitempty"`
		atifEvidence
		Question   string          `json:"question,omitempty"`
		Options    []string        `json:"options,omitempty"`
		Rationale  string          `json:"rationale,omitempty"`
		Outcome    episode.Outcome `json:"outcome,omitempty"`
		Superseded *string         `json:"superseded,omitempty"`
	}
)

// WriteATIF writes an episode as a trajectory of the Agent Trajectory Interchange Format,
// 1.7 (RFC 0001 of Harbor), on one line. The steps are the task and the records in the
// order of the log, or of time where the log gives them no place. What an episode does not
// say, such as calls, tokens, costs and models, is left out.
func WriteATIF(w io.Writer, e *episode.Episode, o ATIFOptions) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(trajectoryOf(e, o))
}

func trajectoryOf(e *episode.Episode, o ATIFOptions) *atifTrajectory {
	src := &e.Provenance.Source
	t := &atifTrajectory{
		SchemaVersion: atifVersion, SessionID: plain.Line(cmp.Or(src.Session, e.Session)), TrajectoryID: plain.Line(e.ID),
		Agent: atifAgent{ATIFAgent, o.Version}, Steps: stepsOf(e, o), Notes: atifNotes,
		Extra: atifEpisode{
			Digest: true, Started: timestamp(e.Timestamp), Extractor: plain.Line(e.Provenance.Extractor),
			Outcome: atifOutcome{cmp.Or(e.Outcome, episode.Unknown), plain.Line(string(e.OutcomeSource)),
				evidence(e, episode.OutcomeRef)},
			Source: episode.Source{Path: plain.Line(src.Path), SHA256: plain.Line(src.SHA256),
				Format: plain.Line(src.Format), Unit: plain.Line(src.Unit), Session: plain.Line(src.Session)},
		},
	}
	t.FinalMetrics = atifMetrics{len(t.Steps), e.Metrics}
	for i, l := range e.Lessons {
		t.Extra.Lessons = append(t.Extra.Lessons, atifLesson{plain.Text(l), evidence(e, episode.LessonID(i+1))})
	}
	for _, l := range e.Links {
		t.Extra.Links = append(t.Extra.Links,
			atifLink{plain.Line(l.Source), plain.Line(l.Target), l.Type, l.Explicit, evidence(e, episode.LinkID(l.Source, l.Target))})
	}
	return t
}

// stepsOf is never empty: the format demands a step.
func stepsOf(e *episode.Episode, o ATIFOptions) []atifStep {
	var steps []atifStep
	for i := range e.Decisions {
		steps = append(steps, decisionStep(e, &e.Decisions[i]))
	}
	recorded := o.Recorded != nil && o.Recorded(e.Provenance.Source.Format)
	for i := range e.Events {
		steps = append(steps, eventStep(e, &e.Events[i], recorded))
	}
	slices.SortStableFunc(steps,
		func(a, b atifStep) int { return cmp.Or(cmp.Compare(a.place(), b.place()), a.time().Compare(b.time())) })
	if e.Task != "" {
		task := atifStep{Source: "user", Message: plain.Text(e.Task),
			Extra: atifRecord{Record: "task", atifEvidence: evidence(e, "task")}}
		steps = slices.Insert(steps, 0, task)
	}
	if len(steps) == 0 {
		steps = []atifStep{{Source: "system", Message: "The episode has no records.", Extra: atifRecord{Record: episode.OutcomeRef}}}
	}
	for i := range steps {
		steps[i].StepID = i + 1
	}
	return steps
}

// place is where the log shows a step; what it does not show comes last.
func (s *atifStep) place() int {
	if s.Extra.Span == nil {
		return math.MaxInt
	}
	return s.Extra.Span[0]
}

// time is when a step was; what has no time comes last.
func (s *atifStep) time() time.Time {
	t, err := time.Parse(time.RFC3339, s.Timestamp)
	if err != nil {
		return time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	return t
}

func decisionStep(e *episode.Episode, d *episode.Decision) atifStep {
	r := atifRecord{
		Record: plain.Line(d.ID), Type: "decision", Key: plain.Line(d.Key), atifEvidence: evidence(e, d.ID),
		Question: plain.Text(d.Context), Rationale: plain.Text(d.Rationale), Outcome: d.Outcome,
	}
	for _, option := range d.Options {
		r.Options = append(r.Options, plain.Text(option))
	}
	if d.Superseded != nil {
		by := plain.Text(*d.Superseded)
		r.Superseded = &by
	}
	return atifStep{Timestamp: timestamp(d.Timestamp), Source: "agent", Message: plain.Text(d.Chosen), Extra: r}
}

// eventStep is a step of an event. What a tool put out is an observation where the log is
// a record of it; everywhere else it is a message: somebody says so.
func eventStep(e *episode.Episode, v *episode.Event, recorded bool) atifStep {
	s := atifStep{
		Timestamp: timestamp(v.Timestamp), Source: "agent", Message: plain.Text(v.Content),
		Extra: atifRecord{Record: plain.Line(v.ID), Type: plain.Line(string(v.Type)), Key: plain.Line(v.Key),
			atifEvidence: evidence(e, v.ID)},
	}
	switch v.Type {
	case episode.Correction:
		s.Source = "user"
	case episode.Error, episode.Test, episode.Commit:
		if !recorded || s.Extra.By != "" {
			break
		}
		result := atifResult{Content: s.Message}
		if v.Type == episode.Error {
			result.Extra = map[string]bool{"is_error": true}
		}
		s.Message, s.Observation = "", &atifObservation{[]atifResult{result}}
	}
	return s
}

// evidence is where the log shows an item, and who said so.
func evidence(e *episode.Episode, item string) atifEvidence {
	out := atifEvidence{By: plain.Line(e.Provenance.By[item])}
	if span, ok := e.Provenance.Spans[item]; ok {
		out.Span = &span
	}
	return out
}

// timestamp returns a time in the syntax of the format, or "" if s is not a time.
func timestamp(s string) string {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return ""
	}
	return t.Format(time.RFC3339Nano)
}
