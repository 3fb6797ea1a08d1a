package actions

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"episodes/internal/lazy"
	"episodes/internal/turns"
)

// mostEdits is how many edits a way out names.
const mostEdits = 3

func wayText(f *step, w way) string {
	name := w.seen.name()
	if f.check != nil && w.seen.line.runs(f.name()) {
		name = f.name()
	}
	what := name + " passes"
	if w.gone {
		what = name + " no longer fails so"
	}
	if w.seen.call.Tool != turns.Shell {
		what = editText(w.seen) + " works"
	}
	if len(w.by) == 0 {
		if w.seen.call.Tool == turns.Shell && w.seen.call.Command != f.call.Command {
			what += ": " + short(w.seen.call.Command)
		}
		return what
	}
	var edits []string
	for _, e := range w.by {
		if t := changeText(f, e); !slices.Contains(edits, t) {
			edits = append(edits, t)
		}
	}
	more := ""
	if len(edits) > mostEdits {
		more = fmt.Sprintf(" and %d more", len(edits)-mostEdits)
		edits = edits[len(edits)-mostEdits:]
	}
	return what + " after " + strings.Join(edits, "; ") + more
}

// changeText says what a step changed that led out of f.
func changeText(f, e *step) string {
	if e.call.Tool != turns.Shell || e.line.installs() {
		return editText(e)
	}
	var words []string
	for _, c := range e.line.changes(f) {
		words = append(words, oneLine(c.name+" "+strings.Join(c.args, " ")))
	}
	return short(strings.Join(words, "; "))
}

// editText says what an edit changed, in few words.
func editText(e *step) string {
	if e.call.Tool == turns.Shell {
		return short(e.call.Command)
	}
	name := e.name()
	if len(e.call.Files) > 0 {
		name += " " + path.Base(e.call.Files[0])
	}
	before, after := changed(e.call.Old, e.call.New)
	if e.call.Old == "" {
		if m := searchBlock().FindStringSubmatch(e.call.New); m != nil {
			before, after = changed(m[1], m[2])
		} else if patchText().MatchString(e.call.New) {
			before, after = changedBy(e.call.New)
		}
	}
	switch {
	case before != "" && after != "":
		return fmt.Sprintf("%s (%q to %q)", name, before, after)
	case after != "" && e.call.Tool == turns.Edit && e.call.Old != "":
		return fmt.Sprintf("%s (adds %q)", name, after)
	case after != "" && e.call.Tool == turns.Edit:
		return fmt.Sprintf("%s (%q)", name, after)
	case before != "" && e.call.Tool == turns.Edit:
		return fmt.Sprintf("%s (removes %q)", name, before)
	}
	return name
}

const editBytes = 80

var (
	patchText   = lazy.Pattern(`(?m)^(?:\*\*\* Begin Patch|@@|diff --git |--- \S)`)
	searchBlock = lazy.Pattern(`(?s)(?:<{5,}|-{5,}) SEARCH>?\n(.*?)\n?={5,}\n(.*?)\n?(?:>{5,}|\+{5,}) REPLACE`)
)

// changedBy are the first lines that a patch takes away and adds.
func changedBy(patch string) (before, after string) {
	for line := range strings.Lines(patch) {
		text := turns.Start(oneLine(strings.TrimLeft(line, "+-")), editBytes)
		switch {
		case text == "" || strings.HasPrefix(line, "---") || strings.HasPrefix(line, "+++"):
		case line[0] == '-' && before == "" && after == "":
			before = text
		case line[0] == '+' && after == "":
			after = text
		}
	}
	return before, after
}

// changed are the first lines in which two texts differ; of long ones the part that does.
func changed(before, after string) (string, string) {
	a, b := strings.Split(before, "\n"), strings.Split(after, "\n")
	for len(a) > 1 && len(b) > 1 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 1 && len(b) > 1 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	if a[0] == b[0] { // lines were put behind it, or taken away there
		if len(b) > 1 {
			return "", turns.Start(oneLine(b[1]), editBytes)
		}
		if len(a) > 1 {
			return turns.Start(oneLine(a[1]), editBytes), ""
		}
	}
	x, y := oneLine(a[0]), oneLine(b[0])
	if x != y && turns.Start(x, editBytes) == turns.Start(y, editBytes) {
		same := 0
		for same < min(len(x), len(y)) && x[same] == y[same] {
			same++
		}
		from := strings.LastIndexByte(x[:same], ' ') + 1
		x, y = "…"+x[from:], "…"+y[from:]
	}
	return turns.Start(x, editBytes), turns.Start(y, editBytes)
}
