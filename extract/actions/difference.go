package actions

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/extract/internal/facts"
	"episodes/internal/lazy"
	"episodes/internal/turns"
	"episodes/keys"
)

// mostDifference is the largest length of a difference, in bytes.
const mostDifference = 240

// differ says in few words what differs between a run that failed and a later one, in which the
// command run is what failed: an environment variable, an argument, a command in front of
// it, or what was done between. It is "" if nothing is known. The commands
// alike failed as well. at are the lines that show it.
func differ(f, p *step, run *command, between []*step, alike []string) (difference string, at episode.Span) {
	if p.edits() {
		return editOf(f, p, between)
	}
	if p.call.Tool != turns.Shell || f.call.Tool != turns.Shell {
		return otherCall(f, p), narrow(p.at)
	}
	d := differences{of: p}
	edits, done, likely := changesIn(f, between)
	if run != nil && f.check != nil {
		d.env(slices.Concat(f.line.env, f.check.env), slices.Concat(p.line.env, run.env))
	}
	if p.call.Outside && !f.call.Outside {
		d.add("outside the sandbox")
	}
	before := slices.DeleteFunc(p.line.before(run, f), func(c command) bool { return slices.Contains(alike, c.shown()) })
	unknown := shellError().MatchString(f.tells) // the program itself
	if name := notFound().FindStringSubmatch(f.tells); name != nil && !strings.Contains(p.call.Command, name[1]) {
		d.add("without " + quoted(name[1]))
		return d.text(), d.at
	}
	if run != nil && f.check != nil && (!unknown || run.via != f.check.via) &&
		(f.misused() || len(d.parts)+len(edits)+len(done)+len(before) == 0) {
		d.words(f.check, run)
	}
	d.edits(edits, f)
	if d.after(append(done, before...)); len(d.parts) == 0 {
		d.after(last(likely, 1))
	}
	if dir := p.dir(); len(d.parts) == 0 && dir != f.dir() {
		d.add("in " + quoted(cmp.Or(dir, "the project's folder")))
	}
	return d.text(), d.at
}

// notFound matches what a shell says of a program that it does not find.
var notFound = lazy.Pattern(`command not found: (\S+)`)

// speaksOf is how many names an edit has in common with the error of f, at most a few.
func (s *step) speaksOf(f *step) (n int) {
	for _, name := range namesIn(f.tells) {
		if strings.Contains(s.call.Old, name) || strings.Contains(s.call.New, name) ||
			slices.ContainsFunc(s.call.Files, func(file string) bool { return strings.Contains(file, name) }) {
			n++
		}
	}
	return n
}

// namesIn are names of code and files in an error, at most a few.
func namesIn(tells string) []string {
	return distinct(named().FindAllString(tells, -1))
}

// named matches names of code and files.
var named = lazy.Pattern(`\b\w{2,}[._/-]\w[\w./-]+|\b\w*[a-z0-9_][A-Z]\w*`)

// writesProse reports whether all files of an edit are documents.
func (s *step) writesProse() bool {
	return len(s.call.Files) > 0 && !slices.ContainsFunc(s.call.Files, func(file string) bool {
		ext := path.Ext(file)
		return ext != ".md" && ext != ".txt"
	})
}

// dir is the folder in which a line runs its commands, if that is known.
func (s *step) dir() string {
	if n := len(s.line.dirs); n > 0 {
		return s.line.dirs[n-1]
	}
	return s.call.Dir
}

// differences are what differs, the most certain first.
type differences struct {
	parts []string
	at    episode.Span // where they are seen
	of    *step        // the later run, which shows them if no other step does
}

// add adds a difference that is seen close to the others.
func (d *differences) add(part string, by ...*step) {
	if part == "" || slices.Contains(d.parts, part) {
		return
	}
	at := narrow(cmp.Or(append(by, d.of)...).at)
	for _, s := range by {
		at = facts.Around(at, narrow(s.at))
	}
	if len(d.parts) > 0 {
		if at = facts.Around(d.at, at); at[1]-at[0] >= max(widest, d.at[1]-d.at[0]+1) {
			return
		}
	}
	d.parts, d.at = append(d.parts, part), at
}

// edits adds edits, those first that speak of the error of f, then the newest.
func (d *differences) edits(edits []*step, f *step) {
	slices.Reverse(edits)
	slices.SortStableFunc(edits, func(a, b *step) int { return b.speaksOf(f) - a.speaksOf(f) })
	for _, e := range edits {
		d.add(editText(e, f.tells), e)
	}
}

// text joins as many differences as there is room for.
func (d *differences) text() string {
	if len(d.parts) == 0 {
		return ""
	}
	text := clip(d.parts[0], mostDifference)
	for i, part := range d.parts[1:] {
		if len(text)+len(part)+2 > mostDifference {
			if more := ", and more"; len(text)+len(more) <= mostDifference && i+1 < len(d.parts) {
				text += more
			}
			break
		}
		text += ", " + part
	}
	return text
}

// clip shortens a text to at most most bytes; what is quoted in it stays quoted.
func clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	cut := strings.TrimRight(turns.Start(text, most-len("…`")), " ") + "…"
	if strings.Count(cut, "`")%2 == 1 {
		cut += "`"
	}
	return cut
}

func quoted(words ...string) string {
	return "`" + strings.ReplaceAll(oneLine(strings.Join(words, " ")), "`", "'") + "`"
}

// env adds the environment variables that differ.
func (d *differences) env(before, after []string) {
	name := func(a string) string { n, _, _ := strings.Cut(a, "="); return n }
	for _, a := range after {
		if !slices.Contains(before, a) {
			d.add("with " + quoted(a))
		}
	}
	for _, a := range before {
		if !slices.ContainsFunc(after, func(b string) bool { return name(a) == name(b) }) {
			d.add("without " + quoted(name(a)))
		}
	}
}

// mostWords is how many arguments are named one by one.
const mostWords = 3

// words adds the arguments that differ.
func (d *differences) words(c, e *command) {
	if c.name != e.name {
		was, is := *c, *e
		was.writes, is.writes = "", "" // the programs, not what they write
		d.add(quoted(is.shown()) + " instead of " + quoted(clip(was.shown(), mostDifference/3)))
		return
	}
	gone, fresh := without(c.args, e.args), without(e.args, c.args)
	if all := slices.Concat(gone, fresh); len(all) == 1 && all[0] == "--" { // it only parts the others
		return
	}
	plain := len(gone) <= mostWords && len(fresh) <= mostWords &&
		!slices.ContainsFunc(slices.Concat(gone, fresh), func(a string) bool { return len(a) > mostDifference/2 })
	switch {
	case len(gone)+len(fresh) == 0:
		if c.via != e.via && e.via != "" {
			d.add("with " + quoted(e.via))
		}
	case !plain:
		x, y := changed(strings.Join(c.args, " "), strings.Join(e.args, " "), editBytes)
		if x == "" || y == "" || len(x)+len(y) > mostDifference-20 {
			d.add("as " + quoted(e.shown()))
			return
		}
		d.add(quoted(y) + " instead of " + quoted(x))
	case len(gone) == 0:
		d.add("with " + quoted(fresh...))
	case len(fresh) == 0:
		d.add("without " + quoted(gone...))
	default:
		d.add(quoted(fresh...) + " instead of " + quoted(gone...))
	}
}

// without are the words of a list that are not in another one, and not only about what is shown.
func without(list, other []string) (out []string) {
	other = slices.Clone(other)
	for _, a := range list {
		if i := slices.Index(other, a); i >= 0 {
			other = slices.Delete(other, i, i+1)
		} else if !viewing().MatchString(a) && a != "" {
			out = append(out, a)
		}
	}
	return out
}

// viewing matches flags that change only what is printed.
var viewing = lazy.Pattern(`^(?:-v+|--verbose|-q+|--quiet|--silent|-s|-count=1|--no-color|--color(?:=.*)?|--reporter(?:=.*)?|--tb=\w+|--stacktrace|--nocapture|-x|--no-build|--no-restore|--nologo|--runInBand|--ci|--bail(?:=.*)?)$`)

// shown is a command as it was run.
func (c command) shown() string {
	if c.writes != "" {
		return "writing " + path.Base(c.writes)
	}
	words := slices.Concat(c.env, []string{c.name}, c.args)
	if c.via != "" && wrappers[c.via] == 0 && c.via != "time" && c.via != "env" {
		words = append([]string{c.via}, words...)
	}
	return oneLine(strings.Join(words, " "))
}

// after adds commands that ran before the check.
func (d *differences) after(commands []command) {
	var names []string
	var by []*step
	size := 0
	for _, c := range commands {
		q := quoted(clip(c.shown(), mostDifference/2))
		if c.writes != "" {
			q = c.shown()
		}
		if size += len(q); size < mostDifference && !slices.Contains(names, q) {
			names, by = append(names, q), append(by, cmp.Or(c.by, d.of))
		}
	}
	if len(names) > 0 {
		d.add("after "+strings.Join(names, ", "), by...)
	}
}

// before are the commands of a line in front of one of them that f did not run, and that may
// have changed what it sees.
func (l shellLine) before(run *command, f *step) (out []command) {
	for i := range l.commands {
		c := &l.commands[i]
		if c == run {
			return out
		}
		if c.writes != "" || c.mayChange() && !slices.ContainsFunc(f.line.commands,
			func(o command) bool { return o.shown() == c.shown() }) {
			out = append(out, *c)
		}
	}
	return nil // it is not of this line
}

// sees reports whether a command is what failed.
func (s *step) sees(c *command) bool {
	return s.check != nil && s.check.id() == c.id() && c.kind() != noCheck
}

// mayChange reports whether what a command does can make a difference to others.
func (c command) mayChange() bool {
	switch {
	case moves[c.name], c.name == "sed" && slices.Contains(c.args, "-i"), c.name == "mkdir":
		return true
	case c.feeds, filters[c.name], c.looks(), c.asksAbout(), slices.Contains(c.args, "status"), c.name == "[", c.name == "pwd", c.id() == "git commit", c.id() == "git add", c.id() == "git push":
		return false
	}
	return c.name != "" && !showing[c.name]
}

// showing are programs that only show the state of the machine.
var showing = keys.SetOf("ps id whoami uname date printenv pwd hostname df free nproc lsof netstat ss groups locale tty history man sleep mktemp")

// changesIn are the edits, and the commands that may have changed what a check sees, of the
// steps between two of its runs. Commands that are known to change something outweigh others.
func changesIn(f *step, between []*step) (edits []*step, sure, likely []command) {
	for _, p := range between {
		switch {
		case p.failed || saysFailed(&p.result):
		case p.edits():
			if !p.writesProse() || p.speaksOf(f) > 0 {
				edits = append(edits, p)
			}
		case p.call.Tool == turns.Shell && !p.line.isTrial():
			for _, c := range p.line.commands {
				c.by = p
				switch {
				case f.sees(&c):
				case c.changesFor(f):
					sure = append(sure, c)
				case c.mayChange() && c.kind() == noCheck && !interpreters[c.name] && c.name != "git" && c.name != "mkdir":
					likely = append(likely, c)
				}
			}
		}
	}
	return edits, last(sure, mostWords), likely
}

// isTrial reports whether a line tries something in a place of its own.
func (l shellLine) isTrial() bool {
	return l.runs("git stash") || l.runs("mkdir") && l.runs("rm")
}

func last[T any](list []T, n int) []T { return list[max(0, len(list)-n):] }

// changesFor reports whether a command installs, builds, formats or moves something that the
// check of f may see, or sets the work tree.
func (c command) changesFor(f *step) bool {
	id := c.id()
	switch {
	case slices.Contains(c.args, "status"):
		return false
	case c.writes != "", moves[c.name], workTree().MatchString(id), slices.Contains(c.args, "--fix"), c.name == "sed" && slices.Contains(c.args, "-i"):
		return true
	}
	return installing().MatchString(id) || c.kind() == buildCheck && producing().MatchString(id)
}

var (
	moves = keys.SetOf("mv rm rmdir cp ln chmod chown tee")
	// workTree matches the commands of git that change the work tree.
	workTree  = lazy.Pattern(`^git (?:checkout|restore|reset|merge|rebase|pull|cherry-pick|revert|apply|mv|rm|config|switch)$`)
	producing = lazy.Pattern(`(?i)\b(?:build|generate|compile|format|fmt|tidy)\b`)
)

// otherCall says how a call of another tool than a shell or an editor differs.
func otherCall(f, p *step) string {
	switch {
	case len(f.call.Files) > 0 && len(p.call.Files) > 0 && f.call.Files[0] != p.call.Files[0]:
		x, y := tailOf(p.call.Files[0]), tailOf(f.call.Files[0])
		if x == y {
			x, y = p.call.Files[0], f.call.Files[0]
		}
		return clip(quoted(x)+" instead of "+quoted(y), mostDifference)
	case p.call.Tool == turns.Shell:
		return clip("with "+quoted(p.call.Command), mostDifference)
	case f.call.Text != p.call.Text && p.call.Text != "":
		return clip("with "+quoted(p.call.Text), mostDifference)
	}
	return ""
}

// tailOf is a path without the folders that say least.
func tailOf(file string) string {
	if len(file) > mostDifference/3 {
		return path.Join("…", path.Base(path.Dir(file)), path.Base(file))
	}
	return file
}

// editOf says what made an edit apply that was rejected before: that its file was read in between, another path, a
// place that is clear, or that the file was written whole. What the edit puts in is of account only where that was
// rejected.
func editOf(f, p *step, between []*step) (difference string, at episode.Span) {
	read := slices.IndexFunc(between, func(s *step) bool { return len(p.call.Files) > 0 && s.looksInto(p.call.Files[0]) })
	switch {
	case faulty().MatchString(f.tells):
		return clip(editText(p, f.tells), mostDifference), narrow(p.at)
	case len(p.call.Files) == 0:
		return "", at
	case read >= 0:
		return "after reading " + quoted(clip(path.Base(p.call.Files[0]), mostDifference/2)), narrow(between[read].at)
	case len(f.call.Files) > 0 && !anyAlike(f.call.Files, p.call.Files, sameBase) || len(f.call.Files) == 1 && len(p.call.Files) == 1 && f.call.Files[0] != p.call.Files[0]:
		return otherCall(f, p), narrow(p.at)
	case f.call.Tool == turns.Edit && p.call.Tool == turns.Write:
		return editName(p), narrow(p.at)
	case f.call.Old != "" && len(p.call.Old) > len(f.call.Old) && strings.Contains(p.call.Old, strings.TrimSpace(f.call.Old)):
		return "with more lines around it", narrow(p.at)
	}
	return "", at
}

// faulty matches complaints about what an edit puts in.
var faulty = lazy.Pattern(`(?i)\b(?:syntax|indentation|lint(?:ing|er)?|parse|compil(?:e|ation)) ?errors?\b`)

// looksInto reports whether a step shows what is in a file.
func (s *step) looksInto(file string) bool {
	switch {
	case s.failed:
		return false
	case s.call.Tool == turns.Read || s.call.Tool == turns.Search:
		return slices.ContainsFunc(s.call.Files, func(f string) bool { return sameFile(f, file) })
	}
	return s.call.Tool == turns.Shell && slices.ContainsFunc(s.line.commands, func(c command) bool {
		return (c.quotes() || gitLook().MatchString(c.id())) &&
			slices.ContainsFunc(c.operands(), func(on string) bool { return path.Base(on) == path.Base(file) })
	})
}
