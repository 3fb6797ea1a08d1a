// Package revise changes the bytes of episode files that exist, and keeps what
// people and other tools wrote in them: Merge adds what a log says now, Rename gives
// another id. OriginOf finds who wrote a file last, and so whether it may be replaced.
package revise

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"episodes/episode"
)

// Merge brings what a log says now into an episode that was edited: nothing in the
// file is dropped, nothing is listed twice, and merging the same again changes no
// byte. Lists are unions by content with what exists first; ids are numbered in that
// order, and links, effects and spans follow. A real task
// and a shown outcome of the log win over older ones; each metric is the larger.
// Fields this program does not know stay. The existing bytes must be a JSON
// object; else the error is an *episode.SyntaxError.
func Merge(existing []byte, fresh *episode.Episode) ([]byte, error) {
	old, err := readOld(existing)
	if err != nil {
		return nil, err
	}
	old.adopt(fresh)
	m := merger{old: old.ep, fresh: fresh, sameLog: old.ep.Provenance.Source.SHA256 == fresh.Provenance.Source.SHA256}
	out := m.merge()
	out.Provenance.Seal = mergedSeal(out)
	data, err := episode.Marshal(out)
	if err != nil {
		return nil, err
	}
	return old.addExtras(data)
}

type merger struct {
	old, fresh *episode.Episode
	sameLog    bool
	out        *episode.Episode
	oldIDs     map[string]string // ids before → ids after
	freshIDs   map[string]string
}

func (m *merger) merge() *episode.Episode {
	f := m.fresh
	m.out = &episode.Episode{
		ID: f.ID, Session: f.Session, Timestamp: pickTime(m.old.Timestamp, f.Timestamp),
		Outcome: f.Outcome, OutcomeSource: f.OutcomeSource, Task: f.Task, Instance: cmp.Or(f.Instance, m.old.Instance),
		Provenance: episode.Provenance{Source: f.Provenance.Source, Extractor: f.Provenance.Extractor, Spans: map[string]episode.Span{}},
	}
	if m.keepsOutcome() {
		m.out.Outcome, m.out.OutcomeSource = m.old.Outcome, m.old.OutcomeSource
	}
	if placeholder(f.Task) {
		m.out.Task = m.old.Task
	}
	m.oldIDs = map[string]string{episode.OutcomeRef: episode.OutcomeRef}
	m.freshIDs = map[string]string{episode.OutcomeRef: episode.OutcomeRef}
	m.decisions()
	m.events()
	m.references()
	m.links()
	m.scalarSpans()
	m.lessons()
	m.out.Metrics = mergeMetrics(m.old.Metrics, f.Metrics, m.out.Events)
	return m.out
}

// keepsOutcome: what the log shows now wins, but a log that did not change is no
// reason against an outcome that was set by hand.
func (m *merger) keepsOutcome() bool {
	return !m.fresh.Outcome.Known() || m.sameLog && m.old.Measured()
}

// pair is a record of the old list, of the fresh one (its index, else -1), or both.
type pair struct{ old, fresh int }

// union matches records by content: the n-th of a kind with the n-th. What is
// only in the fresh list comes after what is in the old one.
func union[T any](old, fresh []T, key func(*T) string) []pair {
	var out []pair
	open := map[string][]int{}
	for i := range old {
		k := key(&old[i])
		open[k] = append(open[k], i)
		out = append(out, pair{i, -1})
	}
	for i := range fresh {
		k := key(&fresh[i])
		if at := open[k]; len(at) > 0 {
			out[at[0]].fresh = i
			open[k] = at[1:]
		} else {
			out = append(out, pair{-1, i})
		}
	}
	return out
}

func (m *merger) decisions() {
	for n, p := range union(m.old.Decisions, m.fresh.Decisions, decisionKey) {
		var d episode.Decision
		if p.old >= 0 {
			d = m.old.Decisions[p.old]
		} else {
			d = m.fresh.Decisions[p.fresh]
		}
		id := episode.DecisionID(n + 1)
		if p.old >= 0 {
			claim(m.oldIDs, d.ID, id)
		}
		if p.fresh >= 0 {
			f := m.fresh.Decisions[p.fresh]
			claim(m.freshIDs, f.ID, id)
			fillDecision(&d, f)
		}
		d.ID, d.Effects = id, nil
		m.out.Decisions = append(m.out.Decisions, d)
	}
}

func (m *merger) events() {
	for n, p := range union(m.old.Events, m.fresh.Events, eventKey) {
		var v episode.Event
		if p.old >= 0 {
			v = m.old.Events[p.old]
		} else {
			v = m.fresh.Events[p.fresh]
		}
		id := episode.EventID(n + 1)
		if p.old >= 0 {
			claim(m.oldIDs, v.ID, id)
		}
		if p.fresh >= 0 {
			f := m.fresh.Events[p.fresh]
			claim(m.freshIDs, f.ID, id)
			fill(&v.Timestamp, f.Timestamp)
			fill(&v.Key, f.Key)
		}
		v.ID, v.CausedBy, v.LeadsTo = id, nil, nil
		m.out.Events = append(m.out.Events, v)
	}
}

// references carries effects, causes and consequences over to the new ids.
func (m *merger) references() {
	for _, side := range []struct {
		ep  *episode.Episode
		ids map[string]string
	}{{m.old, m.oldIDs}, {m.fresh, m.freshIDs}} {
		for _, d := range side.ep.Decisions {
			if to := m.out.Decision(side.ids[d.ID]); to != nil {
				to.Effects = addRefs(to.Effects, d.Effects, side.ids)
			}
		}
		for _, v := range side.ep.Events {
			if to := m.out.Event(side.ids[v.ID]); to != nil {
				to.CausedBy = addRefs(to.CausedBy, v.CausedBy, side.ids)
				to.LeadsTo = addRefs(to.LeadsTo, v.LeadsTo, side.ids)
			}
		}
		for key, span := range side.ep.Provenance.Spans {
			if to, ok := side.ids[key]; ok && key != episode.OutcomeRef {
				m.span(side.ep, to, span)
			}
		}
		for key := range side.ep.Provenance.By {
			if to, ok := side.ids[key]; ok && key != episode.OutcomeRef {
				m.by(side.ep, key, to)
			}
		}
	}
}

// span notes where the log shows something. Lines of an older state of the log
// may no longer be the same lines, so they are not carried over.
func (m *merger) span(from *episode.Episode, key string, s episode.Span) {
	if from == m.fresh || m.sameLog {
		m.out.Provenance.Spans[key] = s
	}
}

// by carries over who said what the rules did not find.
func (m *merger) by(from *episode.Episode, key, to string) {
	who, ok := from.Provenance.By[key]
	if !ok {
		return
	}
	if m.out.Provenance.By == nil {
		m.out.Provenance.By = map[string]string{}
	}
	m.out.Provenance.By[to] = who
}

func (m *merger) links() {
	seen := map[episode.Link]bool{}
	add := func(ep *episode.Episode, ids map[string]string) {
		for _, l := range ep.Links {
			key := episode.LinkID(l.Source, l.Target)
			source, ok1 := ids[l.Source]
			target, ok2 := ids[l.Target]
			if !ok1 || !ok2 || source == target {
				continue // its record does not exist
			}
			l.Source, l.Target = source, target
			if s, ok := ep.Provenance.Spans[key]; ok {
				m.span(ep, episode.LinkID(source, target), s)
			}
			if same := (episode.Link{Source: source, Target: target, Type: l.Type}); !seen[same] {
				seen[same] = true
				m.by(ep, key, episode.LinkID(source, target))
				m.out.Links = append(m.out.Links, l)
			}
		}
	}
	add(m.old, m.oldIDs)
	add(m.fresh, m.freshIDs)
}

func (m *merger) scalarSpans() {
	take := func(key string, fromFresh bool) {
		from := m.old
		if fromFresh {
			from = m.fresh
		}
		if s, ok := from.Provenance.Spans[key]; ok {
			m.span(from, key, s)
		}
		m.by(from, key, key)
	}
	take("task", !placeholder(m.fresh.Task))
	take(episode.OutcomeRef, !m.keepsOutcome())
}

func (m *merger) lessons() {
	at := map[string]int{}
	add := func(ep *episode.Episode) {
		for i, text := range ep.Lessons {
			text = strings.TrimSpace(text)
			key := strings.ToLower(strings.Join(strings.Fields(text), " "))
			if key == "" || jsonFragment(text) {
				continue
			}
			if at[key] == 0 {
				m.out.Lessons = append(m.out.Lessons, text)
				at[key] = len(m.out.Lessons)
			}
			if s, ok := ep.Provenance.Spans[episode.LessonID(i+1)]; ok {
				m.span(ep, episode.LessonID(at[key]), s)
			}
			m.by(ep, episode.LessonID(i+1), episode.LessonID(at[key]))
		}
	}
	add(m.old)
	add(m.fresh)
}

func decisionKey(d *episode.Decision) string {
	return strings.Join([]string{trimmed(d.Chosen), trimmed(d.Context), string(d.Type)}, "\x00")
}

func eventKey(v *episode.Event) string { return string(v.Type) + "\x00" + trimmed(v.Content) }

func trimmed(s string) string { return strings.Join(strings.Fields(s), " ") }

// fillDecision completes a decision that exists with what the log adds.
func fillDecision(d *episode.Decision, f episode.Decision) {
	fill(&d.Timestamp, f.Timestamp)
	fill(&d.Rationale, f.Rationale)
	fill(&d.Key, f.Key)
	if len(d.Options) == 0 {
		d.Options, d.OptionKeys = f.Options, f.OptionKeys
	}
	if !d.Outcome.Known() {
		d.Outcome = f.Outcome
	}
	d.Exploration = d.Exploration || f.Exploration
}

func fill(to *string, from string) {
	if *to == "" {
		*to = from
	}
}

func claim(ids map[string]string, from, to string) {
	if _, taken := ids[from]; !taken && from != "" {
		ids[from] = to
	}
}

func addRefs(to, from []string, ids map[string]string) []string {
	for _, ref := range from {
		id, ok := ids[ref]
		for _, have := range to {
			ok = ok && have != id
		}
		if ok {
			to = append(to, id)
		}
	}
	return to
}

// placeholder reports a task without content, as migrations left them.
func placeholder(task string) bool {
	switch strings.ToLower(strings.TrimSpace(task)) {
	case "", "[migrated from markdown]", "unknown", "untitled":
		return true
	}
	return false
}

var fragment = regexp.MustCompile(`^(?:"[^"]*"\s*:|[\[\]{}",\s]+$)`)

// jsonFragment reports a lesson that is a torn-out line of JSON, as an older
// tool collected them.
func jsonFragment(lesson string) bool { return fragment.MatchString(lesson) }

// pickTime prefers what the log says, unless that is only the day of a time
// that is known exactly.
func pickTime(old, fresh string) string {
	day, clock, _ := strings.Cut(fresh, "T")
	if fresh == "" || strings.HasPrefix(clock, "00:00:00") && strings.HasPrefix(old, day+"T") {
		return old
	}
	return fresh
}

func mergeMetrics(a, b episode.Metrics, events []episode.Event) episode.Metrics {
	commits := 0
	for _, v := range events {
		if v.Type == episode.Commit {
			commits++
		}
	}
	out := episode.Metrics{
		DurationMinutes: larger(a.DurationMinutes, b.DurationMinutes),
		ToolCalls:       larger(a.ToolCalls, b.ToolCalls),
		Errors:          larger(a.Errors, b.Errors),
		Recoveries:      larger(a.Recoveries, b.Recoveries),
		FilesChanged:    larger(a.FilesChanged, b.FilesChanged),
		Reward:          cmp.Or(b.Reward, a.Reward),
		Tokens:          larger(a.Tokens, b.Tokens),
		CostUSD:         larger(a.CostUSD, b.CostUSD),
	}
	if commits > 0 || a.Commits != nil || b.Commits != nil {
		out.Commits = &commits
	}
	return out
}

func larger[T int | float64](a, b *T) *T {
	if a == nil || b != nil && *b > *a {
		return b
	}
	return a
}

// objectError names the part of an existing episode is not what it should be.
func objectError(line int, format string, args ...any) error {
	return &episode.SyntaxError{Line: line, Msg: fmt.Sprintf(format, args...)}
}
