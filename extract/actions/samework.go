package actions

import (
	"maps"
	"path"
	"slices"
	"strings"

	"episodes/internal/lazy"
	"episodes/internal/turns"
	"episodes/keys"
)

// Whether a later call is what a failed one was to be.

// sameThing finds what a later call runs that is what failed in f: the same again, one that
// includes it or, soon after, its corrected form. The command is nil for other tools.
func sameThing(f, p *step, calls int) (run *command, is bool) {
	if f.call.Tool == turns.Shell && p.call.Tool == turns.Shell {
		if (f.line.loose || p.line.loose) && f.call.Command != p.call.Command && len(f.line.commands)+len(p.line.commands) > 2 {
			return nil, false
		}
		if run = again(f, p); run == nil && calls <= correctedWithin {
			run = corrected(f, p)
		}
		return run, run != nil
	}
	return nil, sameTool(f, p, calls) || calls <= correctedWithin && found(f, p)
}

// samePlace reports whether an edit is at the place of one that failed: they share a line, or one
// of them does not say which lines it replaces or puts in.
func samePlace(f, p *step) bool {
	lines := func(s *step) (out []string) {
		for line := range strings.Lines(s.call.Old + "\n" + s.call.New) {
			if line = strings.TrimSpace(line); len(line) >= leastLine {
				out = append(out, line)
			}
		}
		return out
	}
	a, b := lines(f), lines(p)
	return f.call.Old == "" || len(a) == 0 || len(b) == 0 || anyAlike(a, b, equal)
}

// leastLine is the minimum length of a line that identifies a place in a file, in bytes.
const leastLine = 8

// sameTool reports whether a call of another tool than a shell is what f was.
func sameTool(f, p *step, calls int) bool {
	switch f.call.Tool {
	case turns.Edit, turns.Write:
		return p.edits() && sharesFile(f, p) && samePlace(f, p)
	case turns.Read:
		return p.call.Tool == f.call.Tool && sharesFile(f, p)
	case turns.Search:
		return p.call.Tool == f.call.Tool && p.call.Text == f.call.Text
	case turns.Shell:
		return false
	}
	return p.call.Name == f.call.Name
}

// again finds the command of p that is the check of f, or includes it, and that was reached.
func again(f, p *step) *command {
	c := f.check
	if c == nil {
		return nil
	}
	for i := range p.line.commands {
		d := &p.line.commands[i]
		if d.id() != c.id() || d.asksAbout() || d != p.check && d.masked && !p.failed {
			if p.failed && d == p.check && !d.masked {
				return nil // nothing behind it ran
			}
			continue
		}
		same := f.call.Command == p.call.Command
		switch {
		case housekeeping[c.name]:
			if same || slices.ContainsFunc(d.operands(), func(o string) bool { return slices.Contains(c.operands(), o) && c.blamed(o, f.tells) }) {
				return d
			}
		case !d.covers(*c) && !d.names(f.tells):
		case same, c.kind() != noCheck, len(c.targets()) > 0 && d.verb() == c.verb(), strings.Contains(c.id(), " "):
			return d
		}
	}
	return nil
}

// names reports whether a command is run on just what a complaint is about.
func (c command) names(tells string) bool {
	return slices.ContainsFunc(c.args, func(a string) bool {
		return len(a) > longArg &&
			strings.Contains(tells, strings.Trim(a, "^$./"))
	})
}

// blamed reports whether a complaint is about an operand, and not about another one.
func (c command) blamed(operand, tells string) bool {
	about := func(o string) bool { return strings.Contains(tells, " "+o+":") }
	return about(operand) || !slices.ContainsFunc(c.operands(), about)
}

// found reports whether p reads what f could not.
func found(f, p *step) bool {
	switch {
	case f.call.Tool != turns.Read:
		return false
	case p.call.Tool == turns.Shell:
		return slices.ContainsFunc(p.line.commands, func(c command) bool {
			return c.name != "ls" && slices.ContainsFunc(c.args, func(on string) bool {
				return slices.ContainsFunc(f.call.Files, func(file string) bool { return path.Base(on) == path.Base(file) })
			})
		})
	}
	return p.call.Tool == turns.Read && anyAlike(f.call.Files, p.call.Files, sameBase)
}

// corrected finds the command of p that is the right form of the wrong call f.
func corrected(f, p *step) *command {
	c := f.check
	if c == nil || !f.misused() || p.failed && p.misused() {
		return nil
	}
	for i := range p.line.commands {
		d := &p.line.commands[i]
		if housekeeping[c.name] && missingFile().MatchString(f.tells) {
			if !searches[d.name] && anyAlike(c.operands(), d.operands(), func(was, is string) bool {
				return sameBase(was, is) && !slices.Contains(c.args, is)
			}) {
				return d
			}
		} else if c.meant(*d, f) {
			return d
		}
	}
	return nil
}

// misused is misuse of what a call tells, asked once: a failure is compared with many later calls.
func (s *step) misused() bool {
	if s.misuse == 0 {
		if s.misuse = -1; misuse(s.tells) {
			s.misuse = 1
		}
	}
	return s.misuse > 0
}

// misuse reports whether a complaint is about how something was called, or with what: not
// about what was found.
func misuse(tells string) bool {
	return shellError().MatchString(tells) || unparsed().MatchString(tells) || misused().MatchString(tells) &&
		!raised().MatchString(tells) && !coded().MatchString(tells)
}

// meant reports whether d does what c was to do in the failed step f, called otherwise.
func (c command) meant(d command, f *step) bool {
	wrongWord := unknownWord().MatchString(f.tells) && quotesWord(f.tells, f.call.Command)
	if d.asksAbout() && !wrongWord {
		return false
	}
	same := d.name == c.name
	switch {
	case unparsed().MatchString(f.tells):
		return same && inline().MatchString(c.id()) == inline().MatchString(d.id())
	case housekeeping[c.name] || housekeeping[d.name]:
		return same && (anyAlike(c.operands(), d.operands(), sameBase) || anyAlike(c.args, d.args, long))
	case c.kind() != noCheck:
		return d.kind() == c.kind() && c.checkedBy(d, f, same, wrongWord)
	case same:
		return wrongWord || c.sameID(d)
	}
	return slices.Contains(c.args, d.name)
}

// checkedBy reports whether d checks what the check c was to check; same says that both run one
// program, wrongWord that f failed for a word that the program does not know.
func (c command) checkedBy(d command, f *step, same, wrongWord bool) bool {
	switch {
	case (same || c.kind() == testCheck) && d.covers(c), anyAlike(c.operands(), d.operands(), sameBase):
		return true
	case !same:
		return false
	}
	return wrongWord || missingFile().MatchString(f.tells) && anyAlike(c.operands(), d.operands(), sameFolder)
}

// sameID reports whether two commands of one program have the same id, apart from its end or the
// folder of a script.
func (c command) sameID(d command) bool {
	a, b := c.id(), d.id()
	return a == b || leads(a, b) || leads(b, a) || stem(d.verb()) == stem(c.verb())
}

// leads reports whether the words of an id begin another one.
func leads(id, other string) bool { return strings.HasPrefix(other, id+" ") }

// verb returns the last word of an id, if that names the action of a command.
func (c command) verb() string {
	if id := strings.Fields(c.id()); len(id) > 1 {
		return id[len(id)-1]
	}
	return ""
}

// asksAbout reports whether a command only prints information about itself.
func (c command) asksAbout() bool {
	return len(c.args) > 0 && (c.asksHelp() || slices.Contains(c.args, "--version"))
}

// quotesWord reports whether a complaint quotes a word of a line that is no flag.
func quotesWord(tells, line string) bool {
	return slices.ContainsFunc(quotedWord().FindAllStringSubmatch(tells, -1), func(m []string) bool {
		return strings.Contains(line, m[1]) && !strings.Contains(line, "-"+strings.TrimLeft(m[1], "-"))
	})
}

// stem is the name of a script or file without folder and suffix.
func stem(word string) string {
	name := path.Base(word)
	return strings.TrimSuffix(name, path.Ext(name))
}

// long reports whether two words are the same one, no flag, and too long to be a common one.
func long(a, b string) bool { return a == b && len(a) >= longArg }

const longArg = 6

// housekeeping looks at files and moves them: another success of it says nothing, unless it is
// on the same ones.
var housekeeping = union(lookups, searches, comparisons, keys.SetOf("sed awk jq mv rm cp mkdir touch chmod ln echo printf Write-Output Write-Host Get-Content Set-Content"))

func union(sets ...map[string]bool) map[string]bool {
	all := map[string]bool{}
	for _, s := range sets {
		maps.Copy(all, s)
	}
	return all
}

// operands are the files that a command is on: without the pattern or program that comes
// before them.
func (c command) operands() []string {
	on := c.targets()
	if len(on) > 0 && patterned[c.name] {
		return on[1:]
	}
	return on
}

var patterned = keys.SetOf("sed awk jq grep egrep fgrep rg ag ack")

// anyAlike reports whether a word of one list is like one of the other.
func anyAlike(as, bs []string, alike func(a, b string) bool) bool {
	return slices.ContainsFunc(as, func(a string) bool {
		return slices.ContainsFunc(bs, func(b string) bool { return alike(a, b) })
	})
}

func equal(a, b string) bool    { return a == b }
func sameBase(a, b string) bool { return path.Base(a) == path.Base(b) }

// sameFile reports whether two paths may name one file, seen from different folders.
func sameFile(a, b string) bool {
	return a == b || strings.HasSuffix(a, "/"+strings.TrimPrefix(b, "/")) || strings.HasSuffix(b, "/"+strings.TrimPrefix(a, "/"))
}

// sameFolder reports whether two files of one kind are in one folder.
func sameFolder(a, b string) bool {
	return path.Dir(a) == path.Dir(b) && path.Ext(a) != "" && path.Ext(a) == path.Ext(b)
}

// sharesFile reports whether two calls are on one file; the file of f may be unknown.
func sharesFile(f, p *step) bool {
	return len(f.call.Files) == 0 && len(p.call.Files) > 0 || anyAlike(f.call.Files, p.call.Files, sameFile)
}

// misused are complaints about how a command was called, as opposed to what it found.
var misused = lazy.Pattern(`(?i)\b(?:unrecognized|unknown|invalid|unexpected|unsupported|ambiguous|illegal|bad|missing|no such|not expected)\b.*|\bnot found\b|\busage:|\bmissing script\b|\bno such file\b|not recognized|requires|is not a|\bno test files\b|eaddrinuse|eperm|not permitted|connect|timed? ?out|denied`)

var (
	// inline matches the ids of interpreters that are given a script in their line.
	inline = lazy.Pattern(`^\w+ -[ce]?$`)
	// unparsed is a complaint of a shell about its line.
	unparsed = lazy.Pattern(`(?i)\bunmatched ['"]|\bparse error\b|\bunexpected EOF while\b|\bsyntax error near\b|\bbad substitution\b`)
	// raised are errors of a program that ran.
	raised = lazy.Pattern(`\b[A-Z]\w*(?:Error|Exception)\b`)
	// coded are errors of compilers, by their code.
	coded = lazy.Pattern(`^[A-Z]{2,6}\d{3,5}: `)
	// unknownWord is a complaint about a word that a program does not know.
	unknownWord = lazy.Pattern(`(?i)\b(?:unrecognized|unknown|unexpected|not expected|missing script|no such (?:command|subcommand)|invalid (?:sub)?command|not a git command)\b`)
	quotedWord  = lazy.Pattern("[\"'`‘]([\\w:.-]+)[\"'`’]")
	plainWord   = lazy.Pattern(`^[a-z][\w:-]*$`)
)

// targets are what a command is run on: its plain words after those of its id.
func (c command) targets() []string {
	var out []string
	id := strings.Fields(c.id())
	for _, a := range c.args {
		if a == "" || strings.HasPrefix(a, "-") || slices.Contains(id, a) || slices.Contains(id, path.Base(a)) {
			continue
		}
		out = append(out, a)
	}
	return out
}

// covers reports whether a run of c includes one of d: it is on the same things, or on
// all.
func (c command) covers(d command) bool {
	on, of := c.targets(), d.targets()
	if theirs := d.selectors(); slices.ContainsFunc(c.selectors(), func(s string) bool { return !slices.Contains(theirs, s) }) {
		return false
	}
	if len(on) == 0 || slices.Contains(on, "./...") || slices.Contains(on, ".") {
		return true
	}
	return anyAlike(on, of, equal) || len(of) == 0 && c.kind() == noCheck
}

// selectors are the flags of a command that take a part of what it checks.
func (c command) selectors() (out []string) {
	for i, a := range c.args {
		name, value, set := strings.Cut(a, "=")
		if !strings.HasPrefix(name, "-") || !selecting().MatchString(name) {
			continue
		}
		if !set && i+1 < len(c.args) {
			value = c.args[i+1]
		}
		out = append(out, name+"="+value)
	}
	return out
}

var selecting = lazy.Pattern(`^-{1,2}(?:t|k|g|run|grep|filter|tests?|test-?path-?patterns?|test-?name-?patterns?|only|package|project|spec|workspace|scope|suite|bench|bin|lib|label|tags?)$|^-{1,2}(?:testPathPatterns?|testNamePattern|TestCase)$`)
