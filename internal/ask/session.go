package ask

import (
	"context"
	"slices"

	"episodes/causal"
	"episodes/episode"
	"episodes/internal/corrections"
	"episodes/query"
	"episodes/query/text"
)

// SessionAnswer is one session as a page shows it: each record with the lines of the log that it is from.
type SessionAnswer struct {
	Episode      string                `json:"episode"`
	Date         string                `json:"date,omitempty"`
	Task         SessionRecord         `json:"task"`
	WorkedOn     string                `json:"worked_on,omitempty"`
	Outcome      SessionRecord         `json:"outcome"` // with the lines that decided it
	Source       episode.OutcomeSource `json:"outcome_source,omitempty"`
	State        episode.State         `json:"state,omitempty"`
	SupersededBy string                `json:"superseded_by,omitempty"`
	Measured     string                `json:"measured,omitempty"` // the metrics, in words
	Decisions    []SessionRecord       `json:"decisions"`
	Errors       []SessionRecord       `json:"errors"`
	Lessons      []SessionRecord       `json:"lessons"`
	Others       []SessionRecord       `json:"others"`
	More         int                   `json:"more"` // records beyond mostRecords of their kind
	Disputed     []string              `json:"readers_disagree,omitempty"`
	Log          string                `json:"log,omitempty"`
	LogState     LogState              `json:"log_state"`
	Address      string                `json:"address,omitempty"` // of the log at its forge
	Private      bool                  `json:"private,omitempty"`
	Origin
}

// SessionRecord is one fact of a session.
type SessionRecord struct {
	Record     string          `json:"record"` // d001, e001, l001, task or outcome
	Kind       string          `json:"kind"`   // decision, lesson, task, outcome, or the type of an event
	Text       string          `json:"text"`
	Question   string          `json:"question,omitempty"`
	Options    []string        `json:"options,omitempty"` // that were not chosen
	Reason     string          `json:"reason,omitempty"`
	Outcome    episode.Outcome `json:"outcome,omitempty"`
	Superseded *string         `json:"superseded,omitempty"`
	Led        []SessionLink   `json:"led,omitempty"`      // what the log says it led to
	Remedies   []query.Remedy  `json:"remedies,omitempty"` // of an error, in this session
	By         string          `json:"by,omitempty"`       // who added it, "" for the log itself
	Lines      *episode.Span   `json:"lines"`
	Quote      []string        `json:"quote,omitempty"`
	Repeated   bool            `json:"repeated,omitempty"` // the same lines are quoted before
	Address    string          `json:"address,omitempty"`  // of the lines at the forge
	Node       string          `json:"node,omitempty"`
	Linked     bool            `json:"linked,omitempty"` // the log links it to another fact
	// Seen and Elsewhere are of an error that came back: in how many sessions, and what ended it there.
	Seen      int            `json:"seen,omitempty"`
	Elsewhere []query.Remedy `json:"elsewhere,omitempty"`
}

// SessionLink is what a log says that something led to.
type SessionLink struct {
	Verb   string `json:"verb"`
	Record string `json:"record"`
	Text   string `json:"text"`
}

// mostRecords is how many records of one kind are shown.
const mostRecords = 60

// Session returns one session with what its log says. The errors are those of Episode.
func (m *Memory) Session(ctx context.Context, r EpisodeRequest) (*SessionAnswer, error) {
	ep, err := m.Load(r.Ref)
	if err != nil {
		return nil, err
	}
	entries := m.here.corrected(ep.ID)
	a := &SessionAnswer{Episode: ep.ID, WorkedOn: ep.Instance, Source: ep.OutcomeSource, State: ep.State, SupersededBy: ep.SupersededBy,
		Measured: text.Metrics(ep.Metrics), Private: m.isPrivate(ep.ID), Disputed: corrections.Disputed(ep, entries),
		Log: ep.Provenance.Source.Path, LogState: Unknown, Date: query.DateOf(causal.DayOf(ep.Timestamp)),
		Decisions: []SessionRecord{}, Errors: []SessionRecord{}, Lessons: []SessionRecord{}, Others: []SessionRecord{}}
	a.Origin, _ = m.originOf(ep.ID)
	a.Task = SessionRecord{Record: "task", Kind: "task", Text: ep.Task}
	a.Outcome = SessionRecord{Record: episode.OutcomeRef, Kind: "outcome", Outcome: ep.Outcome}
	a.addRecords(ep)
	if err := m.addRecurrences(ctx, ep, a.Errors); err != nil {
		return nil, err
	}
	m.addPlaces(ep, a)
	return a, nil
}

// addRecords adds what the episode says, by kind.
func (a *SessionAnswer) addRecords(ep *episode.Episode) {
	says, node := causal.Contribute(ep), map[string]string{}
	for _, m := range says.Mentions {
		node[m.Record] = m.Node
	}
	add := func(list *[]SessionRecord, r SessionRecord) {
		if len(*list) == mostRecords {
			a.More++
			return
		}
		r.Led, r.Node = linksFrom(ep, r.Record), node[r.Record]
		r.Linked = slices.ContainsFunc(says.Statements, func(s causal.Statement) bool { return r.Node == s.Source || r.Node == s.Target })
		*list = append(*list, r)
	}
	for _, d := range query.Decisions(ep).Decisions {
		add(&a.Decisions, SessionRecord{Record: d.ID, Kind: "decision", Text: d.Chosen, Question: d.Context, Reason: d.Rationale,
			Outcome: d.Outcome, Superseded: d.Superseded,
			Options: slices.DeleteFunc(slices.Clone(d.Options), func(o string) bool { return o == d.Chosen })})
	}
	for i, l := range ep.Lessons {
		add(&a.Lessons, SessionRecord{Record: episode.LessonID(i + 1), Kind: "lesson", Text: l})
	}
	for _, v := range ep.Events {
		r := SessionRecord{Record: v.ID, Kind: string(v.Type), Text: v.Content, Outcome: v.Outcome}
		if v.Type == episode.Error {
			r.Remedies = query.Remedies(ep, v.ID)
			add(&a.Errors, r)
		} else {
			add(&a.Others, r)
		}
	}
}

// linksFrom is what the log says that a record led to.
func linksFrom(ep *episode.Episode, record string) (out []SessionLink) {
	for _, l := range ep.Links {
		if l.Source != record {
			continue
		}
		to := SessionLink{query.LinkVerb(l.Type, ep.Decision(l.Target) != nil), l.Target, "the outcome: " + string(ep.Outcome)}
		if d := ep.Decision(l.Target); d != nil {
			to.Text = d.Chosen
		} else if v := ep.Event(l.Target); v != nil {
			to.Text = v.Content
		}
		out = append(out, to)
	}
	return out
}

// addRecurrences adds to errors in how many sessions they were met, and what ended them in others.
func (m *Memory) addRecurrences(ctx context.Context, ep *episode.Episode, list []SessionRecord) error {
	if len(list) == 0 {
		return nil
	}
	all, err := m.recurring(ctx)
	if err != nil {
		return err
	}
	all = slices.DeleteFunc(all, func(x query.Recurrence) bool {
		return !slices.ContainsFunc(list, func(r SessionRecord) bool { return r.Node == x.Node })
	})
	if err := m.fill(ctx, all); err != nil {
		return err
	}
	for _, x := range all {
		for i := range list {
			if list[i].Node == x.Node {
				list[i].Seen = x.Sessions
				list[i].Elsewhere = slices.DeleteFunc(slices.Clone(x.Remedies), func(w query.Remedy) bool {
					return w.Episode == ep.ID || w.Outcome != query.Held
				})
			}
		}
	}
	return nil
}

// addPlaces adds the lines of the log, who said what else, and the addresses at the forge.
func (m *Memory) addPlaces(ep *episode.Episode, a *SessionAnswer) {
	all := []*SessionRecord{&a.Task, &a.Outcome}
	for _, list := range [][]SessionRecord{a.Decisions, a.Errors, a.Lessons, a.Others} {
		for i := range list {
			all = append(all, &list[i])
		}
	}
	var places []*query.Evidence
	of := map[*query.Evidence]*SessionRecord{}
	for _, r := range all {
		r.By = ep.Provenance.By[r.Record]
		if span, ok := ep.Provenance.Spans[r.Record]; ok && span[0] > 0 {
			r.Lines = &span
			e := &query.Evidence{Episode: ep.ID, Record: r.Record, Source: ep.Provenance.Source, Lines: &span}
			places, of[e] = append(places, e), r
		}
	}
	if m.Team != "" {
		return // the logs are elsewhere
	}
	a.LogState = m.quoter().fillAll(places)
	if base := forge(m.Location.Root); base != nil && !a.Private && (a.LogState == Same || a.LogState == Changed) {
		a.Address = base(a.Log, nil)
		for _, r := range all {
			if r.Lines != nil && ep.Provenance.Source.Unit == "" {
				r.Address = base(a.Log, r.Lines)
			}
		}
	}
	shown := map[episode.Span]bool{}
	for _, e := range places {
		if r := of[e]; !shown[*e.Lines] {
			r.Quote = e.Quote
		} else {
			r.Repeated, r.Address = true, ""
		}
		shown[*e.Lines] = true
	}
}
