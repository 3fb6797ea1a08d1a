package learning

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"episodes/episode"
	"episodes/internal/memory"
	"episodes/internal/plain"
	"episodes/internal/track"
	"episodes/redact"
	"episodes/reflexion"
	"episodes/reflexion/history"
)

// A task of an agent that runs by itself is a private episode, whose records are the task, its
// attempts and its reflections. What the records say is in its decisions, events and lessons,
// too, where search and advice find it.

var taskPrefix = episode.IDFromSession("task-")

// maxRecords is the number of bytes that the records of a task have. Beyond it, what the
// tools of the oldest attempts were given and printed is left out.
const maxRecords = 64 << 10

func taskIDs(m *memory.Memory) (ids []string, err error) {
	files, _, err := m.Files()
	for _, f := range files {
		id := strings.TrimPrefix(f.ID, episode.IDFromSession(""))
		if strings.HasPrefix(f.ID, taskPrefix) && history.ValidID(id) {
			ids = append(ids, id)
		}
	}
	return ids, err
}

func task(m *memory.Memory, id string) (*history.Task, error) {
	ep, err := m.Load(episode.IDFromSession(id))
	if !history.ValidID(id) || errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("task %q: %w", id, history.ErrNone)
	}
	if err != nil {
		return nil, err
	}
	t, err := taskOf(ep)
	if err != nil {
		return nil, fmt.Errorf("%s: %v", m.EpisodePath(ep.ID), err) // invalid, but not what was asked
	}
	return t, nil
}

// taskOf reads the records of an episode, whoever wrote them.
func taskOf(ep *episode.Episode) (*history.Task, error) {
	t := &history.Task{}
	for _, r := range ep.Records {
		var a history.Attempt
		var s history.Reflection
		var err error
		switch r.Kind {
		case episode.TaskRecord:
			err = convert(r.Data, &t.Metadata)
		case episode.AttemptRecord:
			err = convert(r.Data, &a)
			t.Attempts = append(t.Attempts, a)
		case episode.ReflectionRecord:
			err = convert(r.Data, &s)
			t.Reflections = append(t.Reflections, s)
		}
		if err != nil {
			return nil, fmt.Errorf("record %s: %w", r.ID, err)
		}
	}
	plain.All(t)
	redact.Default.All(t)
	return t, t.Validate()
}

// convert gives a value another type of the same JSON.
func convert(from, into any) error {
	data, err := json.Marshal(from)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, into)
}

// Tasks returns the tasks of the memory, the newest first, without damaged ones, of which it warns.
func (f *Folder) Tasks() ([]*history.Task, error) {
	out, damage, err := f.tasks()
	f.leftOut(damage)
	return out, err
}

func (f *Folder) tasks() (out []*history.Task, damage []error, err error) {
	m, err := memory.Open(f.Location)
	if err != nil {
		return nil, nil, err
	}
	defer m.Close()
	ids, err := taskIDs(m)
	for _, id := range ids {
		t, err := task(m, id)
		if err != nil {
			damage = append(damage, err)
			continue
		}
		out = append(out, t)
	}
	slices.Reverse(out)
	return out, damage, err
}

// changeTask makes a new task, if id is "", or reads one; do changes it, and it is kept.
func (f *Folder) changeTask(ctx context.Context, id string, do func(t *history.Task, now string) error) (*history.Task, error) {
	m, _, err := memory.Create(f.Location)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	var t *history.Task
	err = f.locked(ctx, m, "episodes record", func() error {
		all, err := taskIDs(m)
		if err != nil {
			return err
		}
		n := 0
		if len(all) > 0 {
			n, _ = reflexion.ParseOrdinal(strings.TrimPrefix(all[len(all)-1], "task-"))
		}
		t = &history.Task{Metadata: history.Metadata{ID: "task-" + reflexion.Ordinal(n+1)}}
		if id != "" {
			t, err = task(m, id)
		}
		if err == nil {
			err = do(t, f.Now().UTC().Format(time.RFC3339Nano))
		}
		if err != nil {
			return err
		}
		for _, other := range t.Related {
			if !slices.Contains(all, other) {
				return fmt.Errorf("related task %q: %w", other, history.ErrNone)
			}
		}
		return f.keepTask(ctx, m, t)
	})
	return t, err
}

func (f *Folder) keepTask(ctx context.Context, m *memory.Memory, t *history.Task) error {
	redact.Default.All(t)
	if err := t.Validate(); err != nil {
		return err
	}
	ep, err := taskEpisode(t)
	if err != nil {
		return err
	}
	private := m.IsPrivate(ep.ID)
	if _, err := m.Read(ep.ID); errors.Is(err, fs.ErrNotExist) {
		if err := m.MakePrivate(); err != nil {
			return err
		}
		private = true
	}
	return f.keep(ctx, m, ep, private)
}

// keep writes an episode with what was corrected in it, and brings the graph up to date; the
// caller holds the lock. Nothing is written if nothing changed.
func (f *Folder) keep(ctx context.Context, m *memory.Memory, ep *episode.Episode, private bool) error {
	data, err := episode.MarshalSealed(ep)
	if err != nil {
		return err
	}
	if old, err := m.Read(ep.ID); err == nil && string(old) == string(data) {
		return nil
	}
	_, err = m.Write(ctx, []memory.Pending{{ID: ep.ID, Data: data, Private: private}}, 1)
	return err
}

// locked does something with the memory locked, and then brings the graph up to date.
func (f *Folder) locked(ctx context.Context, m *memory.Memory, who string, do func() error) error {
	unlock, err := m.Lock(ctx, f.LockTimeout, who)
	if err != nil {
		return err
	}
	defer unlock()
	if err := do(); err != nil {
		return err
	}
	if _, _, err := track.Load(m).Update(ctx, f.GraphOptions(), f.Indexer()); err != nil {
		f.note("the episode is kept, but the graph does not hold it yet: %v", err)
	}
	return nil
}

func taskEpisode(t *history.Task) (*episode.Episode, error) {
	ep := &episode.Episode{ID: episode.IDFromSession(t.ID), Session: t.ID, Timestamp: reflexion.Seconds(t.Created),
		Task: line(t.Description), Instance: "task " + t.ID, Outcome: episode.Unknown}
	if o, ended := map[string]episode.Outcome{history.Completed: episode.Success, history.Failed: episode.Failure}[t.Status]; ended {
		ep.Outcome, ep.OutcomeSource = o, episode.Stated
	}
	ep.Provenance.Source = episode.Source{SHA256: memory.Hash([]byte("stated " + ep.ID)), Format: "stated"}
	for i := range t.Attempts {
		attemptFacts(ep, t, &t.Attempts[i])
	}
	for _, r := range t.Reflections {
		if l := line(r.Learning); l != "" && !slices.Contains(ep.Lessons, l) {
			ep.Lessons = append(ep.Lessons, l)
		}
	}
	for i := range t.Attempts {
		a := &t.Attempts[i]
		if data, err := json.Marshal(t); err != nil || len(data) <= maxRecords {
			break
		}
		a.Actions = slices.Clone(a.Actions)
		for j := range a.Actions {
			a.Actions[j].Params, a.Actions[j].Output = nil, ""
		}
	}
	var err error
	add := func(kind episode.RecordKind, v any) {
		r := episode.Record{ID: episode.RecordID(len(ep.Records) + 1), Kind: kind}
		err = errors.Join(err, convert(v, &r.Data))
		ep.Records = append(ep.Records, r)
	}
	add(episode.TaskRecord, t.Metadata)
	for i := range t.Attempts {
		add(episode.AttemptRecord, &t.Attempts[i])
	}
	for i := range t.Reflections {
		add(episode.ReflectionRecord, &t.Reflections[i])
	}
	redact.Default.All(&ep.Records) // parameters of actions are objects of their own
	return ep, err
}

const (
	maxFailures = 3   // failed actions of an attempt that are events
	maxFact     = 500 // bytes of a text of a fact
)

func attemptFacts(ep *episode.Episode, t *history.Task, a *history.Attempt) {
	event := func(typ episode.EventType, text, when string) {
		if text = line(text); text != "" {
			ep.Events = append(ep.Events, episode.Event{ID: episode.EventID(len(ep.Events) + 1), Type: typ,
				Timestamp: reflexion.Seconds(when), Content: text})
		}
	}
	failed := 0
	for _, x := range a.Actions {
		if !x.Success && x.Error != "" && failed < maxFailures {
			failed++
			event(episode.Error, x.Error, x.Timestamp)
		}
	}
	for _, x := range a.Milestones {
		event(episode.Milestone, strings.TrimSuffix(x.Event+": "+x.Details, ": "), x.Timestamp)
	}
	if a.Plan.Approach == "" {
		return
	}
	d := episode.Decision{ID: episode.DecisionID(len(ep.Decisions) + 1),
		Timestamp: reflexion.Seconds(a.Started), Type: episode.Implementation,
		Context: "How to: " + line(t.Description), Chosen: line(a.Plan.Approach), Outcome: episode.Unknown}
	if o := a.Outcome; o != nil {
		d.Rationale, d.Outcome = line(o.Reason), episode.Failure
		if o.Status == history.Success {
			d.Outcome = episode.Success
		}
	}
	ep.Decisions = append(ep.Decisions, d)
}

func line(s string) string { return reflexion.Shorten(plain.Words(s), maxFact) }
