package text

import (
	"fmt"
	"math"
	"strings"

	"episodes/episode"
	"episodes/infer"
	"episodes/internal/plain"
	"episodes/query"
)

// modelLines are the lines of a modelled answer, the answer first.
func modelLines(m *query.Modelled, d detail) []string {
	a := m.Alternative
	if !a.Supported {
		return []string{fmt.Sprintf("No evidence: nobody tried it with a measured outcome. Of all %s measured, %s ended well. Not answered.",
			plain.Plural(m.Base.N, "session"), percent(m.Base.Successes, m.Base.N))}
	}
	of := ""
	if m.Very {
		of = ", on this very thing,"
	}
	lines := []string{fmt.Sprintf("It ends well%s with probability %.2f (90 %%: %.2f to %.2f); %s, %d in this very context.",
		of, a.P, a.Low, a.High, uses(a), a.Exact)}
	if a.Pooled > 0 {
		lines = append(lines, fmt.Sprintf("It is modelled as one of %d rare options, pooled.", a.Pooled))
	}
	if o := m.Actual; o != nil {
		lines = append(lines,
			fmt.Sprintf("Instead, %s: %.2f (90 %%: %.2f to %.2f); %s.", quote(o.Option, d.width), o.P, o.Low, o.High, uses(*o)))
	}
	if g := m.Gain; g != nil {
		lines = append(lines,
			fmt.Sprintf("Gain %+.2f (90 %%: %+.2f to %+.2f); better with probability %.2f.", zero(g.Difference),
				zero(g.Low), zero(g.High), g.Better))
		if m.Random == 0 { // else nothing hidden bears on the choice
			lines = append(lines, "Hidden causes: "+hidden(m))
		}
	}
	if w := m.Within; w != nil {
		lines = append(lines,
			fmt.Sprintf("Tried both ways on %s: better on %d, worse on %d.", plain.Plural(w.Things, "thing"), w.Alternative, w.Actual))
	}
	for _, x := range m.Measures {
		if line := measured(x); line != "" {
			lines = append(lines, line)
		}
	}
	lines = append(lines, adjusted(m, d))
	if a.Named == 0 {
		lines = append(lines, "No log names the issue or pull request it worked on, so each session counts for itself.")
	}
	if m.Alike {
		lines = append(lines, "Every measured session that decided this ended alike, so nothing tells the options apart.")
	}
	if n := a.Random; n > 0 {
		instead := ""
		if o := m.Actual; o != nil && o.Random > 0 {
			instead = fmt.Sprintf(" and %d of the other", o.Random)
		}
		lines = append(lines,
			fmt.Sprintf("Rests on %s of it%s made at random, which nothing confounds.", plain.Plural(n, "choice"), instead))
	}
	if m.Since != "" {
		lines = append(lines,
			fmt.Sprintf("Outcomes changed: only those since %s count (%s left out).", m.Since, plain.Plural(m.Older, "decision")))
	}
	if m.AllTasks {
		lines = append(lines, "Few sessions of that task: it borrows from all tasks.")
	}
	if h := m.Hindsight; h != nil {
		lines = append(lines,
			fmt.Sprintf("What this one session would have come to cannot be known; the data allow a probability of %.2f to %.2f.",
				h[0], h[1]))
	}
	return lines
}

// little is the least relative difference of a measure that is reported.
const little = .1

// measured says how an outcome of more than two values differs; "" where it may not differ.
func measured(x query.MeasuredOutcome) string {
	switch {
	case x.Ratio && (x.High < 1-little || x.Low > 1+little):
		return fmt.Sprintf("It takes %.2f times the %s (90 %%: %.2f to %.2f); %s against %d.", x.Estimate,
			x.Measure, x.Low, x.High, plain.Plural(x.N, "session"), x.OtherN)
	case !x.Ratio && (x.High < 0 || x.Low > 0):
		return fmt.Sprintf("Its %s is %+.2f (90 %%: %+.2f to %+.2f); %s against %d.", x.Measure, x.Estimate, x.Low,
			x.High, plain.Plural(x.N, "session"), x.OtherN)
	}
	return ""
}

// uses counts the uses of an option, and on how many things these worked.
func uses(e query.Estimate) string {
	if e.Instances < e.N {
		return fmt.Sprintf("%s on %s", plain.Plural(e.N, "use"), plain.Plural(e.Instances, "thing"))
	}
	return plain.Plural(e.N, "use")
}

// hidden says what could explain a gain but the option: chance, choices that followed what is
// not logged, or both.
func hidden(m *query.Modelled) string {
	g := m.Gain
	switch {
	case g.EValueLimit <= 1 && m.Hidden > 0:
		return fmt.Sprintf("chance or selection could explain the difference: choices follow what is logged, so they may follow what is not. The intervals hold a shift of the odds by %.1f times either way.",
			math.Exp(m.Hidden))
	case g.EValueLimit <= 1:
		return "chance could explain the difference."
	}
	return fmt.Sprintf("something not logged would have to make both the choice and the outcome %.1f times as likely to explain it, %.1f times to leave it open (E-value).",
		g.EValue, g.EValueLimit)
}

// adjusted says what changed the answer by being adjusted for.
func adjusted(m *query.Modelled, d detail) string {
	n := min(len(m.Adjusted), max(d.items, 1))
	switch {
	case n == 0 && m.ByTask:
		return "Adjusted for the task (nothing else seen before the choice bears on the outcome)."
	case n == 0:
		return "Adjusted for nothing: neither the task nor anything seen before the choice bears on the outcome."
	}
	what := "what was seen before: "
	if m.ByTask {
		what = "the task and for " + what
	}
	list := make([]string, n)
	for i := range list {
		list[i] = quote(m.Adjusted[i], d.width)
	}
	return "Adjusted for " + what + strings.Join(list, ", ") + "."
}

func percent(k, n int) string {
	if n == 0 {
		return "none"
	}
	return fmt.Sprintf("%.0f %%", 100*float64(k)/float64(n))
}

// learnedBest adds the best path that raises the end, or else the best that lowers it.
func learnedBest(s *sheet, l *query.Learned, inFull bool, d detail) {
	does, list := "raises", l.Raises
	if len(list) == 0 {
		does, list = "lowers", l.Lowers
	}
	s.add(learnedLines("across sessions, "+does+" "+quote(l.To, d.width), list[0], inFull, d)...)
}

// learnedLines shows a statistical path by counts of sessions; inFull with its figures.
func learnedLines(does string, p query.LearnedPath, inFull bool, d detail) []string {
	least, oneDay := p.Hops[0].N, ""
	for _, h := range p.Hops {
		least = min(least, h.N)
		if h.OneDay {
			oneDay = "; one day only"
		}
	}
	lines := []string{does + oneDay + ":", "  " + quote(p.Hops[0].Source, d.width)}
	if inFull {
		lines[0] = fmt.Sprintf("%s: p %.2f (90 %%: %.2f to %.2f), %s, n ≥ %d%s", does, p.P, p.Low, p.High,
			plain.Plural(len(p.Hops), "hop"), least, oneDay)
	}
	for i, h := range p.Hops {
		weakest := ""
		if i == p.Weakest && len(p.Hops) > 1 {
			weakest = ", weakest"
		}
		figures := withAndWithout(h)
		if inFull {
			figures = fmt.Sprintf("%.2f, n %d", h.Weight, h.N)
		}
		lines = append(lines, fmt.Sprintf("  %s %s (%s%s)", learnedVerb(h.Type), quote(h.Target, d.width), figures, weakest))
	}
	for _, b := range p.Blocked[:min(len(p.Blocked), max(1, d.items))] {
		lines = append(lines, fmt.Sprintf("  but %s prevents %s", quote(b.Source, d.width), quote(b.Target, d.width)))
	}
	return lines
}

// learnedEdge renders one statistical edge with its figures.
func learnedEdge(h query.LearnedHop, d detail) []string {
	lines := []string{
		fmt.Sprintf("Across sessions %s %s %s (statistical)", quote(h.Source, d.width), learnedVerb(h.Type),
			quote(h.Target, d.width)),
		fmt.Sprintf("  %s; %s; p %s, q %s", withAndWithout(h), daysMarked(h.Spread), chance(h.P), chance(h.Q)),
	}
	switch h.Type {
	case episode.Correlates:
		return append(lines, fmt.Sprintf("  a difference of %.2f; which causes which is open", h.Weight))
	case episode.Prevents:
		return append(lines, fmt.Sprintf("  it keeps away %.2f of what comes without it (preventive power)", h.Weight))
	}
	return append(lines,
		fmt.Sprintf("  causal power %.2f; in a single case necessary with probability %.2f to %.2f, sufficient %.2f to %.2f, both %.2f to %.2f",
			h.Weight, h.PN[0], h.PN[1], h.PS[0], h.PS[1], h.PNS[0], h.PNS[1]))
}

// withAndWithout counts the sessions of a statistical edge that have its end.
func withAndWithout(h query.LearnedHop) string {
	count := func(rate float64, n int) int { return int(math.Round(rate * float64(n))) }
	return fmt.Sprintf("in %d of %s with the first, in %d of %d without", count(h.With, h.N),
		plain.Plural(h.N, "session"), count(h.Without, h.OtherN), h.OtherN)
}

func learnedVerb(t episode.LinkType) string {
	if t == episode.Correlates {
		return "goes with"
	}
	return string(t)
}

// mostAcross is the largest number of statistical edges in one list.
const mostAcross = 5

// Across lists the first statistical edges of `of` in all.
func Across(list []query.LearnedHop, of int) string {
	s := &sheet{}
	list = list[:min(len(list), mostAcross)]
	for _, h := range list {
		s.addf("across sessions: %s %s %s: %s", quote(h.Source, readable.width), learnedVerb(h.Type),
			quote(h.Target, readable.width), withAndWithout(h))
	}
	if of > len(list) {
		s.addf("and %d more across sessions", of-len(list))
	}
	return s.String()
}

// needed is what statistical claims take.
var needed = fmt.Sprintf("that takes %d sessions with a known outcome, some good and some not", infer.LeastSessions)

// TooLittle says why the records support no pattern.
func TooLittle(h infer.Health) string {
	s := &sheet{}
	s.addf("Too few outcomes for any pattern: %s; here %d of %s have one, %d good.", needed, h.Measured,
		plain.Plural(h.Sessions, "session"), h.Successes)
	return s.String()
}

// Health renders how much of the records can support a causal answer, and what to log to
// get more.
func Health(h infer.Health) string {
	s := &sheet{}
	s.addf("outcomes: known for %d of %s: %d good, %d not", h.Measured, plain.Plural(h.Sessions, "session"), h.Successes,
		h.Measured-h.Successes)
	s.addf("effective number of sessions with a known outcome: %d; %d of %d name the issue, pull request or branch, each other one counts for itself",
		h.Effective, h.Named, h.Sessions)
	s.addf("decisions: %d of %d name their question; for %d another option was taken in another session; %d were made at random",
		h.Asked, h.Decisions, h.Compared, h.Random)
	s.addf("order in time: known for %s", plain.Plural(h.Timed, "session"))
	if !h.Enough {
		s.add("too little for any statistical claim: " + needed)
	}
	for _, w := range h.Wanted {
		s.add("log more: " + w)
	}
	return s.String()
}

// Reasons renders the reasons of an answer.
func Reasons(r *query.Reasons) string {
	s := &sheet{}
	each := func(head string, list []string) {
		for _, l := range list {
			s.add(head + ": " + short(l, 4*maxItem))
		}
	}
	each("How", r.Method)
	each("Rests on", r.Rests)
	adjusted := r.Adjusted
	if len(adjusted) == 0 {
		adjusted = []string{"nothing: what else differed between the sessions is not held equal"}
	}
	each("Adjusted for", adjusted)
	each("Would change it", r.WouldChange)
	return s.String()
}
