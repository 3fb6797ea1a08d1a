package analyze

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
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
		r.text(&b)
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

func (r *ArmReport) text(b *strings.Builder) {
	say := func(format string, args ...any) { fmt.Fprintf(b, format, given(args)...) }
	when := func(is bool, format string, args ...any) {
		if is {
			say(format, args...)
		}
	}
	attempts := plain.Plural(r.Records, "attempt")
	say("%s: %s, %s\n", r.Name, plain.Plural(r.Tasks, "task"), attempts)
	if r.Tasks == 0 {
		return
	}
	say("  solved %s, 95 %% interval %.2f to %.2f\n",
		share(r.SolvedByTrial[len(r.SolvedByTrial)-1], r.Tasks), r.SuccessLow, r.SuccessHigh)
	for trial, n := range r.SolvedByTrial {
		say("  trial %2d %s %d\n", trial, bar(n, r.Tasks), n)
	}
	say("  mean reward by trial:%s\n", curve("%.2f", r.RewardByTrial))
	when(slices.ContainsFunc(r.ErrorsByTrial, func(x *float64) bool { return x != nil && *x > 0 }),
		"  mean errors by trial:%s\n", curve("%.1f", r.ErrorsByTrial))
	again := r.Retries
	when(again.Attempted > 0, "  retries that succeeded, trials 1 to %d: %s (%.2f to %.2f)\n",
		again.Through, share(again.Succeeded, again.Attempted), again.Low, again.High)
	when(r.LearningRate != nil, "  learning rate %.3f", r.LearningRate)
	when(r.LearningRate != nil && r.LearningLow != nil, " (%.3f to %.3f)", r.LearningLow, r.LearningHigh)
	when(r.LearningRate != nil, ", %.1f iterations a loop\n", r.AvgIterations)
	if s := r.ToSuccess; s != nil {
		say("  iterations to success: median %.1f, mean %.1f, at most %.0f\n", s.Median, s.Mean, s.Max)
	}
	say("  %s, %d of low quality", plain.Plural(r.Reflections, "reflection"), r.LowQuality)
	for i, c := range r.LowReasons {
		say("%s%s %d", []string{": ", "; "}[min(i, 1)], c.Value, c.N)
	}
	b.WriteByte('\n')
	when(r.Compared > 0, "  attempts that improved on the one before: %s\n", share(r.Breakthroughs, r.Compared))
	when(len(r.Categories) > 0, "  failures by category:\n")
	for _, c := range r.Categories {
		say("    %-26s %d\n", c.Value, c.N)
	}
	if u := r.Reuse; u.Rate != nil {
		say("  retries that had reflections in their prompt: %s", share(u.Injected, u.Retried))
		when(u.Lessons > 0, "; %d of %s in two tasks or more", u.Recurring, plain.Plural(u.Lessons, "lesson"))
		b.WriteByte('\n')
	}
	if c := r.Confidence; c.Bias != nil {
		say("  confidence against improvement, %s:", plain.Plural(c.N, "reflection"))
		when(c.Correlation != nil, " correlation %.2f;", c.Correlation)
		say(" stated %.2f, improved %.2f, %s (bias %+.2f, %+.2f to %+.2f)\n",
			c.Stated, float64(c.Improved)/float64(c.N),
			strings.ReplaceAll(c.Verdict, "_", " "), c.Bias, c.BiasLow, c.BiasHigh)
	}
	if p := r.FalsePass; p != nil {
		say("  verifier passes that a review refused: %s (%.2f to %.2f)\n",
			share(p.Refused, p.Reviewed), p.Low, p.High)
	}
	if f := r.FalseFail; f != nil {
		say("  verifier failures that a review accepted: %s (%.2f to %.2f)\n",
			share(f.Accepted, f.Reviewed), f.Low, f.High)
	}
	if t := r.Repeats; t != nil {
		say("  %s tried more than once: solved at first %d of %d, later %d of %d, after a failure %d of %d\n",
			plain.Plural(t.Types, "task type"),
			t.SolvedFirst, t.Types, t.SolvedLater, t.Later, t.SolvedAfterFailure, t.AfterFailure)
		when(t.FirstIterations != nil && t.LaterIterations != nil, "    iterations to success: at first %.1f, later %.1f\n",
			t.FirstIterations, t.LaterIterations)
	}
	if u := r.Usage; u != nil {
		say("  used: %s", UsageText(u.Usage))
		when(u.Known < r.Records, ", known of %d of %s", u.Known, attempts)
		when(u.PerSolved != nil, "; $%.2f for each solved task", u.PerSolved)
		b.WriteByte('\n')
	}
	for _, w := range r.Warnings {
		say("  warning: %s\n", w)
	}
	when(r.AmbiguousName > 0, "  %s of more than one loop, left out of comparisons\n", plain.Plural(r.AmbiguousName, "task"))
}

// given are values in place of pointers to numbers.
func given(args []any) []any {
	for i, x := range args {
		if p, ok := x.(*float64); ok {
			args[i] = *p
		}
	}
	return args
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
