package actions

import (
	"maps"
	"path"
	"slices"
	"strings"

	"episodes/internal/lazy"
)

// Whether one command does what another one was to do.

// misuse reports whether a complaint is about how something was called, or with what: not
// about what was found.
func misuse(tells string) bool {
	return shellError().MatchString(tells) || unparsed().MatchString(tells) || misused().MatchString(tells) && !raised().MatchString(tells) && !coded().MatchString(tells)
}

// meant reports whether d does what c was to do in the failed step f, called otherwise.
func (c command) meant(d command, f *step) bool {
	wrongWord := unknownWord().MatchString(f.tells) && quotesWord(f.tells, f.call.Command)
	if d.asksAbout() && !wrongWord {
		return false
	}
	same := d.name == c.name || d.via != "" && d.via == c.name
	switch {
	case unparsed().MatchString(f.tells):
		return same && inline().MatchString(c.id()) == inline().MatchString(d.id())
	case housekeeping[c.name] || housekeeping[d.name]:
		return same && (sharesBaseName(c, d) || sharesLongArg(c, d))
	case c.kind() != noCheck:
		return d.kind() == c.kind() && c.checkedBy(d, f, same, wrongWord)
	case same:
		return wrongWord || c.sameID(d)
	}
	return contains(c.args, d.name) && (d.verb() == "" || contains(c.args, d.verb())) || d.name != "git" && sharesTarget(c, d)
}

// checkedBy reports whether d checks what the check c was to check; same says that both run one
// program, wrongWord that f failed for a word that the program does not know.
func (c command) checkedBy(d command, f *step, same, wrongWord bool) bool {
	switch {
	case (same || c.kind() == testCheck) && d.covers(c), sharesBaseName(c, d):
		return true
	case !same:
		return false
	}
	return wrongWord || missingFile().MatchString(f.tells) && sharesFolder(c, d)
}

// sameID reports whether two commands of one program have the same id, apart from its end or the
// folder of a script.
func (c command) sameID(d command) bool {
	a, b := c.id(), d.id()
	return a == b && d.verb() == c.verb() || leads(a, b) || leads(b, a) || stem(d.verb()) == stem(c.verb())
}

// leads reports whether the words of an id of at least two begin another one.
func leads(id, other string) bool {
	return strings.Contains(id, " ") && strings.HasPrefix(other, id+" ")
}

// verb returns the last word that names the action of a command: that of its id, else its
// first plain word.
func (c command) verb() string {
	if id := strings.Fields(c.id()); len(id) > 1 {
		return id[len(id)-1]
	}
	if len(c.args) > 0 && plainWord().MatchString(c.args[0]) {
		return c.args[0]
	}
	return ""
}

// asksAbout reports whether a command only prints information about itself.
func (c command) asksAbout() bool {
	return len(c.args) > 0 && (c.asksHelp() || contains(c.args, "--version") || contains(c.args, "-V"))
}

// quotesWord reports whether a complaint quotes a word of a line that is no flag.
func quotesWord(tells, line string) bool {
	for _, m := range quotedWord().FindAllStringSubmatch(tells, -1) {
		if strings.Contains(line, m[1]) && !strings.Contains(line, "-"+strings.TrimLeft(m[1], "-")) {
			return true
		}
	}
	return false
}

// stem is the name of a script or file without folder and suffix.
func stem(word string) string {
	name := path.Base(word)
	return strings.TrimSuffix(name, path.Ext(name))
}

// sharesLongArg reports whether two commands have an argument in common that is no flag and
// too long to be a common one.
func sharesLongArg(c, d command) bool {
	for _, a := range c.args {
		if len(a) >= longArg && !plainFlag().MatchString(a) && contains(d.args, a) {
			return true
		}
	}
	return false
}

const longArg = 6

// housekeeping looks at files and moves them: another success of it says nothing, unless it is
// on the same ones.
var housekeeping = union(lookups, searches, comparisons, set("sed awk jq mv rm cp mkdir touch chmod ln echo printf"))

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

var patterned = set("sed awk jq grep egrep fgrep rg ag ack")

// onAlike reports whether two commands are on files that are alike in some way.
func onAlike(c, d command, alike func(a, b string) bool) bool {
	for _, a := range c.operands() {
		if slices.ContainsFunc(d.operands(), func(b string) bool { return alike(a, b) }) {
			return true
		}
	}
	return false
}

func sharesOperand(c, d command) bool {
	return onAlike(c, d, func(a, b string) bool { return a == b })
}

func sharesBaseName(c, d command) bool {
	return onAlike(c, d, func(a, b string) bool { return path.Base(a) == path.Base(b) })
}

// sharesFolder reports whether two commands are on files of one kind in one folder.
func sharesFolder(c, d command) bool {
	return onAlike(c, d, func(a, b string) bool {
		return path.Dir(a) == path.Dir(b) && path.Ext(a) != "" && path.Ext(a) == path.Ext(b)
	})
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
	plainFlag   = lazy.Pattern(`^--?[A-Za-z][\w-]*$`)
	plainWord   = lazy.Pattern(`^[a-z][\w:-]*$`)
)

// targets are what a command is run on: its plain words after those of its id.
func (c command) targets() []string {
	var out []string
	id := strings.Fields(c.id())
	for _, a := range c.args {
		if a == "" || strings.HasPrefix(a, "-") || contains(id, a) || contains(id, path.Base(a)) {
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
	if theirs := d.selectors(); slices.ContainsFunc(c.selectors(), func(s string) bool { return !contains(theirs, s) }) {
		return false
	}
	if len(on) == 0 || contains(on, "./...") || contains(on, ".") {
		return true
	}
	for _, t := range of {
		if contains(on, t) {
			return true
		}
	}
	return len(of) == 0 && c.kind() == noCheck
}

// selectors are the flags of a command that take a part of what it checks.
func (c command) selectors() (out []string) {
	for i, a := range c.args {
		name, value, set := strings.Cut(a, "=")
		if !selecting().MatchString(name) || c.name == "git" || c.name == "docker" {
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

func sharesTarget(c, d command) bool {
	for _, t := range d.targets() {
		if len(t) > 2 && (contains(c.args, t) || contains(c.args, path.Base(t))) {
			return true
		}
	}
	return false
}
