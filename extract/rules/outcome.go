package rules

import (
	"slices"
	"sort"
	"strings"

	"episodes/episode"
	"episodes/extract/internal/doc"
	"episodes/extract/internal/lex"
	"episodes/outcome"
)

// outcome gives the signs of the newest session of the file where there are any, else those of all.
func (x *extraction) outcome() {
	signs := x.signs()
	newest := func(s outcome.Sign) bool { return x.newest.head != nil && x.newest.contains(s.Lines[0]) }
	own := slices.ContainsFunc(signs, newest)
	if at, open := x.leftOpen(); open {
		signs = append(signs, outcome.Sign{Kind: outcome.LeftOpen, Lines: at})
	}
	if own {
		signs = slices.DeleteFunc(signs, func(s outcome.Sign) bool { return !newest(s) })
	}
	if x.plans() { // its steps, checks and boxes are targets
		signs = slices.DeleteFunc(signs, func(s outcome.Sign) bool {
			return s.Kind != outcome.OutcomeLabel && s.Kind != outcome.StatusLabel &&
				s.Kind != outcome.FrontMatter && s.Kind != outcome.StatusSection
		})
	}
	switch x.draft.State {
	case "":
	case episode.Planned: // its checks are targets
		signs = nil
	default: // only what was run can say more
		signs = slices.DeleteFunc(signs, func(s outcome.Sign) bool { return s.Kind.From != episode.Measured })
	}
	x.draft.Signs, x.verdict = signs, outcome.Decide(signs...)
}

// plans reports whether the title calls the log a plan, a guide or the like: "Sprint plan", "Migration guide: imports".
func (x *extraction) plans() bool {
	t := x.title()
	if t == nil {
		return false
	}
	for _, clause := range strings.FieldsFunc(t.Title.Raw, func(r rune) bool { return strings.ContainsRune(":—–(|", r) }) {
		for _, part := range strings.Split(clause, " - ") {
			words := x.plain(part).Words
			for len(words) > 0 && strings.ContainsAny(words[len(words)-1].Lower, "0123456789") {
				words = words[:len(words)-1] // the version
			}
			if n := len(words); n > 0 && words[n-1].Classes.Has(lex.ClassIntent) {
				return true
			}
		}
	}
	return false
}

// leftOpen finds the last open box, or line that says that the work is blocked, where the session is summed up: a
// status that says that all is done was set in spite of it.
func (x *extraction) leftOpen() (at episode.Span, found bool) {
	for _, b := range x.doc.Blocks {
		s := b.Section
		blocked := b.Kind != doc.Code && b.Kind != doc.Row && saysBlocked(b) &&
			s.Any(lex.RoleSummary, lex.RoleOutcome, lex.RoleStatus, lex.RoleVerdict)
		open := b.Kind == doc.Item && b.Box && b.Tick == doc.OpenTick &&
			s.Any(lex.RoleSummary, lex.RoleOutcome, lex.RoleStatus) &&
			!s.RolesAbove.Any(lex.RoleSkip, lex.RolePlan, lex.RoleHandoff, lex.RoleTest)
		if blocked || open {
			at, found = b.Span, true
		}
	}
	return at, found
}

// saysBlocked reports whether a text says in capitals that the work is blocked: "the
// release is BLOCKED by the signing key".
func saysBlocked(b *doc.Block) bool {
	t := b.Text
	for i := range t.Words {
		if t.At(i, lex.ClassHalf) && t.At(i, lex.ClassVerdict) && t.Capitals(i) && i > 0 && t.At(i-1, lex.ClassHas) {
			return true
		}
	}
	return false
}

// lineSign is the sign that a line gives.
type lineSign struct {
	kind  outcome.Kind
	reads func(*doc.Block) episode.Outcome // nil: the kind always speaks for the same
}

var noSign = lineSign{kind: outcome.NothingShown}

// signRules say which lines state the outcome. What they say is the log's own statement.
var signRules = []rule[lineSign]{
	{"is no line of the log's own prose", func(f *features) bool { return f.code || f.row || f.nested || f.block.Placeholder() }, noSign},
	{"gives the verdict of a check", func(f *features) bool {
		return f.labels(lex.RoleStatus) && f.text.At(0, lex.ClassTest) && f.text.At(1, lex.ClassBad) ||
			f.labels(lex.RoleVerdict) && blockStatus(f.block) != episode.Success
	}, noSign},
	{"tells of the job that ran the session", func(f *features) bool {
		return f.text.At(0, lex.ClassCI) && f.text.At(1, lex.ClassBad) && f.words == 2
	}, noSign},
	{"gives the status of a document", func(f *features) bool { return documentState(f.text) }, noSign},
	shows(outcome.OutcomeLabel, blockStatus, (*features).givesOutcome),
	{"label gives the status of a step of protocol", func(f *features) bool {
		return f.labels(lex.RoleStatus) && f.inProtocol()
	}, noSign},
	shows(outcome.StatusLabel, blockStatus, func(f *features) bool {
		return f.givesStatus() && (f.section.Head() || aboutSession(f.section) || len(f.block.Label) > shortLabel)
	}),
	shows(outcome.ItemsAgree, blockStatus, (*features).givesStatus),
	shows(outcome.OutcomeSection, blockStatus, func(f *features) bool {
		return f.under(lex.RoleOutcome) && !f.inProtocol() && opensWithStatus(f.block)
	}),
	shows(outcome.StatusSection, blockStatus, func(f *features) bool {
		return f.under(lex.RoleStatus) && !f.inProtocol() && f.section.Level <= 2
	}),
	shows(outcome.TimelineEnds, func(b *doc.Block) episode.Outcome { return b.Text.EndStatus() },
		func(f *features) bool { return f.under(lex.RoleTimeline) && f.item }),
	shows(outcome.AllDone, nil, func(f *features) bool { return !f.inProtocol() && f.saysAllDone() }),
}

// shows is the rule by which lines give a kind of sign; the kind has its name.
func shows(kind outcome.Kind, reads func(*doc.Block) episode.Outcome, when func(*features) bool) rule[lineSign] {
	return rule[lineSign]{kind.Rule, when, lineSign{kind, reads}}
}

// shortLabel is the length of a label that does not say whose status it gives: "Status".
const shortLabel = 6

func (f *features) inProtocol() bool { return f.within(lex.RoleSkip) }

func (f *features) givesOutcome() bool {
	return f.labels(lex.RoleOutcome) && f.words > 0 && !f.within(lex.RoleSkip, lex.RolePlan)
}

// givesStatus: the label gives the status of the session or of a piece of its work, not
// of a comment, a finding, an attempt or a check.
func (f *features) givesStatus() bool {
	return f.labels(lex.RoleStatus) && (f.section.Head() || !f.within(lex.RoleProblem, lex.RoleFinding,
		lex.RoleAttempt, lex.RoleOptions, lex.RoleVerdict, lex.RoleDecision) &&
		!f.under(lex.RoleContext, lex.RoleTest, lex.RoleFailed) && !aboutComment(f.section))
}

// aboutSession reports whether a section below the title is about the session as a whole: "Session
// metadata", not "Next session", "Previous session" or one of several, "Session 3".
func aboutSession(s *doc.Section) bool {
	return s.Level == 2 && len(s.Title.Words) == 2 && s.Title.At(0, lex.ClassSession)
}

// aboutComment reports whether a section is about one comment or the like: "Comment 3",
// "Issue comment".
func aboutComment(s *doc.Section) bool {
	return s.Title.FirstIs(lex.ClassTracker) || s.Level > 2 && len(s.Title.Words) <= 3 && s.Title.Is(lex.ClassTracker)
}

// saysAllDone: the text says about all that was to be done that it is: "All review
// comments addressed", "Addressed all review comments".
func (f *features) saysAllDone() bool {
	t := f.text
	if f.openBox || f.above.Has(lex.RolePlan) || f.labels(lex.RolePlan) ||
		f.within(lex.RolePlan, lex.RoleProblem, lex.RoleTask, lex.RoleHandoff, lex.RoleContext) || f.failing() {
		return false
	}
	if (f.opens(lex.ClassGood) || f.opens(lex.ClassAddressed)) && !f.text.Is(lex.ClassThis) &&
		(t.At(1, lex.ClassAll) || t.At(2, lex.ClassAll)) {
		return true
	}
	for i := 1; f.opens(lex.ClassAll) && i < len(t.Words) && i <= 10; i++ {
		if (t.At(i, lex.ClassGood) || t.At(i, lex.ClassAddressed)) && !t.Negated(i) {
			return true
		}
	}
	return false
}

// signs are those of the log's own status fields, of what its lines say, and of its
// checks, tasks and verdicts.
func (x *extraction) signs() (out []outcome.Sign) {
	for _, b := range x.doc.Meta {
		if b.LabelRoles.Any(lex.RoleStatus, lex.RoleOutcome) {
			out = append(out, x.stated(lineSign{kind: outcome.FrontMatter, reads: blockStatus}, b)...)
		}
	}
	var items []outcome.Sign
	for _, b := range x.doc.Blocks {
		f := x.features(b)
		r := first(signRules, f)
		if r == nil || r.verdict.kind == outcome.NothingShown {
			continue
		}
		for _, s := range x.stated(r.verdict, b) {
			if s.Kind == outcome.ItemsAgree {
				items = append(items, s)
			} else {
				out = append(out, s)
			}
		}
	}
	out = append(out, together(items)...)
	for _, signs := range factSigns {
		out = append(out, signs(x)...)
	}
	return out
}

// stated is the sign that a line gives; none where it says nothing.
func (x *extraction) stated(l lineSign, b *doc.Block) []outcome.Sign {
	sign := outcome.Sign{Kind: l.kind, Lines: b.Span}
	if l.reads != nil {
		sign.Says = l.reads(b)
	}
	if !sign.Outcome().Known() {
		return nil
	}
	if (sign.Outcome() == episode.Partial || l.kind == outcome.ItemsAgree) && x.underway(b.Span) {
		sign.Kind = outcome.Underway
	}
	return []outcome.Sign{sign}
}

// together are the pieces of work as one sign, on the lines of the last.
func together(items []outcome.Sign) []outcome.Sign {
	last := max(len(items)-1, 0)
	for _, s := range items {
		if s.Says != items[0].Says {
			return sign(outcome.ItemsDiffer, items[last].Lines)
		}
	}
	return items[last:]
}

// underway reports whether the status line on a span says only that work goes
// on.
func (x *extraction) underway(span episode.Span) bool {
	i := sort.Search(len(x.doc.Blocks), func(i int) bool { return x.doc.Blocks[i].Span[0] >= span[0] })
	for _, b := range x.doc.Blocks[i:] {
		if b.Span[0] > span[0] {
			break
		}
		if b.Span == span && b.LabelRoles.Any(lex.RoleStatus, lex.RoleOutcome) {
			return len(b.Text.Words) <= 4 && x.plain(strings.ReplaceAll(b.Text.Raw, "_", " ")).Is(lex.ClassUnderway)
		}
	}
	return false
}
