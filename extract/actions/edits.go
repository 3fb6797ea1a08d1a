package actions

import (
	"path"
	"strings"

	"episodes/internal/lazy"
	"episodes/internal/turns"
)

// editText says what an edit changed, in few words.
func editText(e *step) string {
	name := "edit"
	if e.call.Tool == turns.Write {
		name = "writing"
	}
	if len(e.call.Files) > 0 {
		name += " of " + path.Base(e.call.Files[0])
	}
	before, after := changed(e.call.Old, e.call.New)
	if e.call.Old == "" {
		if m := searchBlock().FindStringSubmatch(e.call.New); m != nil {
			before, after = changed(m[1], m[2])
		} else if patchText().MatchString(e.call.New) {
			before, after = changedBy(e.call.New)
		}
	}
	half := (mostDifference - len(name)) / 2
	switch {
	case e.call.Tool == turns.Write:
		return name
	case before != "" && after != "":
		return name + ": " + quoted(clip(before, half-6)) + " → " + quoted(clip(after, half-6))
	case after != "" && e.call.Old != "":
		return name + ": adds " + quoted(clip(after, 2*half-12))
	case after != "":
		return name + ": " + quoted(clip(after, 2*half-8))
	case before != "":
		return name + ": removes " + quoted(clip(before, 2*half-14))
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
