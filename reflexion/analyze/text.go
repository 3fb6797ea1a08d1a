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

// Text renders the analysis: a table of the arms, their curves, and their comparison.
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

func (r ArmReport) text(b *strings.Builder) {
	fmt.Fprintf(b, "%s: %s, %s\n", r.Name, plain.Plural(r.Tasks, "task"), plain.Plural(r.Records, "attempt"))
	if r.Tasks == 0 {
		return
	}
	r.progressText(b)
	r.reflectionText(b)
	r.evidenceText(b)
	if u := r.Usage; u != nil {
		fmt.Fprintf(b, "  used: %s", UsageText(u.Usage))
		if u.Known < r.Records {
			fmt.Fprintf(b, ", known of %d of %s", u.Known, plain.Plural(r.Records, "attempt"))
		}
		if u.PerSolved != nil {
			fmt.Fprintf(b, "; $%.2f for each solved task", *u.PerSolved)
		}
		b.WriteByte('\n')
	}
	for _, w := range r.Warnings {
		fmt.Fprintf(b, "  warning: %s\n", w)
	}
	if r.AmbiguousName > 0 {
		fmt.Fprintf(b, "  %s of more than one loop, left out of comparisons\n", plain.Plural(r.AmbiguousName, "task"))
	}
}

// progressText writes what was solved and when.
func (r ArmReport) progressText(b *strings.Builder) {
	fmt.Fprintf(b, "  solved %s, 95 %% interval %.2f to %.2f\n", share(r.SolvedByTrial[len(r.SolvedByTrial)-1], r.Tasks), r.SuccessLow, r.SuccessHigh)
	for trial, n := range r.SolvedByTrial {
		fmt.Fprintf(b, "  trial %2d %s %d\n", trial, bar(n, r.Tasks), n)
	}
	curve(b, "mean reward by trial:", "%.2f", r.RewardByTrial)
	if slices.ContainsFunc(r.ErrorsByTrial, func(x *float64) bool { return x != nil && *x > 0 }) {
		curve(b, "mean errors by trial:", "%.1f", r.ErrorsByTrial)
	}
	if r.Retries.Attempted > 0 {
		fmt.Fprintf(b, "  retries that succeeded, trials 1 to %d: %s (%.2f to %.2f)\n", r.Retries.Through,
			share(r.Retries.Succeeded, r.Retries.Attempted), r.Retries.Low, r.Retries.High)
	}
	if r.LearningRate != nil {
		fmt.Fprintf(b, "  learning rate %.3f", *r.LearningRate)
		if r.LearningLow != nil {
			fmt.Fprintf(b, " (%.3f to %.3f)", *r.LearningLow, *r.LearningHigh)
		}
		fmt.Fprintf(b, ", %.1f iterations a loop\n", *r.AvgIterations)
	}
	if s := r.ToSuccess; s != nil {
		fmt.Fprintf(b, "  iterations to success: median %.1f, mean %.1f, at most %.0f\n", s.Median, s.Mean, s.Max)
	}
}

// reflectionText writes what the reflections were worth.
func (r ArmReport) reflectionText(b *strings.Builder) {
	fmt.Fprintf(b, "  %s, %d of low quality", plain.Plural(r.Reflections, "reflection"), r.LowQuality)
	sep := ": "
	for _, c := range r.LowReasons {
		fmt.Fprintf(b, "%s%s %d", sep, c.Value, c.N)
		sep = "; "
	}
	b.WriteByte('\n')
	if r.Compared > 0 {
		fmt.Fprintf(b, "  attempts that improved on the one before: %s\n", share(r.Breakthroughs, r.Compared))
	}
	if len(r.Categories) > 0 {
		b.WriteString("  failures by category:\n")
	}
	for _, c := range r.Categories {
		fmt.Fprintf(b, "    %-26s %d\n", c.Value, c.N)
	}
	if u := r.Reuse; u.Rate != nil {
		fmt.Fprintf(b, "  retries that had reflections in their prompt: %s", share(u.Injected, u.Retried))
		if u.Lessons > 0 {
			fmt.Fprintf(b, "; %d of %s in two tasks or more", u.Recurring, plain.Plural(u.Lessons, "lesson"))
		}
		b.WriteByte('\n')
	}
}

// evidenceText writes how far confidence and verifiers can be trusted, and whether
// repeated task types went better.
func (r ArmReport) evidenceText(b *strings.Builder) {
	if c := r.Confidence; c.Bias != nil {
		fmt.Fprintf(b, "  confidence against improvement, %s: ", plain.Plural(c.N, "reflection"))
		if c.Correlation != nil {
			fmt.Fprintf(b, "correlation %.2f; ", *c.Correlation)
		}
		fmt.Fprintf(b, "stated %.2f, improved %.2f, %s (bias %+.2f, %+.2f to %+.2f)\n", *c.Stated,
			float64(c.Improved)/float64(c.N), strings.ReplaceAll(c.Verdict, "_", " "), *c.Bias, *c.BiasLow,
			*c.BiasHigh)
	}
	if f := r.FalsePass; f != nil {
		fmt.Fprintf(b, "  verifier passes that a review refused: %s (%.2f to %.2f)\n", share(f.Refused, f.Reviewed), f.Low, f.High)
	}
	if f := r.FalseFail; f != nil {
		fmt.Fprintf(b, "  verifier failures that a review accepted: %s (%.2f to %.2f)\n",
			share(f.Accepted, f.Reviewed), f.Low, f.High)
	}
	if t := r.Repeats; t != nil {
		fmt.Fprintf(b,
			"  %s tried more than once: solved at first %d of %d, later %d of %d, after a failure %d of %d\n",
			plain.Plural(t.Types, "task type"), t.SolvedFirst, t.Types, t.SolvedLater, t.Later, t.SolvedAfterFailure,
			t.AfterFailure)
		if t.FirstIterations != nil && t.LaterIterations != nil {
			fmt.Fprintf(b, "    iterations to success: at first %.1f, later %.1f\n", *t.FirstIterations, *t.LaterIterations)
		}
	}
}

// curve writes values by trial.
func curve(b *strings.Builder, name, format string, xs []*float64) {
	b.WriteString("  " + name)
	for _, x := range xs {
		if x == nil {
			b.WriteString(" –")
		} else {
			fmt.Fprintf(b, " "+format, *x)
		}
	}
	b.WriteByte('\n')
}

// text writes a comparison: at equal budget, and after the last trial that both arms have
// where that is another one.
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
				p.Trial, c.A, p.OnlyA, c.B, p.OnlyB, p.PValue, said(p.Verdict, c, p.OnlyA+p.OnlyB, p.Difference, p.Low, p.High))
		}
	}
}

func (m Measure) text(b *strings.Builder, c Comparison, what, test string) {
	fmt.Fprintf(b, "%s: %.2f against %.2f; exact %s test p = %.2g, %.2g for all looks\n  %s\n", what, m.A, m.B,
		test, m.PValue, m.QValue, said(m.Verdict, c, m.OnlyA+m.OnlyB, m.Difference, m.Low, m.High))
}

// said is a verdict in words, with the difference and its interval.
func said(verdict string, c Comparison, discordant int, difference, low, high float64) string {
	interval := fmt.Sprintf("%+.2f (%.2f to %.2f)", difference, low, high)
	switch verdict {
	case VerdictTooFew:
		return fmt.Sprintf("not enough evidence: %d of %d tasks that are needed differ; difference %s", discordant,
			MinPairs, interval)
	case VerdictSmall:
		return "any difference is below 5 points: " + interval
	case VerdictNone:
		return "no difference shown: " + interval
	case VerdictA:
		return "better: " + c.A + ", difference " + interval
	}
	return "better: " + c.B + ", difference " + interval
}

// UsageText is what attempts took, in words.
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

// bar draws a share in 40 cells.
func bar(n, of int) string {
	const width = 40
	full := n * width / max(of, 1)
	return strings.Repeat("█", full) + strings.Repeat("·", width-full)
}
