package actions

import (
	"path"
	"strings"

	"episodes/internal/lazy"
	"episodes/internal/turns"
)

// editName says which file an edit changed.
func editName(e *step) string {
	name := "edit"
	if e.call.Tool == turns.Write {
		name = "writing"
	}
	if len(e.call.Files) > 0 {
		name += " of " + clip(path.Base(e.call.Files[0]), mostDifference/3)
	}
	return name
}

// editText says what an edit changed, in few words: of several lines the one that has a name in common with an error.
func editText(e *step, tells string) string {
	name := editName(e)
	before, after := tellingEdit(e.gone, tells), tellingEdit(e.fresh, tells)
	half := (mostDifference - len(name)) / 2
	switch {
	case e.call.Tool == turns.Write:
		return name
	case before != "" && after != "":
		before, after = changed(before, after, half-8)
		return name + ": " + quoted(clip(before, half-6)) + " → " + quoted(clip(after, half-6))
	case after != "" && e.call.Old == "" && !e.patch:
		return name + ": " + quoted(clip(turns.Start(after, editBytes), 2*half-8))
	case after != "":
		return name + ": adds " + quoted(clip(turns.Start(after, editBytes), 2*half-12))
	case before != "":
		return name + ": removes " + quoted(clip(turns.Start(before, editBytes), 2*half-14))
	}
	return name
}

// tellingEdit is the line that says most of an edit that answers an error: the first with a name of the error, else
// the first that is no import, comment or bracket.
func tellingEdit(lines []string, tells string) string {
	names := namesIn(tells)
	for _, line := range lines {
		if containsAny(line, names) {
			return line
		}
	}
	for _, line := range lines {
		if !plumbing().MatchString(line) {
			return line
		}
	}
	if len(lines) > 0 {
		return lines[0]
	}
	return ""
}

// plumbing matches lines that say little of what an edit does.
var plumbing = lazy.Pattern(`^(?:import\b|from \S+ import|using \S+;|#include|package |use \S+;|//|#|\*|/\*|--|"""|[\W_]*$)`)

// How much of a line is shown, and how much of it is kept.
const (
	editBytes = 80
	lineBytes = 200
)

// compare keeps the first lines that an edit takes away and puts in.
func (s *step) compare() {
	before, after := s.call.Old, s.call.New
	if before == "" {
		if m := searchBlock().FindStringSubmatch(after); m != nil {
			before, after = m[1], m[2]
		} else if patchText().MatchString(after) {
			before, after = sidesOf(after)
		}
		s.patch = after != s.call.New
	}
	a, b := strings.Split(before, "\n"), strings.Split(after, "\n")
	s.gone, s.fresh = linesNotIn(a, b), linesNotIn(b, a)
}

// linesNotIn are the first lines of a list that are not in another one, each on its own and without indentation.
func linesNotIn(list, other []string) (out []string) {
	has := map[string]int{}
	for _, line := range other {
		has[oneLine(line)]++
	}
	for _, line := range list {
		line = oneLine(line)
		if has[line]--; has[line] < 0 && line != "" && len(out) < mostLines {
			out = append(out, string([]byte(turns.Start(line, lineBytes))))
		}
	}
	return out
}

var (
	patchText   = lazy.Pattern(`(?m)^(?:\*\*\* Begin Patch|@@|diff --git |--- \S)`)
	searchBlock = lazy.Pattern(`(?s)(?:<{5,}|-{5,}) SEARCH>?\n(.*?)\n?={5,}\n(.*?)\n?(?:>{5,}|\+{5,}) REPLACE`)
)

// sidesOf are the lines that a patch takes away and adds.
func sidesOf(patch string) (before, after string) {
	var a, b []string
	for line := range strings.Lines(patch) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case line == "" || strings.HasPrefix(line, "---") || strings.HasPrefix(line, "+++"):
		case line[0] == '-':
			a = append(a, line[1:])
		case line[0] == '+':
			b = append(b, line[1:])
		}
	}
	return strings.Join(a, "\n"), strings.Join(b, "\n")
}

// changed shortens two lines to the part in which they differ, where as much as is shown of them is the same.
func changed(x, y string, shown int) (string, string) {
	x, y = oneLine(x), oneLine(y)
	if x != y && turns.Start(x, shown) == turns.Start(y, shown) {
		same := 0
		for same < min(len(x), len(y)) && x[same] == y[same] {
			same++
		}
		from := strings.LastIndexByte(x[:same], ' ') + 1
		x, y = "…"+x[from:], "…"+y[from:]
	}
	return turns.Start(x, editBytes), turns.Start(y, editBytes)
}
