package actions

import (
	"slices"
	"strings"

	"episodes/episode"
	"episodes/internal/lazy"
	"episodes/internal/turns"
)

// How many calls later the corrected form of a wrong call is looked for.
const correctedWithin = 10

// way is how a failure ended, or what did not end it.
type way struct {
	difference string       // between the last failed run and the first other
	at         episode.Span // where that is seen
	seen       *step        // the call that shows whether it helped
	tried      []way        // what was tried before, and did not end it
	edits      []*step      // between those two
}

// wayOut finds the first later step in which what failed at i works, or fails otherwise, and
// what differs between it and the last one that failed.
func (b *Builder) wayOut(i int) (w way, found bool) {
	f := b.steps[i]
	s := seeking{f: f, last: f}
	for n, p := range b.steps[i+1:] {
		if s.leaves(b, i+1+n) {
			break
		}
		if !p.follows(f) {
			continue
		}
		if s.calls++; s.calls > mostSought || (f.edits() || f.check != nil && housekeeping[f.check.name]) && s.calls > correctedWithin {
			break
		}
		run, is := sameThing(f, p, s.calls)
		if is && f.call.Tool == turns.Shell && s.turn >= farTurns && !staysFor(f, p, run) {
			break // by now it is called for something else
		}
		if !s.endsWith(p, run, is && p.ended) {
			continue
		}
		if len(s.between) > mostBetween {
			return way{}, false // too much was done to know
		}
		w := way{seen: p}
		w.difference, w.at = differ(s.last, p, run, s.between, s.alike)
		switch {
		case w.difference == "":
			return way{}, false // nothing is known that made it work
		case f.misused() && b.ranBefore(i, p):
			s.between = append(s.between, p) // it does something else
			continue
		}
		w.edits, _, _ = changesIn(f, s.between)
		w.tried = slices.DeleteFunc(s.tried, func(t way) bool { return t.difference == w.difference })
		return w, true
	}
	return way{}, false
}

// seeking is a search for what ended a failure.
type seeking struct {
	f, last     *step    // the failure and the last run that showed it
	between     []*step  // calls since last
	alike       []string // other command lines that failed with the same message
	tried       []way
	calls, turn int // calls, and times the user spoke, since the failure
}

// leaves counts what the user says, and reports whether the agent does something else from here on.
func (s *seeking) leaves(b *Builder, at int) bool {
	p := b.steps[at]
	if p.role != turns.User || p.answers != nil {
		return false
	}
	if p.sub == s.f.sub {
		s.turn++
	}
	return s.f.edits() && !b.interrupted(at)
}

// endsWith notes what a later call shows of the failure, and reports whether it is over. is: the call is the
// same thing and ended.
func (s *seeking) endsWith(p *step, run *command, is bool) bool {
	switch {
	case !is && p.failed && p.check != nil && p.tells != "" && p.tells == s.f.tells:
		s.alike = append(s.alike, p.check.shown())
	case is && p.failed && p.stillShows(s.f):
		// A test that fails again may do so for another reason; a compiler says the same of the same place only.
		known := !s.f.edits() && (!slices.ContainsFunc(s.between, (*step).edits) || run != nil && run.kind() == buildCheck)
		if known && len(s.tried) < mostTried {
			if d, at := differ(s.last, p, run, s.between, s.alike); d != "" && !strings.HasPrefix(d, "without ") {
				s.tried = append(s.tried, way{difference: d, at: at, seen: p})
			}
		}
		s.last, s.between = p, nil
	case !is, p.failed && !p.getsPast(s.f), !p.failed && !p.ends(s.f):
		s.between = append(s.between, p)
	default:
		return true
	}
	return false
}

// farTurns is how many times the user speaks until another call of a program is for something else.
const farTurns = 2

// staysFor reports whether a run long after the failure f is still the same work: a check on the same things.
func staysFor(f, p *step, run *command) bool {
	return f.call.Command == p.call.Command || run != nil && f.check != nil && run.kind() != noCheck &&
		run.id() == f.check.id() && !installing().MatchString(run.id()) && run.covers(*f.check)
}

// follows reports whether a step is a call that ran after the failure of f was known, by the
// agent that met it.
func (s *step) follows(f *step) bool {
	ran := s.role == turns.Call && (s.ended || s.edits()) && s.result.State != turns.Refused && s.result.State != turns.NotRun
	return ran && s.sub == f.sub && s.at[0] >= f.shows()[0]
}

// mostBetween is the maximum number of calls between two runs of a check. With more calls, it is not
// clear which of them changed the result.
const mostBetween = 60

// ranBefore reports whether the line of p was run before the step i.
func (b *Builder) ranBefore(i int, p *step) bool {
	return p.call.Tool == turns.Shell && slices.ContainsFunc(b.steps[max(0, i-recently):i],
		func(s *step) bool { return s.role == turns.Call && s.call.Command == p.call.Command })
}

// mostSought is how many later calls are looked at for the end of a failure, so that the time of a session grows
// with its length only.
const mostSought = 400

// mostTried is how many failed attempts at one failure are kept.
const mostTried = 3

// stillShows reports whether a failed run shows the error of f again.
func (s *step) stillShows(f *step) bool {
	return hashOf(s.tells) == hashOf(f.tells) || f.tells != "" && slices.Contains(s.prints, hashOf(f.tells))
}

// getsPast reports whether a run that failed otherwise shows that the error of f is gone: it
// came as far as f did, and nothing of what it printed was left out.
func (s *step) getsPast(f *step) bool {
	switch {
	case s.call.Tool != turns.Shell, s.check == nil, f.tells == "", s.tells == "" || strings.HasSuffix(s.tells, ":"):
		return false
	case s.check.kind() == noCheck && !f.misused() && !interpreters[s.check.name]:
		return false // programs that check nothing fail in many ways
	case s.stage() < f.stage(), shellError().MatchString(s.tells), unparsed().MatchString(s.tells):
		return false // it did not start
	case !s.line.passesOn():
		return s.call.Command == f.call.Command
	}
	return true
}

// stage is how far a run came before it failed: it did not start, it was compiled or loaded,
// or it ran.
func (s *step) stage() int {
	tells := s.tells
	switch {
	case noTests.in(tells, strings.ToLower(tells)), shellError().MatchString(tells), unknownWord().MatchString(tells):
		return 0
	case preparing().MatchString(tells), s.check != nil && s.check.kind() == buildCheck:
		return 1
	case misuse(tells):
		return 0
	}
	return 2
}

// preparing matches errors that stop a check before it runs: of compilers and loaders.
var preparing = lazy.Pattern(`\bTS\d{4,5}\b|\b(?:CS|FS|BC)\d{4}\b|\berror\[E\d+\]|\bSyntaxError\b|\bImportError\b|\bModuleNotFoundError\b|\bIndentationError\b|\[(?:build|setup) failed\]|(?i:cannot find (?:module|package)|could not (?:compile|resolve)|undefined: |syntax error|undeclared|ERR_MODULE_NOT_FOUND|failed to (?:load|resolve|compile|parse)|declared and not used|no required module|error collecting|transform failed|unexpected token)`)

// ends reports whether a call that did not fail shows that what failed in f works.
func (s *step) ends(f *step) bool {
	switch {
	case s.call.Tool != turns.Shell:
		return true
	case s.line.bypasses() && !f.line.bypasses():
		return false
	case s.stillShows(f):
		return false
	case s.passes:
		return true
	case s.silent:
		return s.call.Command == f.call.Command // the lines that were searched for are gone
	}
	return f.misused() // it started, even if it failed later
}

// bypasses reports whether a line leaves out the hooks of git.
func (l shellLine) bypasses() bool {
	return slices.ContainsFunc(l.commands, func(c command) bool { return c.name == "git" && slices.Contains(c.args, "--no-verify") })
}

// runs reports whether a line runs what has an id.
func (l shellLine) runs(id string) bool {
	return slices.ContainsFunc(l.commands, func(c command) bool { return c.id() == id })
}

// edits reports whether a step changes files with a tool.
func (s *step) edits() bool { return s.call.Tool == turns.Edit || s.call.Tool == turns.Write }

// interrupted reports whether the human spoke at step i because he stopped the agent or refused a call.
func (b *Builder) interrupted(i int) bool {
	for k := i - 1; k >= 0; k-- {
		switch s := b.steps[k]; {
		case s.role == turns.Stop, s.role == turns.Call && s.result.State == turns.Refused:
			return true
		case s.role == turns.User && strings.HasPrefix(s.text, "/"): // a command of the agent's program
		case s.role != turns.Call || s.result.State != turns.NotRun:
			return false
		}
	}
	return false
}
