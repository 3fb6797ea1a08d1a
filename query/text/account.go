package text

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"episodes/causal"
	"episodes/internal/plain"
	"episodes/query"
)

// mostFull is the largest number of bytes of a statement that is not shortened otherwise:
// more than extraction keeps of one.
const mostFull = 600

// fixHead returns the label of a fix. It has counts of sessions if there are several, which
// may disagree: "Fix that held, 2 of 2".
func fixHead(x query.Said, sessions int) string {
	t := x.Outcomes
	switch {
	case x.Recurred():
		return "Tried, and the error came again"
	case x.Failed() && t.Failure == 0:
		return fmt.Sprintf("Tried, helped in part, %d", t.Partial)
	case x.Failed():
		return fmt.Sprintf("Tried and failed, %d", t.Known())
	case !x.Held():
		return fmt.Sprintf("Tried, worked %d of %d", t.Success, t.Known())
	case t.Known() == 0:
		return "Fix, result unknown"
	case sessions < 2:
		return "Fix"
	case x.Of != "":
		return fmt.Sprintf("Fix, worked %d of %d", t.Success, t.Known())
	case x.Again > 0:
		return fmt.Sprintf("Fix, worked %d of %d, error seen again in %s", t.Success, t.Known(), plain.Plural(x.Again, "later session"))
	}
	return fmt.Sprintf("Fix that held, %d of %d", t.Success, t.Known())
}

// mostSaid is the largest number of causes, and of fixes, that are shown.
const mostSaid = 3

// accountWidths are the bytes for the subject and its causes, the fullest first. Fixes
// are always whole, so the others make room for them.
var accountWidths = []int{mostFull, maxItem, 160, 100, 60, 30}

// withAccount renders the text at the largest width at which its head, with the subject and
// its account, fits into the budget. At width 0 the head has no causes.
func withAccount(tokens int, render func(width int) (s *sheet, head int)) string {
	var s *sheet
	for _, width := range append(accountWidths, 0) {
		var head int
		s, head = render(width)
		if len(s.String()) <= maxBytes(tokens) || head <= len(s.units) && fitting(s.units[:head], len(s.String()), tokens) == head {
			break
		}
	}
	return s.cut(tokens)
}

// accountLines adds the causes, fixes and reasons of an account, and returns what they name.
// sessions is how many speak of the subject.
func accountLines(s *sheet, a *query.Account, of causal.NodeType, sessions, width int) (named []query.Said) {
	if a == nil {
		return nil
	}
	said := func(head func(query.Said) string, more string, list []query.Said, own int) {
		for i, x := range list {
			if i == mostSaid {
				s.add(strings.ReplaceAll(more, "N", fmt.Sprint(len(list)-i)))
				break
			}
			s.add(saidLines(head(x), x, own, max(width, 30))...)
			s.add("  " + saidWhere(x)) // apart, since a short text does without
		}
		named = append(named, list...)
	}
	always := func(head string) func(query.Said) string { return func(query.Said) string { return head } }
	if width > 0 {
		cause, more := "Cause", "and N more causes"
		if of == causal.DecisionNode {
			cause, more = "Answers", "and N more that it answers"
		}
		said(always(cause), more, a.Causes, width)
		said(always("Reason"), "and N more reasons", a.Reasons, mostFull)
		if a.Later != nil && !a.Later.Reverses {
			s.add(laterLine(a.Later, width))
		}
	}
	held, failed := a.Fixes, []query.Said(nil)
	if i := slices.IndexFunc(a.Fixes, func(x query.Said) bool { return !x.Held() }); i >= 0 { // those that held come first
		held, failed = a.Fixes[:i], a.Fixes[i:]
	}
	head := func(x query.Said) string { return fixHead(x, sessions) }
	said(head, "and N more fixes", held, mostFull)
	said(head, "and N more that failed or helped in part", failed, mostFull)
	if at := a.Section; at != nil && len(at.Quote) > 0 {
		lines := []string{"The logs link nothing more to it; it stands here:", "- " + location(*at)}
		for _, q := range at.Quote {
			lines = append(lines, "  | "+plain.Cut(plain.Words(q), 2*maxItem))
		}
		s.add(lines...)
	}
	return named
}

// laterLine says what a later session decided instead.
func laterLine(l *query.LaterDecision, width int) string {
	how := "Later decided otherwise"
	if l.Reverses {
		how = "Now"
	}
	return fmt.Sprintf("%s: %s (%s, %s)", how, quote(l.Chosen, max(width, 30)), l.Date, name(l.Episode+"#"+l.Record))
}

// saidLines renders a statement in own bytes, and what accompanies it in width bytes.
func saidLines(head string, x query.Said, own, width int) []string {
	lines := []string{head + ": " + full(x.Text, own) + superseded(x.Superseded, detail{width: width})}
	if x.Of != "" {
		lines = append(lines, fmt.Sprintf("  (for %s, which the log links to it)", quote(x.Of, min(width, 160))))
	}
	if x.Rationale != "" {
		lines = append(lines, "  because "+full(x.Rationale, width))
	}
	return lines
}

// saidWhere returns the place of a statement.
func saidWhere(x query.Said) string {
	at := location(x.Evidence)
	if n := x.Outcomes.Total(); n > 1 {
		at += " and " + plain.Plural(n-1, "more session")
	}
	if x.Private {
		at += ", private"
	}
	return at
}

// full quotes a text without the limit of a quotation.
func full(s string, width int) string {
	return `"` + short(plain.Unquote(s), width) + `"`
}

// saidAt reports whether a node is among what was shown.
func saidAt(shown []query.Said, node string) bool {
	return slices.ContainsFunc(shown, func(x query.Said) bool { return x.Node == node && x.Of == "" })
}

// outcomes counts how sessions ended: "2 succeeded, 1 unknown".
func outcomes(t causal.Tally) string {
	out := ""
	for _, c := range []struct {
		n    int
		what string
	}{{t.Success, "succeeded"}, {t.Partial, "in part"}, {t.Failure, "failed"}, {t.Unknown, "unknown"}} {
		if c.n > 0 {
			if out != "" {
				out += ", "
			}
			out += fmt.Sprintf("%d %s", c.n, c.what)
		}
	}
	return cmp.Or(out, "none counted")
}
