package actions

import (
	"slices"
	"strings"

	"episodes/episode"
	"episodes/internal/lazy"
	"episodes/internal/turns"
	"episodes/outcome"
)

// ciRun reads the log of a pipeline elsewhere.
const ciRun = "gh run view"

// signs are what the steps show of the session's outcome, up to the last one of its own agent. What an agent claims
// is no sign. A new sign of a call belongs in shows, one of words in signs.
func (d *drafting) signs() []outcome.Sign {
	signs := []outcome.Sign{{Kind: outcome.NothingShown}}
	if d.session.NoResults {
		return signs
	}
	end := 0
	var last *step // of its own agent
	for _, s := range d.inTime() {
		switch {
		case s.role == turns.Call:
			signs = append(signs, d.shows(s)...)
		case s.role == turns.Stop:
			signs = append(signs, outcome.Sign{Kind: outcome.Interrupted, Lines: place(s)})
		case s.role == turns.User && s.corrects != "":
			signs = append(signs, outcome.Sign{Kind: outcome.UserCorrects, Lines: place(s)})
		case s.role == turns.User:
			signs = append(signs, outcome.Sign{Kind: outcome.UserSpeaks, Lines: place(s)})
		}
		if s.sub == "" {
			end, last = len(signs), s
		}
	}
	if last != nil {
		signs = signs[:end]
	}
	works := last != nil && last.role == turns.Call
	if works && (last.failed || !last.ended && last.call.Tool == turns.Shell) {
		signs = brokenOff(signs, place(last))
	}
	if d.session.Cut && (!works || last.failed || !last.ended || outcome.Decide(signs...).Outcome != episode.Success) {
		return signs[:1]
	}
	return signs
}

// inTime are the steps with those of sub-agents where they happened, wherever their records are: behind the last step
// of the session that is not later.
func (d *drafting) inTime() []*step {
	at, now := make(map[*step]string, len(d.steps)), ""
	for _, s := range d.steps {
		if s.sub == "" {
			now = max(now, s.time)
		}
		at[s] = now
		if s.sub != "" && s.time != "" {
			at[s] = s.time
		}
	}
	out := slices.Clone(d.steps)
	slices.SortStableFunc(out, func(a, b *step) int { return strings.Compare(at[a], at[b]) })
	return out
}

// brokenOff adds that a session ended in the middle of its work, where nothing is shown since the user's last words.
func brokenOff(signs []outcome.Sign, at episode.Span) []outcome.Sign {
	for _, s := range slices.Backward(signs) {
		switch s.Kind {
		case outcome.UserSpeaks, outcome.UserCorrects:
			return append(signs, outcome.Sign{Kind: outcome.Interrupted, Lines: at})
		case outcome.NothingShown, outcome.Edits, outcome.Installs:
		default:
			return signs
		}
	}
	return signs
}

// shows are the signs that a call gives.
func (d *drafting) shows(s *step) []outcome.Sign {
	sign := s.checked().Sign()
	switch {
	case sign.Kind == outcome.CheckFails && s.check.id() == ciRun && d.earlierRun(s):
		sign.Kind = outcome.NothingShown
	case sign.Kind == outcome.CheckFails && s.check.id() == ciRun:
		sign.Kind = outcome.PipelineFails
	case sign.Kind == outcome.NothingShown && d.endsFailure(s):
		if sign.Kind = outcome.FailureEnds; s.check != nil {
			sign.Checks = s.line.ids()
		}
	case s.edits() && !s.failed && s.ended && s.result.State != turns.Refused:
		sign.Kind = outcome.Edits
	}
	if sign.Kind != outcome.CheckPasses && sign.Kind != outcome.FailureEnds || s.check == nil {
		return []outcome.Sign{sign}
	}
	commits := sign
	commits.Kind = outcome.CommitMade
	switch {
	case installing().MatchString(s.check.id()):
		sign.Kind = outcome.Installs // it prepares for what was asked for
	case s.made != nil && s.commitsItself():
		return []outcome.Sign{commits, {Kind: outcome.Edits, Lines: sign.Lines}}
	case s.made != nil && s.check.kind() == commit:
		return []outcome.Sign{commits}
	case s.made != nil:
		return []outcome.Sign{sign, commits}
	}
	return []outcome.Sign{sign}
}

// checked says whether a call shows checks passing, a check failing, or neither.
func (s *step) checked() outcome.Check {
	run := outcome.Check{Lines: place(s)}
	switch {
	case s.check == nil, s.failed && s.tests == nil && notStarted().MatchString(s.tells): // no check ran
	case s.failed:
		if id := s.check.id(); s.check.kind() != noCheck || id == ciRun {
			run.Result, run.Names = outcome.Failed, []string{id}
		}
	case s.pipelinePasses():
		run.Result, run.Names = outcome.Passed, append(s.line.ids(), ciRun)
	case s.green:
		run.Result, run.Names = outcome.Passed, s.line.ids()
	}
	return run
}

// notStarted matches why a check did not run at all: its program is not there, or the machine does not let it run, or
// fetch what it needs.
var notStarted = lazy.Pattern(`(?i)\bcommand not found\b|^(?:\S*sh: )(?:line )?\d*:? ?\S+: (?:not found|no such file or directory)$|\bis not recognized as\b|\bin sandbox: |\boperation not permitted\b|\bpermission denied\b|\bgetaddrinfo\b|\bcould not resolve host\b|\b(?:EPERM|EACCES|ENOTFOUND|EAI_AGAIN)\b`)

// endsFailure reports whether a check or a script shows the way out of a failure. That another command works says
// nothing of what was asked for.
func (d *drafting) endsFailure(s *step) bool {
	return d.ways[s] != nil && !s.failed && s.check != nil && !s.check.asksHelp() &&
		(s.check.kind() != noCheck || interpreters[s.check.name])
}

// pipelinePasses reports whether a call shows that a pipeline elsewhere went well.
func (s *step) pipelinePasses() bool {
	if s.result.Exit == nil || *s.result.Exit != 0 || s.check.masked {
		return false
	}
	id := s.check.id()
	return id == "gh pr checks" || id == "gh run watch" && slices.Contains(s.check.args, "--exit-status")
}

// earlierRun reports whether a call reads the run of a pipeline that does not check the work of this session: nothing
// was changed, committed or pushed before the run was first looked at. Only a run that is named by its number is known to
// be the same.
func (d *drafting) earlierRun(s *step) bool {
	run := s.check.targets()
	named := slices.ContainsFunc(run, func(arg string) bool { return strings.Trim(arg, "0123456789") == "" })
	for _, o := range d.inTime() {
		switch {
		case o == s:
			return true
		case o.role != turns.Call:
		case !o.failed && (o.edits() || o.made != nil || slices.Contains(o.line.ids(), "git push")):
			return false
		case named && o.check != nil && o.check.id() == ciRun && slices.Equal(o.check.targets(), run):
			return true
		}
	}
	return true
}

// ids are what the commands of a line run.
func (l shellLine) ids() (out []string) {
	for _, c := range l.commands {
		out = append(out, c.id())
	}
	return out
}

// commitsItself reports whether a commit was made by the agent's program after an edit, as some do after every edit:
// nobody gave it a message. It shows nothing of the work.
func (s *step) commitsItself() bool { return s.call.Command == "git commit" }
