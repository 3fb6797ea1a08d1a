package loop

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/outcome"
	"episodes/reflexion"
	"episodes/reflexion/advice"
)

// logFormat is the format of a loop's log in the provenance of its episode.
const (
	logFormat = "reflexion-loop"
	extractor = "loop-4"
)

// ToMend begins the context of a decision about an error, which follows it.
const ToMend = "How to mend: "

// Made reports whether a loop made an episode.
func Made(ep *episode.Episode) bool { return ep.Provenance.Source.Format == logFormat }

// Maximum numbers of different errors of one attempt: those left, and those that disappeared.
const (
	maxEvents = 3
	maxGone   = 10
)

// Episode turns a finished loop into its log and the episode of that log. Both depend
// only on the records, so that doing it again after a kill gives the same bytes. logPath
// is the path of the log, relative to the repository.
//
// The episode of a loop states what was measured: for each error that went, what the
// attempt changed in which it went, as a decision that succeeded; for an attempt in which
// none went, what it changed, as one that failed; and that a change led to the errors that
// are new after it. What the actor or a model said is in the log at most.
func Episode(c *Config, end *End, history []*reflexion.Record, logPath string) (*episode.Episode, []byte) {
	w := &writer{ep: &episode.Episode{ID: episode.IDFromSession(c.LoopID), Session: c.LoopID, Timestamp: reflexion.Seconds(c.Created),
		Task: oneLine(c.Task), Instance: "loop " + c.LoopID}, events: map[string]string{}}
	w.ep.Provenance.Spans = map[string]episode.Span{}
	w.line("# Loop %s\n", c.LoopID)
	w.span("task", w.line("Task: %s", oneLine(c.Task)))
	turns := reflexion.Turns(history)
	if len(turns) > 0 && turns[0].Before != nil {
		w.line("\n## Before the first attempt\n")
		w.errors(turns[0].Before.Errors, reflexion.Seconds(c.Created))
	}
	for i := range turns {
		w.turn(&turns[i], i == len(turns)-1)
	}
	w.line("")
	w.outcome(c, end, history)
	w.metrics(history)
	w.ep.Provenance.Source = episode.Source{Path: logPath, SHA256: hash(w.log.String()), Format: logFormat}
	w.ep.Provenance.Extractor = extractor
	w.effects()
	return w.ep, []byte(w.log.String())
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

// line adds a line, or more, and returns the number of the last one.
func (w *writer) line(format string, args ...any) int {
	text := fmt.Sprintf(format+"\n", args...)
	w.log.WriteString(text)
	w.lines += strings.Count(text, "\n")
	return w.lines
}

func (w *writer) span(id string, line int) { w.ep.Provenance.Spans[id] = episode.Span{line, line} }

func (w *writer) link(source, target string, typ episode.LinkType, explicit bool, line int) {
	known := func(l episode.Link) bool { return l.Source == source && l.Target == target }
	if slices.ContainsFunc(w.ep.Links, known) {
		return // one link between two records: the first
	}
	w.ep.Links = append(w.ep.Links, episode.Link{Source: source, Target: target, Type: typ, Explicit: explicit})
	w.span(episode.LinkID(source, target), line)
}

// errors adds the first errors of an evaluation as events, those that are not known yet.
func (w *writer) errors(list []reflexion.Problem, when string) {
	shown := map[string]bool{}
	for _, e := range list {
		if len(shown) < maxEvents && !shown[reflexion.SignatureOf(e)] {
			w.event(e, when, w.line("- Error: %s", oneLine(reflexion.Describe(e))))
			shown[reflexion.SignatureOf(e)] = true
		}
	}
}

// event returns the event of an error, and creates it at its first occurrence.
func (w *writer) event(e reflexion.Problem, when string, line int) string {
	sig := reflexion.SignatureOf(e)
	id, known := w.events[sig]
	if !known {
		id = episode.EventID(len(w.ep.Events) + 1)
		w.events[sig] = id
		w.ep.Events = append(w.ep.Events,
			episode.Event{ID: id, Timestamp: when, Type: episode.Error, Content: oneLine(advice.EventText(e))})
		w.span(id, line)
	}
	return id
}

// turn adds an attempt: its change and the result.
func (w *writer) turn(t *reflexion.Turn, last bool) {
	w.line("\n## Iteration %d\n", t.Iteration)
	if t.From != nil && *t.From == reflexion.BeforeFirst && t.Iteration > 0 {
		w.line("- Begins with the state before the first attempt")
	} else if t.From != nil && *t.From != t.Iteration-1 {
		w.line("- Begins with the state after iteration %d", *t.From)
	}
	if s := oneLine(t.Actor.Strategy); s != "" {
		w.line("- Strategy: %s", s)
	}
	for _, a := range t.Actor.Actions[:min(len(t.Actor.Actions), maxEvents)] {
		w.line("- The actor said: %s", oneLine(a.Description))
	}
	made := w.decisions(t, last)
	when := reflexion.Seconds(t.Timestamp)
	w.errors(t.Evaluator.Errors, when)
	w.line("- Result: %s", result(&t.Evaluator))
	if t.Shortfall != "" {
		w.line("- No improvement: %s", oneLine(t.Named()))
	}
	if made != "" {
		for _, e := range t.Broken {
			if id, shown := w.events[reflexion.SignatureOf(e)]; shown {
				w.link(made, id, episode.Causes, true, w.ep.Provenance.Spans[id][0])
			}
		}
	}
	if t.Reflected() {
		w.line("- Reflection (%s): %s", t.Reflection.Source, oneLine(t.Reflection.Text))
		for _, l := range t.Reflection.Lessons {
			if l = oneLine(l); l != "" && !slices.Contains(w.ep.Lessons, l) {
				n := w.line("- Lesson: %s", l)
				w.ep.Lessons = append(w.ep.Lessons, l)
				w.span(episode.LessonID(len(w.ep.Lessons)), n)
			}
		}
	}
}

// decisions adds what the attempt changed: once for each error that went, at most
// maxGone, or once where none did. It returns the id of the first.
func (w *writer) decisions(t *reflexion.Turn, last bool) (first string) {
	if t.Actor.Changed.Empty() || t.Before == nil {
		if t.Actor.Changed != nil {
			w.line("- Changed: nothing")
		}
		return ""
	}
	about, shown := t.Gone, outcome.ErrorGone
	if len(about) == 0 {
		about, shown = t.Before.Errors[:min(1, len(t.Before.Errors))], outcome.NoErrorGone
	}
	for _, e := range about[:min(len(about), maxGone)] {
		chosen := oneLine(reflexion.ChangeText(t.Actor.Changed, &e))
		n := w.line("- Changed, about %q: %s", oneLine(advice.EventText(e)), chosen)
		came := outcome.Decide(outcome.Sign{Kind: shown, Lines: episode.Span{n, n}}).Outcome
		d := episode.Decision{ID: episode.DecisionID(len(w.ep.Decisions) + 1), Timestamp: reflexion.Seconds(t.Timestamp),
			Type:    episode.Recovery,
			Context: ToMend + oneLine(advice.EventText(e)), Options: []string{}, Chosen: chosen, Outcome: came}
		w.ep.Decisions = append(w.ep.Decisions, d)
		w.span(d.ID, n)
		first = cmp.Or(first, d.ID)
		event := w.event(e, reflexion.Seconds(t.Timestamp), n)
		w.link(event, d.ID, episode.Causes, true, n)
		if came == episode.Success {
			w.link(d.ID, event, episode.Prevents, false, n)
		}
		if came == episode.Success && last && t.Evaluator.Passed {
			w.link(d.ID, episode.OutcomeRef, episode.Enables, false, n)
		}
	}
	return first
}

func result(e *reflexion.EvaluatorOutput) string {
	return fmt.Sprintf("%s (%s, reward %.2f)", e.Verdict(), e.Type, e.RewardOr())
}

func (w *writer) outcome(c *Config, end *End, history []*reflexion.Record) {
	shown := outcome.LoopFails
	if end.Success {
		shown = outcome.LoopPasses
	}
	verdict := outcome.Decide(outcome.Sign{Kind: shown, Lines: episode.Span{w.lines + 1, w.lines + 1}})
	w.ep.Outcome, w.ep.OutcomeSource = verdict.Outcome, verdict.From
	w.ep.Provenance.Spans[episode.OutcomeRef] = verdict.Lines
	w.line("Outcome: %s after %d of at most %d iterations (%s)", verdict.Outcome, end.Iterations, c.Max, end.Reason)
	if end.Success || len(history) == 0 {
		return
	}
	if errors := history[len(history)-1].Evaluator.Errors; len(errors) > 0 {
		if id, ok := w.events[reflexion.SignatureOf(errors[0])]; ok {
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
	if last := reflexion.Last(history); last != nil {
		came := &last.Evaluator
		if best := reflexion.BestOf(reflexion.Turns(history)); best != nil && last.From != nil {
			came = &best.Evaluator // later attempts were put aside
		}
		w.ep.Metrics.Reward = new(came.RewardOr())
	}
	used, known := reflexion.Used(history)
	if known > 0 {
		w.ep.Metrics.DurationMinutes = new(math.Round(100*ran(history).Minutes()) / 100)
		w.ep.Metrics.ToolCalls = used.ToolCalls
	}
	if known == len(history) { // else the sum would be too low
		w.ep.Metrics.CostUSD = used.CostUSD
		if used.InputTokens != nil && used.OutputTokens != nil {
			tokens := *used.InputTokens + *used.OutputTokens
			w.ep.Metrics.Tokens = &tokens
		}
	}
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
		if v := w.ep.Event(l.Target); v != nil && l.Type != episode.Prevents {
			v.CausedBy = append(v.CausedBy, l.Source)
		}
	}
}

// oneLine folds a text into one line of a log.
func oneLine(s string) string {
	return reflexion.Shorten(strings.Join(strings.Fields(reflexion.Clean(s)), " "), 500)
}
