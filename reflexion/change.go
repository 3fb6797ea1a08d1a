package reflexion

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"episodes/internal/lazy"
	"episodes/internal/plain"
	"episodes/internal/snapshot"
	"episodes/keys"
)

// Limits of the text on a change: bytes of it and of each side of an edit, and other files.
const maxChange, maxSide, maxOthers = 360, 120, 3

// piece is a part of a change: an edit, or a file (of) whose lines are not known.
type piece struct {
	snapshot.Edit
	of *snapshot.FileChange
}

// ChangeText says what an attempt changed, with files and lines: first what is nearest to
// an error, which may be nil. It is "" when nothing is known to have changed.
func ChangeText(c *snapshot.Changes, about *Problem) string {
	if c.Empty() {
		return ""
	}
	all := pieces(c)
	near := map[*piece]int{}
	for _, p := range all {
		near[p] = nearness(p, about)
	}
	slices.SortStableFunc(all, func(a, b *piece) int { return cmp.Compare(near[b], near[a]) })
	s := all[0].text()
	named := 1
	if len(all) > 1 && (near[all[1]] == near[all[0]] || len(all) == 2) {
		if more := s + "; " + all[1].text(); len(more) <= maxChange {
			s, named = more, 2
		}
	}
	if len(all) > named || c.Cut {
		s += fmt.Sprintf("; in all +%d -%d%s", c.Additions, c.Deletions, others(c, all[:named]))
	}
	return s
}

func others(c *snapshot.Changes, shown []*piece) string {
	var names []string
	for _, f := range c.Files {
		if !slices.ContainsFunc(shown, func(p *piece) bool { return p.Path == f.Path }) {
			names = append(names, plain.Cut(plain.Words(f.Path), maxPathShown))
		}
	}
	if len(names) == 0 {
		return ""
	}
	s := ", also in " + strings.Join(names[:min(len(names), maxOthers)], ", ")
	if left := len(names) + c.Left - maxOthers; left > 0 {
		s += fmt.Sprintf(" and %d more", left)
	}
	return s
}

func pieces(c *snapshot.Changes) (out []*piece) {
	byFile := map[string][]snapshot.Edit{}
	for _, e := range c.Edits() {
		if strings.TrimSpace(strings.Join(e.Old, "")+strings.Join(e.New, "")) != "" { // more than blank lines
			byFile[e.Path] = append(byFile[e.Path], e)
		}
	}
	for i := range c.Files {
		f := &c.Files[i]
		if f.Kind == snapshot.Deleted || f.Kind == snapshot.Renamed || len(byFile[f.Path]) == 0 {
			out = append(out, &piece{snapshot.Edit{Path: f.Path}, f})
			continue
		}
		for _, e := range byFile[f.Path] {
			out = append(out, &piece{e, nil})
		}
	}
	return out
}

// text says what a piece is. Edits have one form, by which keys know them.
func (p *piece) text() string {
	path := plain.Cut(plain.Words(p.Path), maxPathShown)
	at := fmt.Sprintf("%s:%d", path, p.Line)
	switch {
	case p.of != nil && p.of.Kind == snapshot.Renamed:
		return "renamed " + plain.Cut(p.of.From, maxPathShown) + " to " + path
	case p.of != nil:
		return p.of.Kind + " " + path
	case len(p.Old) == 0:
		return "added to " + at + " " + quoted(p.New)
	case len(p.New) == 0:
		return "removed from " + at + " " + quoted(p.Old)
	}
	return "changed " + at + " from " + quoted(p.Old) + " to " + quoted(p.New)
}

// IsEdit reports whether a text has the form of an edit in the result of ChangeText.
func IsEdit(text string) bool { return editText().MatchString(text) }

var editText = lazy.Pattern(`^(?:changed|added to|removed from) \S+:\d+ (?:from )?"`)

func quoted(lines []string) string {
	return `"` + plain.Cut(strings.Join(wordsOf(lines), " ⏎ "), maxSide) + `"`
}

// testName is what names of files with tests have around the name of what they test.
var testName = lazy.Pattern(`(?i)^(?:test[_-]|tests?\.)|(?:[_.-](?:test|tests|spec|unit)|Tests?|Spec)$`)

// stem is the name of a file, without its ending and without what says that it holds tests.
func stem(file string) (name string, isTest bool) {
	name = path.Base(strings.ReplaceAll(file, `\`, "/"))
	name = strings.TrimSuffix(name, path.Ext(name))
	bare := testName().ReplaceAllString(name, "")
	return strings.ToLower(bare), bare != name
}

var identifier = lazy.Pattern(`[A-Za-z_][A-Za-z0-9_]{3,}`)

// nearness is how much a piece has to do with an error: its file, the file that it tests,
// words in common.
func nearness(p *piece, about *Problem) (n int) {
	own, isTest := stem(p.Path)
	if !isTest {
		n++
	}
	if about == nil {
		return n
	}
	if about.File != "" {
		name, _ := stem(about.File)
		switch {
		case strings.HasSuffix("/"+p.Path, "/"+strings.TrimPrefix(about.File, "./")):
			n += 8
		case name == own:
			n += 6
		}
	}
	words := about.Rule + " " + about.Message
	if strings.Contains(words, path.Base(p.Path)) {
		n += 4
	}
	shared := 0
	words = strings.ToLower(words)
	for _, l := range slices.Concat(p.Old, p.New) {
		for _, w := range identifier().FindAllString(strings.ToLower(l), 20) {
			if strings.Contains(words, w) {
				shared++
			}
		}
	}
	return n + min(shared, 3)
}

// Tried are the edits nearest to errors that stayed after them, as keys of options.
func Tried(history []*Record) map[string]bool {
	out := map[string]bool{}
	for _, t := range Turns(history) {
		if t.Actor.Changed.Empty() {
			continue
		}
		all := pieces(t.Actor.Changed)
		for _, e := range t.Stayed {
			most := 0
			for _, p := range all {
				most = max(most, nearness(p, &e))
			}
			for _, p := range all {
				if nearness(p, &e) == most {
					out[keys.Option(p.text())] = true
				}
			}
		}
	}
	return out
}

// Touches reports whether a change touches a file that a text names.
func Touches(c *snapshot.Changes, text string) bool {
	return c != nil && slices.ContainsFunc(c.Files, func(f snapshot.FileChange) bool {
		base := path.Base(f.Path)
		return len(base) > 3 && strings.Contains(text, base)
	})
}

var (
	// replaced is what an edit in the result of ChangeText replaces, in a text without double quotes.
	replaced = lazy.Pattern(`from '.*?' to '`)
	// namedValue is a value or symbol that a text names: in quotation marks, as a call, or compound.
	namedValue = lazy.Pattern("'([^']{3,})'|`([^`]{2,})`|([A-Za-z_][\\w.]*\\()|\\b([a-z]+[A-Z]\\w*|\\w+_\\w+)\\b")
)

// Follows reports whether an attempt did what a text names: it added a line or a value, removed a
// line that the text says to remove, or ran a command.
func Follows(a *ActorOutput, text string) bool {
	text = replaced().ReplaceAllString(plain.Unquote(plain.Words(text)), "to '")
	var added, removed []string // as texts quote them
	for _, e := range a.Changed.Edits() {
		added, removed = append(added, wordsOf(e.New)...), append(removed, wordsOf(e.Old)...)
	}
	for _, lines := range [][]string{added, removed} {
		for i := range lines {
			lines[i] = plain.Unquote(lines[i])
		}
	}
	in := func(lines []string, value string) bool {
		return slices.ContainsFunc(lines, func(l string) bool { return strings.Contains(l, value) })
	}
	names := func(lines, others []string) bool {
		return slices.ContainsFunc(lines, func(l string) bool {
			return !slices.Contains(others, l) && (strings.Contains(text, "'"+l+"'") || len(l) > 8 && strings.Contains(text, l))
		})
	}
	if names(added, removed) || strings.Contains(text, "removed from ") && names(removed, added) {
		return true
	}
	for _, m := range namedValue().FindAllStringSubmatch(text, -1) {
		value := cmp.Or(m[1:]...)
		if in(added, value) && !in(removed, value) ||
			slices.ContainsFunc(a.Actions, func(x Action) bool { return x.Command != "" && strings.Contains(plain.Unquote(x.Command), value) }) {
			return true
		}
	}
	return false
}

// wordsOf are the words of lines that have any.
func wordsOf(lines []string) (out []string) {
	for _, l := range lines {
		if l = plain.Words(l); l != "" {
			out = append(out, l)
		}
	}
	return out
}

// Failed reports whether an attempt of a loop followed a text, and none of its errors went.
func Failed(history []*Record, text string) bool {
	return slices.ContainsFunc(Turns(history), func(t Turn) bool {
		return len(t.Gone) == 0 && !t.Evaluator.Passed && Follows(&t.Actor, text)
	})
}

// Earned is how often a lesson was followed and errors went, less how often they went without it
// or stayed although it was followed: in the attempts whose prompts had it as the lesson ref of
// another session, and in those whose prompts had the reflection of their own loop that says it.
func Earned(records []*Record, ref, text string) (n int) {
	key := keys.Canonical(text)
	for _, rs := range ByLoop(records) {
		says := map[int]bool{}
		for _, t := range Turns(rs) {
			shown, followed := slices.Contains(t.Recalled, ref), slices.Contains(t.Followed, ref)
			if slices.ContainsFunc(t.Used, func(i int) bool { return says[i] }) {
				shown, followed = true, Follows(&t.Actor, text)
			}
			went := len(t.Gone) > 0 || t.Evaluator.Passed
			switch {
			case shown && followed && went:
				n++
			case shown && (followed || went):
				n--
			}
			says[t.Iteration] = slices.ContainsFunc(t.Reflection.Lessons, func(l string) bool { return keys.Canonical(l) == key })
		}
	}
	return n
}
