package loop

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"episodes/episode"
	"episodes/reflexion"
	"episodes/reflexion/advice"
)

// logFormat is the format of a loop's log in the provenance of its episode.
const (
	logFormat = "reflexion-loop"
	extractor = "loop-1"
)

// maxEvents bounds the different errors of one iteration in an episode.
const maxEvents = 3

// Episode turns a finished loop into its log and the episode of that log. Both depend
// only on the records, so that doing it again after a kill gives the same bytes. logPath
// is the path of the log, relative to the repository.
//
// The episode of a loop states: an error led to the step that the next attempt took about
// it (its change of the error's file, else the next step of the reflection); the step
// succeeded if the next attempt no longer had the error; the last attempt is the cause of
// the outcome.
func Episode(c *Config, end *End, history []*reflexion.Record, logPath string) (*episode.Episode, []byte) {
	w := &writer{ep: &episode.Episode{ID: episode.IDFromSession(c.LoopID), Session: c.LoopID, Timestamp: timestamp(c.Created), Outcome: episode.Failure, OutcomeSource: episode.Measured,
		Task: oneLine(c.Task)}, events: map[string]string{}}
	w.ep.Provenance.Spans = map[string]episode.Span{}
	if end.Success {
		w.ep.Outcome = episode.Success
	}
	w.line("# Loop %s", c.LoopID)
	w.line("")
	w.span("task", w.line("Task: %s", oneLine(c.Task)))
	for i, r := range history {
		w.iteration(history, i, r)
	}
	w.line("")
	w.outcome(c, end, history)
	w.metrics(history)
	w.ep.Provenance.Source = episode.Source{Path: logPath, SHA256: hash(w.log.String()), Format: logFormat}
	w.ep.Provenance.Extractor = extractor
	w.effects()
	return w.ep, []byte(w.log.String())
}

func timestamp(s string) string {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

// writer builds the log and the episode side by side.
type writer struct {
	ep     *episode.Episode
	log    strings.Builder
	lines  int
	events map[string]string // event ids by error signature
}

func (w *writer) line(format string, args ...any) int {
	fmt.Fprintf(&w.log, format+"\n", args...)
	w.lines++
	return w.lines
}

func (w *writer) span(id string, line int) { w.ep.Provenance.Spans[id] = episode.Span{line, line} }

func (w *writer) link(source, target string, typ episode.LinkType, explicit bool, line int) {
	for _, l := range w.ep.Links {
		if l.Source == source && l.Target == target {
			return // one link between two records: the first
		}
	}
	w.ep.Links = append(w.ep.Links, episode.Link{Source: source, Target: target, Type: typ, Explicit: explicit})
	w.span(episode.LinkID(source, target), line)
}

func (w *writer) iteration(history []*reflexion.Record, i int, r *reflexion.Record) {
	w.line("")
	w.line("## Iteration %d", r.Iteration)
	w.line("")
	if s := oneLine(r.Actor.Strategy); s != "" {
		w.line("- Strategy: %s", s)
	}
	var here []string // events of this iteration
	for _, e := range r.Evaluator.Errors {
		sig := reflexion.SignatureOf(e)
		id, known := w.events[sig]
		if len(here) >= maxEvents || slices.Contains(here, id) && known {
			continue
		}
		n := w.line("- Error: %s", oneLine(reflexion.Describe(e)))
		if !known {
			id = episode.EventID(len(w.ep.Events) + 1)
			w.events[sig] = id
			w.ep.Events = append(w.ep.Events, episode.Event{ID: id, Timestamp: timestamp(r.Timestamp), Type: episode.Error, Content: oneLine(advice.EventText(e))})
			w.span(id, n)
		}
		here = append(here, id)
	}
	w.line("- Result: %s", result(&r.Evaluator))
	if r.Reflected() {
		n := w.line("- Reflection (%s): %s", r.Reflection.Source, oneLine(r.Reflection.Text))
		w.step(history, i, r, here, n)
		for _, l := range r.Reflection.Lessons {
			if l = oneLine(l); l != "" && !slices.Contains(w.ep.Lessons, l) {
				n := w.line("- Lesson: %s", l)
				w.ep.Lessons = append(w.ep.Lessons, l)
				w.span(episode.LessonID(len(w.ep.Lessons)), n)
			}
		}
	}
}

// step adds the decision that followed from the reflection, if there was a next attempt
// that shows its result.
func (w *writer) step(history []*reflexion.Record, i int, r *reflexion.Record, here []string, reflected int) {
	if i+1 >= len(history) || len(here) == 0 {
		return
	}
	next := history[i+1]
	first := r.Evaluator.Errors[0]
	chosen := oneLine(stepTaken(r, next, first))
	if chosen == "" {
		return
	}
	n := w.line("- Step taken: %s", chosen)
	d := episode.Decision{ID: episode.DecisionID(len(w.ep.Decisions) + 1), Timestamp: timestamp(r.Timestamp), Type: episode.Recovery,
		Context: "How to mend: " + oneLine(advice.EventText(first)), Options: []string{}, Chosen: chosen, Rationale: oneLine(r.Reflection.Causal), Outcome: episode.Success}
	gone := len(reflexion.Recurring([]reflexion.Problem{first}, []*reflexion.Record{next})[reflexion.SignatureOf(first)]) == 0
	if !gone {
		d.Outcome = episode.Failure
	}
	w.ep.Decisions = append(w.ep.Decisions, d)
	w.span(d.ID, n)
	w.link(here[0], d.ID, episode.Causes, true, reflected)
	if gone && next.Evaluator.Passed {
		w.link(d.ID, episode.OutcomeRef, episode.Enables, false, n)
	} else if gone {
		w.link(d.ID, here[0], episode.Prevents, false, n)
	}
}

// stepTaken is what the next attempt did about an error: its first new change of the
// error's file, else the next step of the reflection. "" when neither is known.
func stepTaken(r, next *reflexion.Record, e reflexion.Problem) string {
	old := map[string]bool{}
	for _, a := range r.Actor.Actions {
		old[a.Description] = true
	}
	for _, a := range next.Actor.Actions {
		if e.File != "" && path.Base(a.FilePath) == path.Base(e.File) && !old[a.Description] {
			return a.Description
		}
	}
	if len(r.Reflection.Insights) > 0 && slices.Contains(next.Used, r.Iteration) {
		return r.Reflection.Insights[0]
	}
	return ""
}

func result(e *reflexion.EvaluatorOutput) string {
	word := "failed"
	if e.Passed {
		word = "passed"
	}
	return fmt.Sprintf("%s (%s, reward %.2f)", word, e.Type, e.RewardOr())
}

func (w *writer) outcome(c *Config, end *End, history []*reflexion.Record) {
	word := "failure"
	if end.Success {
		word = "success"
	}
	w.span("outcome", w.line("Outcome: %s after %d of at most %d iterations (%s)", word, end.Iterations, c.Max, end.Reason))
	if end.Success {
		return
	}
	for _, e := range history[len(history)-1].Evaluator.Errors[:min(1, len(history[len(history)-1].Evaluator.Errors))] {
		if id, ok := w.events[reflexion.SignatureOf(e)]; ok {
			w.link(id, episode.OutcomeRef, episode.Causes, true, w.lines)
		}
	}
}

func (w *writer) metrics(history []*reflexion.Record) {
	errors, recoveries := 0, 0
	for _, r := range history {
		errors += len(r.Evaluator.Errors)
		if r.Performance != nil && r.Performance.IsImprovement {
			recoveries++
		}
	}
	w.ep.Metrics.Errors, w.ep.Metrics.Recoveries = &errors, &recoveries
}

// effects copies the links to the records at their ends.
func (w *writer) effects() {
	for _, l := range w.ep.Links {
		if d := w.ep.Decision(l.Source); d != nil {
			d.Effects = append(d.Effects, l.Target)
		}
		if v := w.ep.Event(l.Source); v != nil {
			v.LeadsTo = append(v.LeadsTo, l.Target)
		}
		if v := w.ep.Event(l.Target); v != nil {
			v.CausedBy = append(v.CausedBy, l.Source)
		}
	}
}

// oneLine folds a text into one line of a log.
func oneLine(s string) string {
	return reflexion.Shorten(strings.Join(strings.Fields(reflexion.Clean(s)), " "), 500)
}
