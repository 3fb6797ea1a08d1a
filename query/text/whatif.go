package text

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"episodes/internal/plain"
	"episodes/query"
)

// WhatIf renders the answer to a what-if. tokens is the budget; 0 means WhatIfTokens.
func WhatIf(r *query.WhatIfResult, tokens int) string {
	return fit(budget(tokens, WhatIfTokens), func(d detail) *sheet {
		s := &sheet{}
		asked := query.Node{Label: r.Alternative.Option, Later: r.Later}
		for _, m := range r.Matched {
			if m.Chosen == asked.Label {
				asked.Superseded = m.Superseded
			}
		}
		s.now(asked, d.width)
		s.add(whatIfHead(r, d)...)
		for _, x := range r.Rationales[:min(len(r.Rationales), d.items)] {
			s.addf("Reason given for %s: %s (%s)", quote(x.Of, d.width), quote(x.Text, 2*d.width), location(x.Evidence))
		}
		for _, x := range r.Ended[:min(len(r.Ended), d.items)] {
			s.addf("What ended %s: %s (%s)", quote(x.Of, d.width), quote(x.Text, 2*d.width), location(x.Evidence))
		}
		options := r.Options
		if len(options) <= 2 {
			options = nil // the answer has said it
		}
		if len(options) > 0 {
			s.add("The options there, best first:")
		}
		for i, o := range options {
			if i >= d.items && i > 1 {
				pooled := ""
				if last := options[len(options)-1]; last.Pooled > 0 {
					pooled = fmt.Sprintf(", %d of them pooled", last.Pooled)
				}
				s.addf("- and %d more%s", moreOptions(options[i:]), pooled)
				break
			}
			s.add("- " + quote(o.Option, d.width) + ": " + tally(o))
		}
		for _, o := range r.AlsoAt[:min(len(r.AlsoAt), d.items)] {
			s.addf("Also an option %s: %s (%s)", at(o.Context, d), quote(o.Option, d.width), plain.Plural(o.Uses, "decision"))
		}
		matched(s, r.Matched, d)
		return s
	})
}

// matched lists the decisions that were counted.
func matched(s *sheet, list []query.MatchedUse, d detail) {
	if len(list) > 0 {
		s.add("Evidence:")
	}
	for i, m := range list {
		if i >= d.items {
			s.addf("- and %d more", len(list)-i)
			break
		}
		own := ""
		if m.Outcome.Known() && !m.Own {
			own = " (its session)"
		}
		s.addf("- %s: %s%s → %s%s", name(m.Episode+"#"+m.Decision), quote(m.Chosen, d.width),
			superseded(m.Superseded, d), m.Outcome, own)
	}
}

func whatIfHead(r *query.WhatIfResult, d detail) []string {
	lines := []string{fmt.Sprintf("What if %s had been chosen?", quote(r.Alternative.Option, d.width))}
	switch {
	case r.Alternative.Option == "":
		lines[0] = "What if another way had been chosen?"
	case len(r.Asked) > 0:
		lines[0] = "Asked: " + quote(r.Alternative.Option, d.width)
	}
	if r.Decision.Context != "" {
		lines = append(lines, "Question: "+quote(r.Decision.Context, d.width))
	} else if len(r.Matched) > 0 {
		lines = append(lines, "Question: the logs give none, so only options that were named together are compared")
	}
	switch {
	case r.Decision.Episode != "":
		lines = append(lines,
			fmt.Sprintf("Chosen in %s: %s", name(r.Decision.Episode+"#"+r.Decision.Record), quote(r.Decision.Chosen, d.width)))
	case r.Actual.Option != "" && r.Alternative.Option != "":
		lines = append(lines, "The other way: "+quote(r.Actual.Option, d.width))
	}
	if r.Note != "" && !nothingNamed(r) {
		lines = append(lines, "Note: "+short(r.Note, 2*d.width)+".")
	}
	lines = append(lines, "Answer: "+verdict(r, d))
	for _, a := range r.Asked {
		lines = append(lines, askedLines(a, d)...)
	}
	if r.Later != nil && !r.Later.Reverses {
		lines = append(lines, laterLine(r.Later, d.width))
	}
	if c := r.Closest; c != nil {
		because := ""
		if c.Reason != "" {
			because = ", because " + quote(c.Reason, d.width)
		}
		lines = append(lines,
			fmt.Sprintf("Closest decision: %s%s%s%s; is that it?", quote(c.Option, d.width), instead(c.Not, d),
				about(c.Context, d), because))
		if c.Episode != "" {
			lines = append(lines, "Then ask: episodes whatif --decision "+name(c.Episode+"#"+c.Record))
		}
	}
	switch on := hangsOn(r.HangsOn); {
	case r.OneDay:
		lines = append(lines, "One day only: "+on+".")
	case on != "":
		lines = append(lines, "But "+on+".")
	}
	if r.Sessions > 0 {
		rests := "Rests on " + spread(r.Spread) + "."
		if r.Effect != nil && !r.Judged() {
			rests += " What else differed between the sessions is not adjusted for."
		}
		lines = append(lines, rests)
	}
	return lines
}

// mostFew is the number of outcomes of a side from which they are called close, not few.
const mostFew = 10

// nothingNamed reports whether the words name neither an option nor a question.
func nothingNamed(r *query.WhatIfResult) bool {
	return len(r.Matched) == 0 && r.Actual.Option == "" && r.Alternative.N == 0
}

func verdict(r *query.WhatIfResult, d detail) string {
	sides := tally(r.Alternative)
	switch {
	case len(r.Asked) > 0:
		return "not enough evidence, the logs never compare them; what they know of each:"
	case nothingNamed(r) && r.Note != "":
		return "not enough evidence; " + short(r.Note, 2*d.width) + "."
	case r.Alternative.Option == "":
		return "not enough evidence; what was chosen " + results(r.Actual) + "; no other way is on record to compare it with."
	case r.Actual.Option == "":
		return "not enough evidence; " + alone(r, sides) + "; no other way is on record to compare it with."
	}
	sides += "; the other way " + strings.TrimPrefix(results(r.Actual), "worked ")
	switch {
	case r.Actual.N == 0 && r.Alternative.N == 0:
		return "not enough evidence; neither was ever tried here."
	case r.Actual.N == 0:
		sides = tally(r.Alternative) + "; the other way " + tally(r.Actual)
	}
	if e := r.Effect; e != nil && r.Verdict != query.NotEnoughEvidence {
		if r.Judged() {
			// The counts alone may say the opposite, so what the verdict rests on comes first.
			sides = fmt.Sprintf("under like conditions %.0f of 100 would work, the other way %.0f; counted, %s",
				100**r.Alternative.Expected, 100**r.Actual.Expected, sides)
		}
		return fmt.Sprintf("%s; %s; a difference of %+.2f (90 %%: %+.2f to %+.2f).", strings.ReplaceAll(string(r.Verdict), "_", " "),
			sides, zero(e.Difference), zero(e.Low), zero(e.High))
	}
	if min(r.Alternative.Known(), r.Actual.Known()) >= mostFew {
		return "not enough evidence; " + sides + "; too close to call."
	}
	return "not enough evidence; " + sides + "; too few to call."
}

// alone counts an option without another. Where no log says how the option itself ended, it says
// that the counts are those of whole sessions.
func alone(r *query.WhatIfResult, sides string) string {
	if slices.ContainsFunc(r.Matched, func(m query.MatchedUse) bool { return m.Own }) || r.Alternative.Known() == 0 {
		return sides
	}
	return fmt.Sprintf("%s, and %d of %s went well; no log says how the choice itself ended",
		tried(r.Alternative.N), r.Alternative.Successes, plain.Plural(r.Alternative.Known(), "session"))
}

// askedLines say what the logs know of an option that a question names.
func askedLines(a query.AskedOption, d detail) []string {
	line := "- " + quote(a.Asked, d.width) + ": "
	if a.Option == nil {
		return []string{line + "no decision names it"}
	}
	lines := []string{line + tally(*a.Option)}
	u := a.Last
	if u == nil {
		return lines
	}
	said := "chosen"
	if a.Option.N == 0 {
		said = "chosen instead"
	}
	lines = append(lines,
		fmt.Sprintf("  %s: %s%s, %s (%s)%s", said, quote(u.Chosen, d.width), about(a.Question, d), came(*u),
			name(u.Episode+"#"+u.Decision), superseded(u.Superseded, d)))
	if a.Reason != "" {
		lines = append(lines, "  because "+quote(a.Reason, d.width))
	}
	if a.Later != nil {
		lines = append(lines, "  "+laterLine(a.Later, d.width))
	}
	return lines
}

// came says what a decision came to.
func came(u query.MatchedUse) string {
	switch {
	case !u.Outcome.Known():
		return "how it ended is unknown"
	case u.Own:
		return string(u.Outcome)
	}
	return "in a session that ended in " + string(u.Outcome)
}

// instead names the options that were not taken.
func instead(not []string, d detail) string {
	if len(not) == 0 {
		return ""
	}
	quoted := make([]string, 0, len(not))
	for _, o := range not[:min(len(not), max(d.items, 1), 3)] {
		quoted = append(quoted, quote(o, d.width))
	}
	return ", not " + strings.Join(quoted, " or ")
}

// tally renders the outcomes of an option as counts: "tried 3 times: worked 2 of 2, 1 not known".
func tally(o query.OptionStats) string {
	switch {
	case o.N == 0:
		return "never tried here"
	}
	return tried(o.N) + ": " + results(o)
}

func tried(n int) string {
	if n == 1 {
		return "tried once"
	}
	return fmt.Sprintf("tried %d times", n)
}

// results counts how the sessions of an option ended: "worked 2 of 3, 1 in part".
func results(o query.OptionStats) string {
	if o.Known() == 0 {
		return "no log shows how it ended"
	}
	out := fmt.Sprintf("worked %d of %d", o.Successes, o.Known())
	if o.Partial > 0 {
		out += fmt.Sprintf(", %d in part", o.Partial)
	}
	if o.Unknown > 0 {
		out += fmt.Sprintf(", %d not known", o.Unknown)
	}
	return out
}

// about names the question of a decision.
func about(question string, d detail) string {
	if question == "" {
		return ""
	}
	return ", about " + quote(question, d.width)
}

// moreOptions counts options, those that are pooled one by one.
func moreOptions(list []query.OptionStats) (n int) {
	for _, o := range list {
		n += max(1, o.Pooled)
	}
	return n
}

func at(question string, d detail) string {
	if question == "" {
		return "where the log gives no question"
	}
	return "at " + quote(question, d.width)
}

// zero avoids printing -0.00.
func zero(x float64) float64 {
	if math.Abs(x) < 0.005 {
		return 0
	}
	return x
}
