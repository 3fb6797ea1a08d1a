package analyze

import (
	"fmt"
	"strings"
)

// Text is the analysis for people: a table of the arms, their curves, and the
// comparison after the last shared trial.
func Text(a *Analysis) string {
	var b strings.Builder
	for i, r := range a.Arms {
		if i > 0 {
			b.WriteByte('\n')
		}
		r.text(&b)
	}
	last := map[string]Pair{}
	var order []string
	for _, p := range a.Paired {
		k := p.A + "\x00" + p.B
		if _, ok := last[k]; !ok {
			order = append(order, k)
		}
		last[k] = p
	}
	for _, k := range order {
		last[k].text(&b)
	}
	return b.String()
}

func (r ArmReport) text(b *strings.Builder) {
	fmt.Fprintf(b, "%s: %d tasks, %d attempts\n", r.Name, r.Tasks, r.Records)
	if r.Tasks == 0 {
		return
	}
	fmt.Fprintf(b, "  solved %s (95 %% interval %.2f to %.2f)\n", share(lastOf(r.SolvedByTrial), r.Tasks), r.SuccessLow, r.SuccessHigh)
	for trial, n := range r.SolvedByTrial {
		fmt.Fprintf(b, "  trial %2d %s %d\n", trial, bar(n, r.Tasks), n)
	}
	fmt.Fprintf(b, "  mean reward by trial:")
	for _, x := range r.RewardByTrial {
		if x == nil {
			b.WriteString(" –")
		} else {
			fmt.Fprintf(b, " %.2f", *x)
		}
	}
	b.WriteByte('\n')
	if r.Retries.Attempted > 0 {
		fmt.Fprintf(b, "  retries that succeeded, trials 1 to %d: %s (%.2f to %.2f)\n", r.Retries.Through, share(r.Retries.Succeeded, r.Retries.Attempted), r.Retries.Low, r.Retries.High)
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
	fmt.Fprintf(b, "  %d reflections, %d of low quality, %d breakthroughs\n", r.Reflections, r.LowQuality, r.Breakthroughs)
	for _, c := range r.Categories {
		fmt.Fprintf(b, "  %-26s %d\n", c.Value, c.N)
	}
	if r.Reuse.Rate != nil {
		fmt.Fprintf(b, "  memory in the prompt of %s retries; %d of %d lessons recur\n", share(r.Reuse.Injected, r.Reuse.Retried), r.Reuse.Recurring, r.Reuse.Lessons)
	}
	if c := r.Confidence.Correlation; c != nil {
		fmt.Fprintf(b, "  confidence against improvement: correlation %.2f over %d reflections\n", *c, r.Confidence.N)
	}
	if f := r.FalsePass; f != nil {
		fmt.Fprintf(b, "  verifier passes that a review refused: %s\n", share(f.Refused, f.Reviewed))
	}
}

func (p Pair) text(b *strings.Builder) {
	fmt.Fprintf(b, "\n%s against %s after trial %d, %d tasks: solved only with %s %d, only with %s %d; exact sign test p = %.2g\n",
		p.A, p.B, p.Trial, p.Tasks, p.A, p.OnlyA, p.B, p.OnlyB, p.PValue)
	switch p.Verdict {
	case VerdictTooFew:
		fmt.Fprintf(b, "not enough evidence: %d tasks decide, %d are needed\n", p.OnlyA+p.OnlyB, MinPairs)
	case VerdictNone:
		fmt.Fprintf(b, "no difference shown: %+.2f (%.2f to %.2f)\n", *p.Difference, *p.Low, *p.High)
	default:
		better := p.A
		if p.Verdict == VerdictB {
			better = p.B
		}
		fmt.Fprintf(b, "better: %s, difference %+.2f (%.2f to %.2f)\n", better, *p.Difference, *p.Low, *p.High)
	}
}

func share(n, of int) string {
	if of == 0 {
		return "0 of 0"
	}
	return fmt.Sprintf("%d of %d (%.1f %%)", n, of, 100*float64(n)/float64(of))
}

func lastOf(xs []int) int {
	if len(xs) == 0 {
		return 0
	}
	return xs[len(xs)-1]
}

// bar draws a share in 40 cells.
func bar(n, of int) string {
	const width = 40
	full := n * width / max(of, 1)
	return strings.Repeat("█", full) + strings.Repeat("·", width-full)
}
