package analyze

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
	"text/template"
	"time"

	"episodes/internal/plain"
	"episodes/reflexion"
)

// Text renders the analysis.
func Text(a *Analysis) string {
	var b strings.Builder
	for i, r := range a.Arms {
		if i > 0 {
			b.WriteByte('\n')
		}
		_ = armText().Execute(&b, r) // neither the report nor the builder fails
	}
	for _, c := range a.Compared {
		c.text(&b, a.Paired)
	}
	for _, p := range a.Progress {
		if p.TaskType != Untyped {
			p.text(&b)
		}
	}
	return b.String()
}

var armText = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"n": plain.Plural, "f": format, "share": share, "bar": bar, "curve": curve, "used": UsageText,
		"words": func(s string) string { return strings.ReplaceAll(s, "_", " ") },
		"rate":  func(n, of int) float64 { return float64(n) / float64(of) },
		"last":  func(xs []int) int { return xs[len(xs)-1] },
		"any": func(xs []*float64) bool {
			return slices.ContainsFunc(xs, func(x *float64) bool { return x != nil && *x > 0 })
		},
	}).Parse(`{{.Name}}: {{n .Tasks "task"}}, {{n .Records "attempt"}}
{{if .Tasks}}  solved {{share (last .SolvedByTrial) .Tasks}}, {{f "95 %% interval %.2f to %.2f" .SuccessLow .SuccessHigh}}
{{range $trial, $n := .SolvedByTrial}}  trial {{f "%2d" $trial}} {{bar $n $.Tasks}} {{$n}}
{{end}}  mean reward by trial:{{curve "%.2f" .RewardByTrial}}
{{if any .ErrorsByTrial}}  mean errors by trial:{{curve "%.1f" .ErrorsByTrial}}
{{end}}{{with .Retries}}{{if .Attempted}}  retries that succeeded, trials 1 to {{.Through}}: {{share .Succeeded .Attempted}} {{f "(%.2f to %.2f)" .Low .High}}
{{end}}{{end}}{{if .LearningRate}}  learning rate {{f "%.3f" .LearningRate}}
{{- if .LearningLow}}{{f " (%.3f to %.3f)" .LearningLow .LearningHigh}}{{end}}{{f ", %.1f iterations a loop" .AvgIterations}}
{{end}}{{with .ToSuccess}}  iterations to success: {{f "median %.1f, mean %.1f, at most %.0f" .Median .Mean .Max}}
{{end}}  {{n .Reflections "reflection"}}, {{.LowQuality}} of low quality
{{- range $i, $c := .LowReasons}}{{if $i}}; {{else}}: {{end}}{{.Value}} {{.N}}{{end}}
{{if .Compared}}  attempts that improved on the one before: {{share .Breakthroughs .Compared}}
{{end}}{{if .Categories}}  failures by category:
{{end}}{{range .Categories}}{{f "    %-26s %d" .Value .N}}
{{end}}{{with .Reuse}}{{if .Rate}}  retries that had reflections in their prompt: {{share .Injected .Retried}}
{{- if .Lessons}}; {{.Recurring}} of {{n .Lessons "lesson"}} in two tasks or more{{end}}
{{end}}{{end}}{{with .Confidence}}{{if .Bias}}  confidence against improvement, {{n .N "reflection"}}:
{{- if .Correlation}} {{f "correlation %.2f;" .Correlation}}{{end}}{{f " stated %.2f, improved %.2f, " .Stated (rate .Improved .N)}}
{{- words .Verdict}} {{f "(bias %+.2f, %+.2f to %+.2f)" .Bias .BiasLow .BiasHigh}}
{{end}}{{end}}{{with .FalsePass}}  verifier passes that a review refused: {{share .Refused .Reviewed}} {{f "(%.2f to %.2f)" .Low .High}}
{{end}}{{with .FalseFail}}  verifier failures that a review accepted: {{share .Accepted .Reviewed}} {{f "(%.2f to %.2f)" .Low .High}}
{{end}}{{with .Repeats}}  {{n .Types "task type"}} tried more than once: solved at first {{.SolvedFirst}} of {{.Types}}, later {{.SolvedLater}} of {{.Later}}, after a failure {{.SolvedAfterFailure}} of {{.AfterFailure}}
{{if and .FirstIterations .LaterIterations}}    iterations to success: {{f "at first %.1f, later %.1f" .FirstIterations .LaterIterations}}
{{end}}{{end}}{{with .Usage}}  used: {{used .Usage}}{{if lt .Known $.Records}}, known of {{.Known}} of {{n $.Records "attempt"}}{{end}}
{{- if .PerSolved}}; ${{f "%.2f" .PerSolved}} for each solved task{{end}}
{{end}}{{range .Warnings}}  warning: {{.}}
{{end}}{{if .AmbiguousName}}  {{n .AmbiguousName "task"}} of more than one loop, left out of comparisons
{{end}}{{end}}`))
})

func format(format string, args ...any) string {
	for i, x := range args {
		if p, ok := x.(*float64); ok {
			args[i] = *p
		}
	}
	return fmt.Sprintf(format, args...)
}

func curve(format string, xs []*float64) string {
	out := ""
	for _, x := range xs {
		if x == nil {
			out += " –"
		} else {
			out += fmt.Sprintf(" "+format, *x)
		}
	}
	return out
}

func (c Comparison) text(b *strings.Builder, pairs []Pair) {
	fmt.Fprintf(b, "\n%s against %s, %s, at most %s each: solved only with %s %d, only with %s %d\n", c.A, c.B,
		plain.Plural(c.Tasks, "task"), plain.Plural(c.Attempts, "attempt"), c.A, c.Last.OnlyA, c.B, c.Last.OnlyB)
	c.Last.text(b, c, "solved in the end", "sign")
	c.Area.text(b, c, "area under the curve", "signed-rank")
	for _, w := range c.Warnings {
		fmt.Fprintf(b, "warning: %s\n", w)
	}
	for _, p := range pairs {
		if p.A == c.A && p.B == c.B && p.Trial == c.Shared && c.Shared+1 != c.Attempts {
			fmt.Fprintf(b,
				"after trial %d, the last that both have: solved only with %s %d, only with %s %d; exact sign test p = %.2g\n  %s\n",
				p.Trial, c.A, p.OnlyA, c.B, p.OnlyB, p.PValue, c.said(p.Contrast))
		}
	}
}

func (m Measure) text(b *strings.Builder, c Comparison, what, test string) {
	fmt.Fprintf(b, "%s: %.2f against %.2f; exact %s test p = %.2g, %.2g for all looks\n  %s\n", what, m.A, m.B,
		test, m.PValue, m.QValue, c.said(m.Contrast))
}

// said is a verdict in words, with the difference and its interval.
func (c Comparison) said(d Contrast) string {
	words := map[string]string{VerdictSmall: "any difference is below 5 points:", VerdictNone: "no difference shown:",
		VerdictTooFew: fmt.Sprintf("not enough evidence: %d of %d tasks that are needed differ; difference", d.OnlyA+d.OnlyB, MinPairs),
		VerdictA:      "better: " + c.A + ", difference", VerdictB: "better: " + c.B + ", difference"}
	return fmt.Sprintf("%s %+.2f (%.2f to %.2f)", words[d.Verdict], d.Difference, d.Low, d.High)
}

func UsageText(u reflexion.Usage) string {
	out := (time.Duration(u.DurationMS) * time.Millisecond).Round(100 * time.Millisecond).String()
	if u.InputTokens != nil || u.OutputTokens != nil {
		out += fmt.Sprintf(", %d tokens read, %d written", *cmp.Or(u.InputTokens, new(int)), *cmp.Or(u.OutputTokens, new(int)))
	}
	if u.ToolCalls != nil {
		out += ", " + plain.Plural(*u.ToolCalls, "tool call")
	}
	if u.CostUSD != nil {
		out += fmt.Sprintf(", $%.2f", *u.CostUSD)
	}
	if u.Partial {
		out += " at least"
	}
	return out
}

func share(n, of int) string {
	if of == 0 {
		return "0 of 0"
	}
	return fmt.Sprintf("%d of %d (%.1f %%)", n, of, 100*float64(n)/float64(of))
}

func bar(n, of int) string {
	const width = 40
	full := n * width / max(of, 1)
	return strings.Repeat("█", full) + strings.Repeat("·", width-full)
}
