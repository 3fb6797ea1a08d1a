package actions

import (
	"strings"

	"episodes/internal/telling"
	"episodes/internal/turns"
	"episodes/reflexion/evaluate"
)

// tells is the line by which a failure of a check is known: what its report names first,
// else a line of its output.
func tells(report *evaluate.Report, text string) string {
	traced := strings.Contains(text, traceback) && report != nil && report.Format != evaluate.Pytest // warnings precede it
	if report != nil && len(report.Problems) > 0 && !traced {
		p := report.Problems[0]
		for i := 1; i < len(report.Problems) && p.Severity == "warning"; i++ {
			if q := report.Problems[i]; q.Severity != "warning" {
				p = q
			}
		}
		if text := problemText(p.Rule, p.Message); text != "" && !strings.Contains(p.Message, "# ") {
			return text
		}
	}
	return tellingLine(text)
}

// problemText returns the message of a problem in a report on one line, shortened, with its rule.
func problemText(rule, message string) string {
	m := tellingLine(message)
	switch {
	case rule == "" || strings.Contains(message, rule):
		return m
	case m == "":
		return rule
	}
	return short(rule + ": " + m)
}

// traceback begins the trace of an exception of Python.
const traceback = "Traceback (most recent call last)"

// tellingLine returns the line of an output by which a failure is known, shortened; "" if it is
// empty.
func tellingLine(output string) string { return short(telling.In(output)) }

// tellingBytes is how much of a telling line is kept.
const tellingBytes = 240

func short(s string) string {
	s = oneLine(s)
	if cut := turns.Start(s, tellingBytes); cut != s {
		return strings.TrimSpace(cut) + "…"
	}
	return s
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
