package reader

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/internal/corrections"
	"episodes/internal/lazy"
)

func (v *verifier) drop(l Line) string {
	from, to, isLink := strings.Cut(l.ID, ">")
	n := v.names[l.ID]
	switch {
	case isLink && !hasLink(v.Draft, from, to):
		return fmt.Sprintf("the draft has no link %s", l.ID)
	case isLink:
		a, b := v.names[from].ref, v.names[to].ref // as the rules have them: other lines may change them
		v.entry(corrections.Entry{Op: corrections.DropLink, From: &a, To: &b})
	case n == nil || n.isNew || l.ID == episode.OutcomeRef:
		return fmt.Sprintf("the draft has no %s", l.ID)
	case measured(v.Draft, l.ID):
		return fmt.Sprintf("%s is what a command did: a reader cannot drop it", l.ID)
	case v.drops >= max(1, (len(v.Draft.Decisions)+len(v.Draft.Events)+len(v.Draft.Lessons))/2):
		return "an answer may drop half of the records of the draft"
	default:
		n.gone = true
		v.drops++
		v.entry(corrections.Entry{Op: corrections.Drop, Record: &n.ref})
	}
	return ""
}

// measured reports whether a record shows what a command of a transcript did. Other logs only say it.
func measured(ep *episode.Episode, id string) bool {
	if format := ep.Provenance.Source.Format; format == "markdown" || format == "session-json" {
		return false
	}
	ev := ep.Event(id)
	return ev != nil && slices.Contains([]episode.EventType{episode.Error, episode.Test, episode.Commit, episode.ToolCall}, ev.Type)
}

func hasLink(ep *episode.Episode, from, to string) bool {
	return slices.ContainsFunc(ep.Links, func(l episode.Link) bool { return l.Source == from && l.Target == to })
}

func (v *verifier) sayOutcome(l Line) string {
	if !slices.Contains(episode.Outcomes(), l.Outcome) {
		return fmt.Sprintf("%q is no outcome: success, partial, failure, unknown", l.Outcome)
	}
	if why := v.cited(l.Span); why != "" {
		return why
	}
	if v.Draft.OutcomeSource == episode.Stated && v.Draft.Outcome.Known() && l.Outcome != v.Draft.Outcome && !names(l.Outcome, v.Lines.Of(l.Span)) {
		return fmt.Sprintf("the log states %s, and nothing on %s says %s", v.Draft.Outcome, onLines(l.Span), l.Outcome)
	}
	v.said = l.Outcome
	if l.Outcome == v.Draft.Outcome && l.Span == v.names[episode.OutcomeRef].span {
		return "" // the draft says so
	}
	v.entry(corrections.Entry{Op: corrections.SetOutcome, Outcome: l.Outcome, At: v.Lines.Anchor(l.Span)})
	if corrections.Measured(v.Draft) && l.Outcome != v.Draft.Outcome {
		return "" // both are kept, and the check counts
	}
	v.outcome, v.names[episode.OutcomeRef].span = l.Outcome, l.Span
	return ""
}

// How a line names an outcome; one that also says the opposite names partial at most.
var (
	saysWell  = lazy.Pattern(`(?i)\b(?:success\w*|succeed\w*|complete[ds]?|done|pass(?:ed|es|ing)?|green|works|working|merged|shipped|fixed|resolved)\b|✅|✓|✔`)
	saysBadly = lazy.Pattern(`(?i)\b(?:fail\w*|red|broken|blocked|abandon\w*|reverted|unresolved|errors?)\b|\b(?:not|never|n't) (?:\w+ )?(?:work|done|complete|fixed|pass|merged)|❌|✗|✘`)
	saysPart  = lazy.Pattern(`(?i)\b(?:partial\w*|partly|in progress|incomplete|unfinished|remain\w*|pending|blocked|open|todo|left)\b`)
)

// names reports whether lines name an outcome.
func names(o episode.Outcome, text string) bool {
	well, badly := saysWell().MatchString(text), saysBadly().MatchString(text)
	switch o {
	case episode.Success:
		return well && !badly
	case episode.Failure:
		return badly
	case episode.Partial:
		return well && badly || saysPart().MatchString(text)
	}
	return true // that nothing is known takes no line
}

// form says what is wrong with a line about a record, but for its words.
func (v *verifier) form(l Line, k corrections.Kind) string {
	switch {
	case !corrections.KnownType(k, l.Type):
		return fmt.Sprintf("%q is no type of %s", l.Type, k.Text())
	case l.Outcome != "" && k != corrections.Decision && !slices.Contains(withOutcome, l.Type):
		return fmt.Sprintf("%s of the type %s has no outcome", k.Text(), l.Type)
	case l.Outcome != "" && !slices.Contains(episode.Outcomes(), l.Outcome):
		return fmt.Sprintf("%q is no outcome: success, partial, failure, unknown", l.Outcome)
	}
	return v.cited(l.Span)
}

// withOutcome are the types of events that may have an outcome.
var withOutcome = []string{string(episode.Test), string(episode.Milestone), string(episode.ToolCall)}

func (v *verifier) change(l Line) string {
	n := v.names[l.ID]
	if n == nil || l.ID == episode.OutcomeRef || n.isNew {
		return fmt.Sprintf("the draft has no %s; a new record begins with +", l.ID)
	}
	if why := v.form(l, n.ref.Kind); why != "" {
		return why
	}
	if why := v.quote(l, false); why != "" {
		return why
	}
	place := n.span
	if l.Quote != "" {
		place = l.Span
	}
	if l.Outcome == episode.Success {
		if why := v.failedThere(place, l.Span); why != "" {
			return why
		}
	}
	at := v.Lines.Anchor(l.Span)
	record := n.ref // as the rules have it
	e := corrections.Entry{Op: corrections.Put, Record: &record, Type: l.Type, Outcome: l.Outcome, At: at, Why: v.why(l)}
	if l.Quote != "" {
		e.Text = take(v.Lines, l.Span, l.Quote)
		n.span, n.ref.At, n.ref.Text = l.Span, at, e.Text
	}
	if e.Text == "" && e.Why == "" && l.Type == n.ref.Type && (l.Outcome == "" || l.Outcome == n.outcome) {
		return "" // the draft says so
	}
	n.ref.Type, n.outcome = l.Type, cmp.Or(l.Outcome, n.outcome)
	v.entry(e)
	return ""
}

func (v *verifier) add(l Line) string {
	k := kind(l.ID)
	if k == "" {
		return "a new record is +d1, +x1 or +l1"
	}
	if n := v.names[l.ID]; n != nil && !n.isNew {
		return fmt.Sprintf("%s is a record of the draft: take another number", l.ID)
	}
	n := &named{ref: corrections.Ref{Kind: k, Type: l.Type}, outcome: l.Outcome, span: l.Span, isNew: true, gone: true}
	v.names[l.ID] = n // a link to it is refused with the reason
	if why := v.form(l, k); why != "" {
		return why
	}
	if why := v.quote(l, k != corrections.Lesson); why != "" {
		return why
	}
	if l.Outcome == episode.Success {
		if why := v.failedThere(l.Span, l.Span); why != "" {
			return why
		}
	}
	n.ref.Text, n.ref.At, n.gone = take(v.Lines, l.Span, l.Quote), v.Lines.Anchor(l.Span), false
	if id := v.twice(l.ID, n); id != "" {
		n.gone = true
		if o := v.names[id]; !o.isNew && o.ref.Type != l.Type {
			return fmt.Sprintf("%s says the same: give it the type with %s %s %s", id, id, l.Type, lines(l.Span))
		}
		return fmt.Sprintf("%s says the same: links can name it", id)
	}
	record := n.ref
	v.entry(corrections.Entry{Op: corrections.Put, Record: &record, New: true, Type: l.Type, Outcome: l.Outcome, Why: v.why(l)})
	return ""
}

// twice finds another record of the same kind with the same words on the same lines.
func (v *verifier) twice(id string, n *named) string {
	for other, o := range v.names {
		if other != id && !o.gone && o.ref.Kind == n.ref.Kind && sameWords(o.ref.Text, n.ref.Text) && o.span == n.span {
			return other
		}
	}
	return ""
}

func sameWords(a, b string) bool {
	return slices.EqualFunc(tokens(a), tokens(b), func(x, y token) bool { return x.word == y.word })
}

// why takes the reason of a decision from the log: from the cited lines, else from the
// nearest place that has its first words. Words that occur nowhere are left out.
func (v *verifier) why(l Line) string {
	if len(tokens(l.Why)) == 0 || kind(l.ID) != corrections.Decision {
		return ""
	}
	if text := takeFrom(v.Lines, l.Span, l.Why); text != "" {
		return text
	}
	best, text := len(v.Lines), ""
	for i := range v.Lines {
		away := max(l.Span[0]-i-1, i+1-l.Span[1])
		if away >= best {
			continue
		}
		if t := takeFrom(v.Lines, episode.Span{i + 1, i + 1}, l.Why); t != "" {
			best, text = away, t
		}
	}
	return text
}

// failed is how a heading or a line says that what it is about did not work.
var failed = lazy.Pattern(`(?i)\((?:failed|failure|unsuccessful|did not work|didn't work|reverted|abandoned)\b[^)]*\)|^\W*(?:failed|failure)\W*:`)

// failedThere says why a decision on these lines cannot have succeeded.
func (v *verifier) failedThere(places ...episode.Span) string {
	for _, s := range places {
		if !v.Lines.Has(s) {
			continue
		}
		for _, h := range above(v.sections, s[0]) {
			if failed().MatchString(h.title) {
				return fmt.Sprintf("it stands under %s (line %d), so it did not succeed", quoted(h.title), h.span[0])
			}
		}
		for n := s[0]; n <= s[1]; n++ {
			if failed().MatchString(v.Lines[n-1]) {
				return fmt.Sprintf("line %d says that it failed", n)
			}
		}
	}
	return ""
}
