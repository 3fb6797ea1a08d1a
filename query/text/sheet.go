// Package text renders the answers of package query for people.
//
// Every text is limited to a budget of tokens of four bytes each: the given one or, for 0,
// the default of its kind. The best items come first; what does not fit is shortened, then
// left out, and the last line says how much is missing.
//
// Texts of logs and records are put in quotation marks that they cannot end, on one line of
// at most maxItem bytes, so that they cannot be mistaken for the program's own statements.
// Lines of logs follow a bar.
package text

import (
	"fmt"
	"strings"

	"episodes/causal"
	"episodes/internal/plain"
	"episodes/query"
)

// The standard budgets in tokens. A text stays below its budget.
const (
	PathTokens    = 200
	PatternTokens = 100
	WhatIfTokens  = 1000
	ExplainTokens = 2000
)

// maxItem is the largest number of bytes of one quotation.
const maxItem = 300

// noBudget is the budget of answers without a standard one.
const noBudget = 1 << 20

// maxBytes is the largest number of bytes of a text below a budget.
func maxBytes(tokens int) int { return max(0, 4*tokens-1) }

// sheet is a text in units, the most important first. A unit is one line or a few that
// belong together, each with its line end.
type sheet struct {
	units []string
}

// add appends a unit. Its lines are made safe to print, and remain single lines.
func (s *sheet) add(lines ...string) {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(plain.Line(l))
		b.WriteByte('\n')
	}
	s.units = append(s.units, b.String())
}

func (s *sheet) addf(format string, args ...any) { s.add(fmt.Sprintf(format, args...)) }

func (s *sheet) String() string { return strings.Join(s.units, "") }

// cut returns as many units from the top as stay below the budget, and a line with how
// much is left out. If not even the first unit fits, it cuts between lines.
func (s *sheet) cut(tokens int) string {
	all := s.String()
	if len(all) <= maxBytes(tokens) {
		return all
	}
	kept := fitting(s.units, len(all), tokens)
	if kept == 0 {
		lines := strings.SplitAfter(all, "\n")
		kept = fitting(lines, len(all), tokens)
		return plain.Clip(strings.Join(lines[:kept], "")+leftOut(all, lines[:kept]), maxBytes(tokens))
	}
	return strings.Join(s.units[:kept], "") + leftOut(all, s.units[:kept])
}

// fitting is how many parts fit together with the line about what is left out.
func fitting(parts []string, total, tokens int) int {
	size, kept := 0, 0
	for i, p := range parts {
		size += len(p)
		if size+len(restLine(total, total)) > maxBytes(tokens) {
			break
		}
		kept = i + 1
	}
	return kept
}

func leftOut(all string, kept []string) string {
	rest := all[len(strings.Join(kept, "")):]
	return restLine(strings.Count(rest, "\n"), len(rest))
}

func restLine(lines, bytes int) string {
	return fmt.Sprintf("… left out: %s (about %d tokens)\n", plain.Plural(lines, "line"), (bytes+3)/4)
}

// detail is the level of detail of a text.
type detail struct {
	width int // bytes of a label
	items int // entries of a list
}

// details lists the levels, the fullest first.
var details = []detail{{400, 1000}, {240, 100}, {160, 30}, {120, 16}, {100, 12}, {80, 8}, {64, 6}, {48, 4},
	{40, 3}, {32, 2}, {24, 1}, {16, 1}, {12, 0}}

// fit renders at the fullest detail that stays below the budget.
func fit(tokens int, render func(detail) *sheet) string {
	var s *sheet
	for _, d := range details {
		s = render(d)
		if len(s.String()) <= maxBytes(tokens) {
			return s.String()
		}
	}
	return s.cut(tokens)
}

// unitDetails are the levels for texts of which whole units may be left out: long labels
// and short lists, since another unit is worth more than a longer list.
var unitDetails = []detail{{400, 1000}, {240, 30}, {160, 12}, {120, 6}, {100, 3}, {80, 2}, {64, 2}, readable,
	{48, 1}, {40, 1}, {32, 1}, {24, 1}, {16, 1}, {12, 0}}

// readable is the least detail that is used to make room for another unit.
var readable = detail{64, 1}

// fitUnits renders at the fullest detail at which everything stays below the budget.
// Where labels would become unreadable, units are left out from the end instead; labels
// only get shorter if not even the first unit fits.
func fitUnits(tokens int, render func(detail) *sheet) string {
	var s *sheet
	for _, d := range unitDetails {
		s = render(d)
		all := s.String()
		if len(all) <= maxBytes(tokens) ||
			d.width <= readable.width && d.items <= readable.items && fitting(s.units[:1], len(all), tokens) == 1 {
			break
		}
	}
	return s.cut(tokens)
}

// short makes a text printable and at most width bytes long, cut between words where one
// ends near.
func short(s string, width int) string {
	s = plain.Words(s)
	if len(s) <= width {
		return s
	}
	s = plain.Clip(s, width-len("…"))
	if i := strings.LastIndexByte(s, ' '); i > len(s)*3/4 {
		s = s[:i]
	}
	return strings.TrimRight(s, " ,;:.-") + "…"
}

// quoteLabel quotes the label of a node.
func quoteLabel(n query.Node, width int) string { return fullLabel(n, min(width, maxItem)) }

// fullLabel quotes the label of a node without the limit of a quotation. A decision's
// joins a question and the option with a colon, which a question mark makes superfluous.
func fullLabel(n query.Node, width int) string {
	if n.Type == causal.DecisionNode {
		n.Label = strings.Replace(n.Label, "?: ", "? ", 1)
	}
	was := superseded(n.Superseded, detail{width: width})
	if n.Later != nil && n.Later.Date != "" {
		was = strings.Replace(was, "(", "(was, until "+n.Later.Date+"; ", 1)
	}
	return full(n.Label, width) + was
}

// superseded says what took the place of a decision.
func superseded(by string, d detail) string {
	switch by {
	case "":
		return ""
	case causal.NotNamed:
		return " (superseded)"
	}
	return " (superseded by " + quote(by, d.width) + ")"
}

// now adds what holds in place of a decision, before all else: what reverses it later or, without
// that, what its log names.
func (s *sheet) now(was query.Node, width int) {
	switch l := was.Later; {
	case l != nil && l.Reverses && l.Date != "":
		s.addf("%s; was, until %s: %s", laterLine(l, width), l.Date, quote(was.Label, width))
	case l != nil && l.Reverses:
		s.addf("%s; was: %s", laterLine(l, width), quote(was.Label, width))
	case was.Superseded != "" && was.Superseded != causal.NotNamed:
		s.addf("Now: %s; was: %s", quote(was.Superseded, width), quote(was.Label, width))
	}
}

// quote returns a shortened text of a log in quotation marks, which it cannot end.
func quote(s string, width int) string {
	return `"` + short(plain.Unquote(s), min(width, maxItem)) + `"`
}

// name is an identifier or a path of a record, quoted where it could be taken for more.
func name(s string) string { return plain.Name(s, maxItem) }

// ids lists episodes: as many as items and width allow, and how many more.
func ids(list []string, d detail) string {
	n := min(len(list), max(d.items, 0))
	shown := make([]string, 0, n)
	size := 0
	for _, id := range list[:n] {
		id = name(id)
		if size += len(id); size > 4*d.width && len(shown) > 0 || len(id) > 4*d.width {
			break // an id is never cut
		}
		shown = append(shown, id)
	}
	switch rest := len(list) - len(shown); {
	case len(shown) == 0:
		return plain.Plural(len(list), "episode")
	case rest == 0:
		return strings.Join(shown, ", ")
	default:
		return fmt.Sprintf("%s and %d more", strings.Join(shown, ", "), rest)
	}
}
