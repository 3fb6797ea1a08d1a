package actions

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"episodes/episode"
	"episodes/extract/internal/facts"
	"episodes/internal/lazy"
	"episodes/internal/telling"
	"episodes/internal/turns"
	"episodes/keys"
)

// drafting makes the facts of one session.
type drafting struct {
	*Builder
	session turns.Session
	draft   *facts.Draft
	errors  map[*step]*facts.Fact
	ways    map[*step]*facts.Fact // by the step that shows them
}

// widest is how many lines a span may have to be useful as a place.
const widest = 30

// place returns the lines that show a step, at most widest of them.
func place(s *step) episode.Span {
	if span := s.shows(); span[1]-span[0] < widest {
		return span
	}
	return narrow(s.at)
}

// near returns the lines from the first to the last of two places, or the first place where they are far from each other.
func near(a, b episode.Span) episode.Span {
	if both := facts.Around(a, b); both[1]-both[0] < widest {
		return both
	}
	return a
}

// narrow returns lines, or the first of them where they are too many.
func narrow(at episode.Span) episode.Span {
	if at[1]-at[0] < widest {
		return at
	}
	return episode.Span{at[0], at[0]}
}

// where returns the lines of the words of a step that have a text, or else place.
func (s *step) where(text string) episode.Span {
	if at, found := standing(s.text, s.lines, text); found {
		return at
	}
	return place(s)
}

// standing finds the line of what was said that has a text, or the end of it.
func standing(said string, lines []int, text string) (at episode.Span, found bool) {
	for more := true; more; _, text, more = strings.Cut(text, ": ") {
		start := oneLine(strings.TrimRight(text, "…"))
		for i, line := range strings.Split(said, "\n") {
			if i < len(lines) && start != "" && strings.Contains(oneLine(line), start) {
				return episode.Span{lines[i], lines[i]}, true
			}
		}
	}
	return at, false
}

func (d *drafting) event(t episode.EventType, s *step, rule, content string) *facts.Fact {
	f := &facts.Fact{Kind: facts.Event, Event: t, Span: place(s), Time: s.time, Content: content, Rule: rule}
	if t == episode.Correction {
		f.Span = s.where(content)
	}
	d.draft.Facts = append(d.draft.Facts, f)
	return f
}

// task is what the human asked for first, in more than one word where there are any.
func (d *drafting) task() {
	d.draft.Task = d.session.Title
	found := false
	for _, s := range d.steps {
		if s.role != turns.User || oneLine(s.text) == "" || strings.HasPrefix(s.text, "/") {
			continue
		}
		task := asked(s.text)
		if long := several(task); long || !found {
			d.draft.Task, d.draft.TaskSpan = task, s.where(task)
			if found = true; long {
				return
			}
		}
	}
}

// several reports whether a text has more than one word, or is of a script without blanks.
func several(text string) bool {
	return strings.Contains(text, " ") || len(text) > 2*utf8.RuneCountInString(text)
}

// asked returns the first line of a prompt that is not a word, a short heading, a mark or a pasted
// command line, or else its first line.
func asked(text string) string {
	for line := range strings.Lines(text) {
		line = oneLine(mentions().ReplaceAllString(line, ""))
		if several(line) && !heading().MatchString(line) {
			return firstSentence(line)
		}
	}
	return firstSentence(text)
}

var heading = lazy.Pattern(`^"?#{1,6} \S+(?: \S+)?$|^\[\[|^(?:➜|\$|❯|%) |^<[\w-]+(?: [^>]*)?>$|^[-=*_]{3,}$|^(?:\x60\x60\x60|'''|"""|~~~)\w*$`)

// mentions are files that a prompt opens with: "@README.md @docs/plan.md please …".
var mentions = lazy.Pattern(`^\s*(?:@[^\s@]+(?:\s+|$))+`)

// taskBytes is how much of a prompt is kept as the task.
const taskBytes = 300

func firstSentence(text string) string {
	for line := range strings.Lines(text) {
		if line = oneLine(line); line != "" {
			if cut := turns.Start(line, taskBytes); cut != line {
				return cut + "…"
			}
			return line
		}
	}
	return ""
}

// name is what a step ran, in few words.
func (s *step) name() string {
	if s.call.Tool == turns.Shell {
		if c := s.check; c != nil {
			return c.id()
		}
		return s.call.Name
	}
	return cmp.Or(toolNames[s.call.Tool], s.call.Name)
}

// toolNames are the names of tools that every agent has under names of its own.
var toolNames = map[turns.Tool]string{turns.Edit: "edit", turns.Write: "write", turns.Read: "read",
	turns.Search: "search", turns.Ask: "ask", turns.Delegate: "delegate", turns.Plan: "plan"}

func (d *drafting) failures() {
	d.errors = map[*step]*facts.Fact{}
	for _, s := range d.steps {
		if s.role != turns.Call || !s.failed || d.session.NoResults {
			continue
		}
		f := d.event(episode.Error, s, "call failed", s.fails())
		f.Key = failureKey(s)
		d.errors[s] = f
	}
}

// fails says what failed, and how.
func (s *step) fails() string {
	content := s.name()
	switch {
	case s.tells != "":
		content += ": " + strings.TrimPrefix(s.tells, s.name()+": ")
	case s.result.Exit != nil:
		content += fmt.Sprintf(": exit code %d", *s.result.Exit)
	default:
		content += ": failed without a message"
	}
	return content
}

// checks are the runs of tests.
func (d *drafting) checks() {
	for _, s := range d.steps {
		if s.tests == nil || d.session.NoResults {
			continue
		}
		d.event(episode.Test, s, "tests ran", s.name()+": "+s.tests.String())
	}
}

func (d *drafting) commits() {
	seen := map[string]bool{}
	for _, s := range d.steps {
		if s.made == nil || s.failed || d.session.NoResults || s.made.hash != "" && seen[s.made.hash] {
			continue
		}
		seen[s.made.hash] = true
		content := strings.TrimSpace("commit " + s.made.hash)
		if s.made.message != "" {
			content += ": " + oneLine(s.made.message)
		}
		f := d.event(episode.Commit, s, "commit made", content)
		f.Span = near(f.Span, narrow(s.at)) // the message
	}
}

// sameEnd is the end of one or more failures.
type sameEnd struct {
	seen       *step
	difference string
}

// fixes link each failure with the step that shows the way out of it, and with what was tried
// before. Failures of other commands with the same message, its copies, end with it.
func (d *drafting) fixes() {
	d.ways = map[*step]*facts.Fact{}
	ends, ended, alike := map[sameEnd]*facts.Fact{}, map[*step]way{}, map[string][]way{}
	for i, s := range d.steps {
		if d.errors[s] == nil {
			continue
		}
		if w, found := d.wayThrough(i); found {
			ended[s] = w
			if s.call.Tool == turns.Shell && telling.Of(s.tells) > telling.Vague {
				alike[s.sub+s.tells] = append(alike[s.sub+s.tells], way{difference: w.difference, at: w.at, seen: w.seen, edits: w.edits})
			}
		}
	}
	for _, s := range d.steps {
		failure := d.errors[s]
		if failure == nil {
			continue
		}
		w, found := ended[s]
		if !found {
			i := slices.IndexFunc(alike[s.sub+s.tells], func(w way) bool { return w.seen.at[0] > s.shows()[0] })
			if i < 0 {
				continue
			}
			w = alike[s.sub+s.tells][i]
		}
		fix := ends[sameEnd{w.seen, w.difference}]
		if fix == nil {
			fix = d.event(episode.ToolCall, w.seen, "the same check passes", w.difference)
			if key := keys.Canonical(w.difference); key != "" {
				fix.Key = string(episode.ToolCall) + ": " + key
			}
			fix.Span = w.at
			fix.Put = putsOf(d.session.Dir, w.edits)
			ends[sameEnd{w.seen, w.difference}], d.ways[w.seen] = fix, fix
		}
		if w.teaches(s) {
			d.draft.Facts = append(d.draft.Facts, w.lesson(s))
		}
		d.draft.Links = append(d.draft.Links, facts.Link{From: fix, To: failure, Type: episode.Prevents,
			Explicit: true, Span: near(place(w.seen), w.at), Rule: "the same check passes"})
		for _, t := range w.tried {
			d.failed(failure, t)
		}
	}
}

// teaches reports whether a way out of the failure f says something to other sessions: the same command passes, called
// otherwise, and what was taken away is named by the message.
func (w way) teaches(f *step) bool {
	m := called().FindStringSubmatch(w.difference)
	if m == nil || f.check == nil || housekeeping[f.check.name] || !w.seen.line.runs(f.check.id()) || w.seen.failed || telling.Of(f.tells) <= telling.Vague {
		return false
	}
	taken := strings.Fields(m[1])
	return len(taken) == 0 || strings.Contains(f.call.Command, taken[0]) && (strings.Contains(f.tells, m[1]) || slices.ContainsFunc(taken, func(word string) bool {
		return len(word) > 2 && strings.Contains(f.tells, word) && (word[0] == '-' || strings.HasPrefix(w.difference, "without"))
	}))
}

// called matches a difference of the call alone, in full, and what was taken away.
var called = lazy.Pattern("^(?:with `[^`…]+`|(?:without|`[^`…]+` instead of) `([^`…]+)`)(?:, after [^…]*)?$")

// lesson is what a way out of the failure f says to other sessions.
func (w way) lesson(f *step) *facts.Fact {
	with := ""
	if strings.HasPrefix(w.difference, "`") {
		with = "with "
	}
	return &facts.Fact{Kind: facts.Lesson, Span: place(f), Rule: "the same check passes",
		Content: f.name() + " worked " + with + w.difference + "; before: " + f.tells,
		Lesson: episode.Lesson{Kind: episode.FixLesson, Was: f.check.shown(), WasOutcome: "failed", Outcome: "held",
			Lines: episode.Ranges{w.at}, Proof: episode.Ranges{place(w.seen)}}}
}

// wayThrough is the way out of the failure at i. Where a command given otherwise fails for another reason, that of the
// other failure is one of both, if the command was only given otherwise again; what was in between was tried.
func (d *drafting) wayThrough(i int) (w way, found bool) {
	w, found = d.wayOut(i)
	if !found || !w.seen.failed || len(w.edits) > 0 || d.errors[w.seen] == nil {
		return w, found
	}
	next, found := d.wayThrough(slices.Index(d.steps, w.seen))
	if !found || len(next.edits) > 0 {
		return w, true
	}
	next.tried = append(slices.Clone(w.tried), way{difference: w.difference, at: w.at, seen: w.seen})
	return next, true
}

// failed keeps what was tried and did not end a failure.
func (d *drafting) failed(failure *facts.Fact, t way) {
	var f *facts.Fact
	const rule = "the same check fails again"
	if i := slices.IndexFunc(d.draft.Facts, func(f *facts.Fact) bool {
		return f.Kind == facts.Decision && f.Content == t.difference && f.Span == t.at
	}); i >= 0 {
		f = d.draft.Facts[i] // it was tried against several failures
	} else {
		f = &facts.Fact{Kind: facts.Decision, Span: t.at, Content: t.difference,
			Rule: rule,
			Decision: episode.Decision{Type: episode.Recovery, Context: failure.Content,
				Chosen: t.difference, Options: []string{t.difference}, Outcome: episode.Failure}}
		d.draft.Facts = append(d.draft.Facts, f)
	}
	d.draft.Links = append(d.draft.Links, facts.Link{From: failure, To: f, Type: episode.Causes,
		Explicit: true, Span: place(t.seen), Rule: f.Rule})
}
