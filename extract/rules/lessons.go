package rules

import (
	"slices"
	"strings"

	"episodes/episode"
	"episodes/extract/internal/doc"
	"episodes/extract/internal/facts"
	"episodes/extract/internal/lex"
	"episodes/internal/lazy"
)

// lessonRules say which blocks state what was learned: items and sentences under a
// lesson heading or label, and text with a lesson label.
var lessonRules = []rule[taking]{
	{"is about the log itself", func(f *features) bool { return quiet(f.block) || f.code || f.block.Struck }, refuse},
	{"label names the lesson", func(f *features) bool { return f.labels(lex.RoleLesson) && !f.blank && f.words > 2 }, take},
	{"says too little", func(f *features) bool { return f.words < 3 && !f.row || f.blank || f.nested }, refuse},
	{"stands under a label of lessons", func(f *features) bool { return f.above.Has(lex.RoleLesson) }, take},
	{"mark or label above says otherwise", func(f *features) bool {
		return f.openBox || f.above != 0 && !f.above.Any(lex.RoleWorked, lex.RoleFailed) || f.intro != nil && f.intro.LabelText.Is(lex.ClassForbid)
	}, refuse},
	{"heading is not about lessons", func(f *features) bool { return !f.under(lex.RoleLesson) || f.row || f.block.Box }, refuse},
	{"says what a lesson led to or stands on", func(f *features) bool {
		return f.labelText.Is(lex.ClassImpact) || f.labels(lex.RoleReason, lex.RoleContext)
	}, refuse},
	{"stands under a heading of lessons", func(f *features) bool {
		return f.section.Numbered() && f.prose || !f.section.Numbered() && (f.item || !f.section.HasItems && !f.block.OpensList())
	}, take},
}

// lessons extracts what the log states as learned.
func (x *extraction) lessons() {
	for _, b := range x.doc.Blocks {
		if x.used[b] == nil {
			if rule := takes(lessonRules, x.features(b)); rule != "" {
				x.takeLesson(b, rule)
			}
		}
	}
}

func (x *extraction) takeLesson(b *doc.Block, rule string) {
	t := b.Full()
	if b.LabelRoles.Has(lex.RoleLesson) {
		t = b.Text.Raw
	}
	whole := withList(b, t, manyItems)
	if b.Section.Numbered() && b.Section.Prose == b { // the heading gives the lesson its name
		title := b.Section.Title
		whole = strings.TrimLeft(title.Raw[title.Words[0].End:], ".): ") + ": " + whole
	}
	if !forLater(x.plain(whole), b.LabelRoles.Has(lex.RoleLesson)) {
		return
	}
	f := x.add(&fact{Fact: facts.Fact{Kind: facts.Lesson, Span: b.Span,
		Content: episode.Shorten(whole, episode.MaxContent), Rule: rule, Lesson: episode.Lesson{Kind: episode.TrapLesson}}, block: b})
	explained := b.Children // items under a lesson explain it
	if whole != t {
		explained = slices.Concat(explained, b.Introduced())
	}
	x.cover(f, explained)
}

// forLater reports whether a text says something for work to come: what to do, what must be or must not, or when
// something goes wrong. One sentence that a log calls a lesson need not; named: it does.
func forLater(t lex.Text, named bool) bool {
	const least, long = 5, 15 // words
	said := t                 // without its name
	if i := strings.Index(t.Raw, ": "); i > 0 {
		said = t.Sub(i+1, len(t.Raw))
	}
	first := func(t lex.Text, of ...lex.Class) bool { return len(t.Words) > 0 && t.Words[0].Any(of...) }
	has := func(of ...lex.Class) bool {
		return slices.ContainsFunc(t.Words, func(w lex.Word) bool { return w.Any(of...) })
	}
	switch {
	case first(t, lex.ClassMake, lex.ClassModal), first(said, lex.ClassMake), has(lex.ClassThis, lex.ClassNow), reported().MatchString(t.Raw):
		return false
	case has(lex.ClassForbid, lex.ClassEnsure, lex.ClassStanding):
		return true
	case len(t.Words) < least:
		return false
	case !first(t, lex.ClassThat) && (len(t.Words) >= long || named && len(t.Sentences()) == 1), first(t, lex.ClassAdopt, lex.ClassAdvise), first(said, lex.ClassAdopt, lex.ClassAdvise),
		t.Imperative(), t.Is(lex.ClassFail) && strings.HasSuffix(t.Raw, "."):
		return true
	}
	return has(lex.ClassDemand, lex.ClassModal, lex.ClassContrast, lex.ClassWhen, lex.ClassIf, lex.ClassBefore, lex.ClassNeeded, lex.ClassNot) ||
		slices.ContainsFunc(t.Words, func(w lex.Word) bool { return w.Any(lex.ClassNegate) && !w.Any(lex.ClassGuard, lex.ClassAbout) })
}

// reported matches what only tells how something went: a score, or what became of what.
var reported = lazy.Pattern(`[→←]|\b\d+/\d+\b|\b100 ?%`)

// learnt adds what a record or a decision says to other sessions.
func (x *extraction) learnt(from *fact, rule string, l episode.Lesson) {
	x.draft.Facts = append(x.draft.Facts, &facts.Fact{Kind: facts.Lesson, Span: from.Span, Content: from.Decision.Chosen, Rule: rule, Lesson: l})
}

// learnFix takes the way out that a record gives for a problem with its cause.
func (x linker) learnFix(p *parts) {
	if p.problem == nil || p.cause == nil || p.fix == nil {
		return
	}
	l := episode.Lesson{Kind: episode.FixLesson, Was: p.problem.Content, Because: p.cause.Content}
	if p.result.isEvent(episode.Test) && checkOutcome(p.result) == episode.Success {
		l.Outcome, l.Proof = "held", episode.Ranges{p.result.Span}
	}
	x.learnt(p.fix, x.rule, l)
}

// learnChoice takes a labelled decision with its reason.
func (x *extraction) learnChoice(f *fact) {
	d := f.Decision
	if t := x.plain(d.Chosen); d.Rationale != "" && strings.HasSuffix(f.Rule, " names the decision") && len(t.Words) > 2 && !t.Verdict() {
		x.learnt(f, f.Rule, episode.Lesson{Kind: episode.ChoiceLesson, Because: d.Rationale, Was: strings.Join(d.Options[min(1, len(d.Options)):], "; ")})
	}
}
