package text

import (
	"cmp"
	"fmt"

	"episodes/causal"
	"episodes/internal/plain"
	"episodes/query"
)

// mostFull is the largest number of bytes of a statement that is not shortened otherwise:
// more than extraction keeps of one.
const mostFull = 600

// laterLine says what a later session decided instead.
func laterLine(l *query.LaterDecision, width int) string {
	how := "Later decided otherwise"
	if l.Reverses {
		how = "Now"
	}
	return fmt.Sprintf("%s: %s (%s, %s)", how, quote(l.Chosen, max(width, 30)), l.Date, name(l.Episode+"#"+l.Record))
}

// full quotes a text without the limit of a quotation.
func full(s string, width int) string {
	return `"` + short(plain.Unquote(s), width) + `"`
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
