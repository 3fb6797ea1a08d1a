package text

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"episodes/causal"
	"episodes/episode"
	"episodes/internal/plain"
	"episodes/query"
)

// Explanation renders an explanation. tokens is the budget; 0 means ExplainTokens.
func Explanation(x *query.Explanation, tokens int) string {
	s := &sheet{}
	d := detail{160, 100}
	switch {
	case x.Node != nil:
		nodeText(s, x.Node, d)
	case x.Record != nil:
		recordFacts(s, x.Record, d)
	case x.Edge != nil:
		e := x.Edge
		s.add(fmt.Sprintf("%s %s %s", quoteLabel(e.Source, d.width), verb(e.Hop), quoteLabel(e.Target, d.width)),
			fmt.Sprintf("said in %d of %s with %s (%s); stated in %d, implied in %d", e.EvidenceCount,
				plain.Plural(max(e.Of, e.EvidenceCount), "session"), firstEnd(e.Type), daysMarked(e.Spread), e.Explicit,
				e.EvidenceCount-e.Explicit),
			fmt.Sprintf("reference: %s>%s>%s", e.Source.ID, e.Type, e.Target.ID))
		evidence(s, "Stated by", e.Statements, e.LeftOut, d)
	case x.Link != nil:
		linkLines(s, *x.Link, d)
		edgeLine(s, x.Link.Edge)
	case x.Pattern != nil:
		s.add(patternLines(x.Pattern.Pattern, d)...)
		s.add(short(x.Pattern.Pattern.Description, 4*maxItem))
		evidence(s, "Decisions", x.Pattern.Uses, x.Pattern.LeftOut, d)
	}
	return s.cut(budget(tokens, ExplainTokens))
}

func nodeText(s *sheet, f *query.NodeFacts, d detail) {
	n := f.Node
	s.now(n, readable.width)
	s.add(fmt.Sprintf("%s %s: %s", n.Type, n.ID, fullLabel(n, mostFull)),
		fmt.Sprintf("in %s, %s", sessionsEnded(n.Frequency, n.Outcomes), days(f.Spread)))
	if len(f.Wordings) > 1 {
		section(s, "In the words of the logs", d, f.Wordings, func(w query.Wording) []string {
			return []string{fmt.Sprintf("%s (%s)", quote(w.Label, d.width), plain.Plural(len(w.Episodes), "session"))}
		})
	}
	var together []query.EdgeSummary
	split := func(list []query.EdgeSummary) (directed []query.EdgeSummary) {
		for _, e := range list {
			if e.Type == episode.Correlates {
				together = append(together, e)
			} else {
				directed = append(directed, e)
			}
		}
		return directed
	}
	in, out := split(f.In), split(f.Out)
	edges(s, in, f.LeftOut.In, func(e query.EdgeSummary) (string, []string) {
		head := map[episode.LinkType]string{episode.Causes: "Caused by", episode.Enables: "Made possible by",
			episode.Prevents: "Prevented by"}[e.Type]
		if answers(e.Type, e.Node, n) {
			head = "Answers"
		}
		return head, edgeLines(e, e.Node.Frequency, d)
	}, d)
	edges(s, out, f.LeftOut.Out, func(e query.EdgeSummary) (string, []string) {
		head := map[episode.LinkType]string{episode.Causes: "Leads to", episode.Enables: "Makes possible",
			episode.Prevents: "Prevents"}[e.Type]
		if answers(e.Type, n, e.Node) {
			head = "Answered by"
		}
		return head, edgeLines(e, n.Frequency, d)
	}, d)
	slices.SortStableFunc(together, func(a, b query.EdgeSummary) int { return cmp.Compare(b.Weight, a.Weight) })
	section(s, "Goes together with (no cause claimed)", d, together, func(e query.EdgeSummary) []string { return edgeLines(e, 0, d) })
	evidence(s, "Where", f.Mentions, f.LeftOut.Mentions, d)
}

// answers reports whether an edge leads from an event to the decision made about it: an
// error leads to the decision, but does not cause its own repair.
func answers(t episode.LinkType, source, target query.Node) bool {
	return t == episode.Causes && source.Type == causal.EventNode && target.Type == causal.DecisionNode
}

// verb is the verb between the ends of a hop.
func verb(h query.Hop) string {
	return query.LinkVerb(h.Type, h.Target.Type == causal.DecisionNode)
}

// edges lists the edges of one direction under headings, each after the first edge that
// it is for.
func edges(s *sheet, list []query.EdgeSummary, left int, line func(query.EdgeSummary) (head string, lines []string), d detail) {
	var heads []string
	under := map[string][]query.EdgeSummary{}
	for _, e := range list {
		h, _ := line(e)
		if under[h] == nil {
			heads = append(heads, h)
		}
		under[h] = append(under[h], e)
	}
	for _, h := range heads {
		section(s, h, d, under[h], func(e query.EdgeSummary) []string { _, lines := line(e); return lines })
	}
	if left > 0 {
		s.addf("and %s not shown", plain.Plural(left, "more link"))
	}
}

// edgeLines names the other end of an edge, and how many of the sessions with its source
// say so; of is 0 where that is not to be said.
func edgeLines(e query.EdgeSummary, of int, d detail) []string {
	said := ""
	if of > 1 {
		said = ", " + saidIn(e.EvidenceCount, of)
	}
	return []string{fmt.Sprintf("%s (%s)%s", quoteLabel(e.Node, d.width), e.Node.ID, said)}
}

// saidIn counts the sessions that state a link, of those that have its source.
func saidIn(n, of int) string {
	if of <= n {
		return "said in " + plain.Plural(n, "session")
	}
	return fmt.Sprintf("said in %d of %d sessions", n, of)
}

// sessionsEnded counts sessions and says how they ended: "3 sessions (2 succeeded, 1 unknown)".
func sessionsEnded(n int, t causal.Tally) string {
	how := outcomes(t)
	switch {
	case t.Total() == 0:
		return plain.Plural(n, "session")
	case n > 1 || t.Total() > 1:
	case t.Partial == 1:
		how = "succeeded in part"
	default:
		how = strings.TrimPrefix(how, "1 ")
	}
	return plain.Plural(n, "session") + " (" + how + ")"
}

// arrow is the arrow between the ends of a link.
func arrow(t episode.LinkType) string {
	if t == episode.Correlates {
		return "↔"
	}
	return "→"
}

// firstEnd names the node whose episodes the weight of an edge is a share of.
func firstEnd(t episode.LinkType) string {
	if t == episode.Correlates {
		return "the first of the two"
	}
	return "the first"
}

func more(s *sheet, n int) {
	if n > 0 {
		s.addf("- and %d more", n)
	}
}

func recordFacts(s *sheet, f *query.RecordFacts, d detail) {
	lines := []string{fmt.Sprintf("%s %s", f.Kind, location(f.Evidence)), full(f.Text, mostFull)}
	if x := f.Decision; x != nil {
		n := query.Node{Label: x.Chosen}
		if x.Superseded != nil {
			n.Superseded = *x.Superseded
		}
		if f.Node != nil {
			n.Later = f.Node.Later
		}
		s.now(n, d.width)
		if r := rejected(*x, d); r != "" {
			lines = append(lines, "not: "+r)
		}
		if x.Rationale != "" {
			lines = append(lines, "because: "+full(x.Rationale, mostFull))
		}
	}
	if f.Outcome != "" {
		lines = append(lines, "ended: "+string(f.Outcome))
	}
	s.add(lines...)
	quotes(s, f.Quote)
	if f.Node != nil && f.Node.Frequency > 1 {
		s.addf("The same is in %s: episodes explain %s", plain.Plural(f.Node.Frequency, "session"), f.Node.ID)
	}
	for _, l := range f.Links {
		linkLines(s, l, d)
	}
}

func linkLines(s *sheet, l query.LinkFacts, d detail) {
	how := "implied"
	if l.Explicit != nil && *l.Explicit {
		how = "stated"
	}
	_, target, _ := strings.Cut(l.Record, ">")
	s.add(fmt.Sprintf("%s %s (%s)", query.LinkVerb(l.Type, strings.HasPrefix(target, "d")), location(l.Evidence), how),
		"  "+quote(l.From, d.width), "  "+arrow(l.Type)+" "+quote(l.To, d.width))
	quotes(s, l.Quote)
}

func edgeLine(s *sheet, e *query.EdgeSummary) {
	if e != nil && e.EvidenceCount > 1 {
		s.addf("the same is said in %s", plain.Plural(e.EvidenceCount, "session"))
	}
}

func evidence(s *sheet, head string, list []query.Evidence, left int, d detail) {
	for i, e := range list {
		line := "- " + location(e)
		if e.Outcome != "" {
			line += ", " + string(e.Outcome)
		}
		if e.Explicit != nil && !*e.Explicit {
			line += ", implied"
		}
		if e.Private {
			line += ", private"
		}
		lines := []string{line}
		if i == 0 {
			lines = []string{head + ":", line}
		}
		lines = append(lines, bars(e.Quote)...)
		if len(e.Quote) == 0 && e.Text != "" {
			lines = append(lines, "  "+quote(e.Text, d.width))
		}
		s.add(lines...)
	}
	more(s, left)
}

func quotes(s *sheet, lines []string) {
	for _, l := range bars(lines) {
		s.add(l)
	}
}

// bars quotes lines of a log, each behind a bar, maxItem bytes of a line and maxLines.
func bars(lines []string) (out []string) {
	for i, q := range lines {
		if i == maxLines {
			return append(out, fmt.Sprintf("  (%d more lines)", len(lines)-i))
		}
		out = append(out, "  | "+plain.Cut(plain.Words(q), maxItem))
	}
	return out
}

// maxLines is the largest number of lines that are quoted of one place of a log.
const maxLines = 40

// location is where a record is: the episode, the log and the lines.
func location(e query.Evidence) string {
	at := name(e.Episode + "#" + e.Record)
	switch {
	case e.Missing:
		return at + " (the episode is gone)"
	case e.Source.Path == "":
		return at
	case e.Lines == nil:
		return fmt.Sprintf("%s in %s", at, name(e.Source.Path))
	}
	span := fmt.Sprint(e.Lines[0])
	if e.Lines[1] != e.Lines[0] {
		span += fmt.Sprintf("-%d", e.Lines[1])
	}
	if u := e.Source.Unit; u != "" && u != "line" {
		return fmt.Sprintf("%s in %s, %s %s", at, name(e.Source.Path), name(u), span)
	}
	return fmt.Sprintf("%s in %s:%s", at, name(e.Source.Path), span)
}
