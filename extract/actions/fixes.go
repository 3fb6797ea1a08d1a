package actions

import (
	"episodes/internal/lazy"
	"path"
	"strings"

	"episodes/internal/turns"
)

// How many calls later the corrected form of a wrong call is looked for.
const correctedWithin = 10

// way is how a failure ended.
type way struct {
	by   []*step // the edits and installs that made the difference; none: another call did
	seen *step   // the call that shows it
	gone bool    // the check still fails, but no longer so
}

// trail is what changed something between a failure and what comes after it.
type trail struct {
	edits, others []*step // edits and installs; other commands
}

// wayOut finds the first later step in which what failed at i works, or fails otherwise.
func (b *Builder) wayOut(i int) (way, bool) {
	f := b.steps[i]
	var between trail
	calls := 0
	looks := f.check != nil && housekeeping[f.check.name] // what is edited makes no difference to it
	for _, p := range b.steps[i+1:] {
		if p.role != turns.Call || !p.ended || p.sub != f.sub || p.at[0] < f.shows()[0] {
			continue // what was called before the failure was known is no way out
		}
		if calls++; looks && calls > correctedWithin {
			break
		}
		switch {
		case p.result.State == turns.Refused || p.result.State == turns.NotRun:
		case p.failed:
			if again(f, p) && p.tells != f.tells && len(between.steps()) > 0 && p.checks() {
				return way{between.steps(), p, true}, true
			}
		case !proves(f, p):
		case again(f, p), calls <= correctedWithin && corrected(f, p):
			if p.edits() {
				return way{seen: p}, true // it is the fix itself
			}
			return way{by: between.steps(), seen: p}, true
		}
		between.take(f, p, looks)
	}
	return way{}, false
}

// take adds a step, if it changed something.
func (t *trail) take(f, p *step, looks bool) {
	worked := !p.failed && p.result.State != turns.Refused && !saysFailed(&p.result)
	switch {
	case !worked:
	case p.edits() && !looks, p.green && p.line.installs():
		t.edits = append(t.edits, p)
	case !looks && len(p.line.changes(f)) > 0:
		t.others = append(t.others, p)
	}
}

// steps are what made the difference: edits, or else other commands.
func (t *trail) steps() []*step {
	if len(t.edits) > 0 {
		return t.edits
	}
	return t.others
}

// edits reports whether a step changes files with a tool.
func (s *step) edits() bool { return s.call.Tool == turns.Edit || s.call.Tool == turns.Write }

// checks reports whether a step runs a check.
func (s *step) checks() bool {
	c := s.line.check()
	return c != nil && c.kind() != noCheck
}

// proves reports whether a call that did not fail can show the way out of f: its exit code
// is no "nothing found", and it neither passes over the check nor runs it on other files.
func proves(f, p *step) bool {
	if p.call.Tool != turns.Shell {
		return true
	}
	return !saysFailed(&p.result) && (!p.line.bypasses() || f.line.bypasses()) && (!p.line.runs("git stash") || f.line.runs("git stash"))
}

// bypasses reports whether a line leaves out the hooks of git.
func (l shellLine) bypasses() bool {
	for _, c := range l.commands {
		if c.name == "git" && contains(c.args, "--no-verify") {
			return true
		}
	}
	return false
}

// installs reports whether a line installs something.
func (l shellLine) installs() bool {
	for _, c := range l.commands {
		if installing().MatchString(c.id()) {
			return true
		}
	}
	return false
}

// changes are the commands of a line that may change what the check of f sees: they build,
// format, move files, or set the work tree. What works in a place of its own does not.
func (l shellLine) changes(f *step) (out []command) {
	if f.call.Tool != turns.Shell {
		return nil
	}
	for _, c := range l.commands {
		switch id := c.id(); {
		case f.check != nil && id == f.check.id(), id == "git stash", c.name == "mkdir", c.name == "mktemp":
			return nil // it is the check, or a trial
		case gitLook().MatchString(f.name()) && c.name == "git":
		case moves[c.name], workTree().MatchString(id), contains(c.args, "--fix"), contains(c.args, "--write"), c.name == "sed" && contains(c.args, "-i"),
			c.kind() == buildCheck && producing().MatchString(id):
			out = append(out, c)
		}
	}
	return out
}

var (
	moves = set("mv rm cp ln chmod")
	// workTree matches the commands of git that change the work tree.
	workTree  = lazy.Pattern(`^git (?:checkout|restore|reset|merge|rebase|pull|cherry-pick|revert|apply|mv|rm|config)$`)
	producing = lazy.Pattern(`(?i)\b(?:build|generate|compile|format|fmt|tidy)\b`)
)

// runs reports whether a line runs what has an id.
func (l shellLine) runs(id string) bool {
	for _, c := range l.commands {
		if c.id() == id {
			return true
		}
	}
	return false
}

// again reports whether p is the check of f again, or one that includes it.
func again(f, p *step) bool {
	switch f.call.Tool {
	case turns.Edit, turns.Write:
		return (p.call.Tool == turns.Edit || p.call.Tool == turns.Write) && sharesFile(f, p)
	case turns.Shell:
		if p.call.Tool != turns.Shell {
			return false
		}
		c := f.check
		if c == nil {
			return f.call.Command == p.call.Command
		}
		for _, d := range p.line.commands {
			if d.id() != c.id() || d.asksAbout() {
				continue
			}
			if housekeeping[c.name] {
				if f.call.Command == p.call.Command || sharesOperand(*c, d) {
					return true
				}
				continue
			}
			if d.covers(*c) && (c.kind() != noCheck || f.call.Command == p.call.Command || len(c.targets()) > 0 && d.verb() == c.verb() || strings.Contains(c.id(), " ")) {
				return true
			}
		}
		return false
	case turns.Read, turns.Search:
		return p.call.Tool == f.call.Tool && sharesFile(f, p)
	}
	return p.call.Name == f.call.Name
}

// corrected reports whether p is the right form of the wrong call f.
func corrected(f, p *step) bool {
	switch f.call.Tool {
	case turns.Read, turns.Search:
		if p.call.Tool == turns.Shell {
			for _, file := range f.call.Files {
				if strings.Contains(p.call.Command, path.Base(file)) {
					return true
				}
			}
		}
		if p.call.Tool != turns.Read && p.call.Tool != turns.Search {
			return false
		}
		return sharesBase(f, p) || p.call.Tool == f.call.Tool && p.call.Tool == turns.Search
	case turns.Shell:
		c := f.check
		if p.call.Tool != turns.Shell || c == nil || !misuse(f.tells) {
			return false
		}
		if housekeeping[c.name] && missingFile().MatchString(f.tells) {
			return reaches(p.line, *c)
		}
		for _, d := range p.line.commands {
			if c.meant(d, f) {
				return true
			}
		}
	}
	return false
}

func sharesFile(f, p *step) bool {
	for _, a := range f.call.Files {
		for _, b := range p.call.Files {
			if a == b || strings.HasSuffix(a, "/"+strings.TrimPrefix(b, "/")) || strings.HasSuffix(b, "/"+strings.TrimPrefix(a, "/")) {
				return true
			}
		}
	}
	return len(f.call.Files) == 0 && len(p.call.Files) > 0
}

func sharesBase(f, p *step) bool {
	for _, a := range f.call.Files {
		for _, b := range p.call.Files {
			if path.Base(a) == path.Base(b) {
				return true
			}
		}
	}
	return false
}
