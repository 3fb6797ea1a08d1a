package rules

import (
	"strings"

	"episodes/extract/internal/doc"
	"episodes/extract/internal/lex"
	"episodes/internal/lazy"
)

// What the rules for errors ask of a block.

// otherLabels are the roles of labels whose text is never an error.
var otherLabels = []lex.Role{
	lex.RoleFix, lex.RoleLesson, lex.RoleReason, lex.RoleTask, lex.RoleStatus, lex.RoleCommit, lex.RoleOptions, lex.RoleDecision,
	lex.RoleFiles, lex.RoleHandoff, lex.RolePlan, lex.RoleTest, lex.RoleConsequence, lex.RoleDone, lex.RoleOutcome,
}

// failingCommand: "Failing command: `make`", next to a report of the failure itself.
func (f *features) failingCommand() bool {
	t := f.text
	i := strings.IndexByte(t.Raw, ':')
	return i > 0 && len(t.Sub(0, i).Words) <= 3 && t.Sub(0, i).Is(lex.ClassCommand)
}

// meant: the failure is the first step of test-driven work, or is meant otherwise.
func (f *features) meant() bool {
	return f.text.Is(lex.ClassMeant) || redStep(f.section)
}

// withdrawn: the finding, its heading or the verdict of its record takes it back.
func (f *features) withdrawn() bool {
	o := f.block.SiblingRole(lex.RoleVerdict, lex.RoleStatus)
	return f.text.Withdrawn() || f.labelText.Withdrawn() || f.section.Title.Withdrawn() || o != nil && o.Text.Withdrawn()
}

// redStep reports whether a section is the step of a test that has to fail first.
func redStep(s *doc.Section) bool {
	return s != nil && s.Level > 1 && s.Title.Is(lex.ClassRed) && len(s.Title.Words) <= 8
}

// problemLabel: the label names a problem; that of a ticket only where the text
// says that something failed.
func (f *features) problemLabel() bool {
	return f.label.Any(lex.RoleProblem, lex.RoleCause, lex.RoleFailed) && (!f.labelText.NamesTicket() || f.strongFail)
}

// failureLabel: the label has no role and ends in a word of failure.
func (f *features) failureLabel() bool {
	return f.labelled && f.label == 0 && !f.nested && !f.blank && f.labelText.LabelFails()
}

// harmlessImpact: the name "impact" is used for benefits as often as for damage.
func (f *features) harmlessImpact() bool {
	named := f.problemLabel() && f.labelText.Is(lex.ClassBenefit) || f.problemAbove() &&
		f.label == 0 && f.intro.LabelText.Is(lex.ClassBenefit)
	return named && (f.within(lex.RoleLesson) || !f.failing() || f.text.At(0, lex.ClassNegate) || f.text.At(0, lex.ClassModal))
}

// labelDenies: the label says that there is no problem: "No blocking issues".
func (f *features) labelDenies() bool {
	return f.labelText.At(0, lex.ClassNot) || f.problemAbove() && f.intro.LabelText.At(0, lex.ClassNot) ||
		f.problemLabel() && f.labelText.At(0, lex.ClassNone)
}

// lineAbove returns the paragraph directly above the list of an item, or nil.
func lineAbove(b *doc.Block) *doc.Block {
	for i := b.Pos - 1; i >= max(b.Pos-doc.Reach, 0); i-- {
		switch o := b.Section.Blocks[i]; o.Kind {
		case doc.Item:
		case doc.Paragraph:
			return o
		default:
			return nil
		}
	}
	return nil
}

// besideFix: an item whose next line is labelled as its solution.
func (f *features) besideFix() bool {
	return f.item && f.label == 0 && f.under(lex.RoleFix, lex.RoleProblem) && !f.repaired && f.fixNext
}

// lacks: it opens with what is not there, and no label above it is about that.
func (f *features) lacks() bool {
	return f.text.Lacks() && (f.intro == nil || f.intro.Label == "")
}

// problemAbove: the label of the line that introduces the list names a problem.
func (f *features) problemAbove() bool {
	return f.listed() && f.above.Any(lex.RoleProblem, lex.RoleFailed, lex.RoleCause)
}

// problemHeading: the items under the heading are problems.
func (f *features) problemHeading() bool {
	return f.under(lex.RoleProblem, lex.RoleFailed) && !f.under(lex.RoleFix, lex.RoleDone)
}

func (f *features) causeHeading() bool { return f.under(lex.RoleCause) }

// problemItem: an item without a role of its own under a heading of problems.
func (f *features) problemItem() bool {
	return f.topItem() && f.label == 0 && f.problemHeading()
}

// problemProse: the first words under a heading of problems, where they report a
// failure or the heading names one problem and nothing else.
func (f *features) problemProse() bool {
	if !f.prose || !f.problemHeading() || f.text.At(0, lex.ClassMake) {
		return false
	}
	if f.failing() {
		return true
	}
	return (problemAlone(f.section) || numberedProblem(f.section)) && f.words > 4
}

// numberedProblem reports whether a heading names one of several problems: "Issue 2: The
// index is empty".
func numberedProblem(s *doc.Section) bool {
	return s.Level > 2 && s.Has(lex.RoleProblem) && s.Subject != "" && len(s.Title.Words) > 1 &&
		lex.IsNumber(s.Title.Words[1].Lower) && len(s.Title.Words[1].Lower) <= 2
}

// finding: an item of a list of findings.
func (f *features) finding() bool { return f.topItem() && f.under(lex.RoleFinding) }

// beforeChoice reports whether b is in a short record: a section that contains one
// labelled decision, further down.
func beforeChoice(b *doc.Block) bool {
	if len(b.Section.Blocks) > 12 {
		return false
	}
	n, after := 0, false
	for _, o := range b.Section.Blocks {
		if o.LabelRoles.Any(lex.RoleDecision, lex.RoleChosen) && !o.Text.Empty() {
			n++
			after = o.Index > b.Index
		}
	}
	return n == 1 && after
}

// nextIsFix reports whether the next line of b's list, or the rest of b, is labelled as its solution.
func (x *extraction) nextIsFix(b *doc.Block) bool {
	if b.Index+1 == len(x.doc.Blocks) {
		return false
	}
	next := x.doc.Blocks[b.Index+1]
	return next.Section == b.Section && next.LabelRoles.Has(lex.RoleFix)
}

// listsErrors reports whether every item under a heading is an error by what the
// heading says; "Problem" may also contain the story around one.
func listsErrors(s *doc.Section) bool {
	return !s.Title.Is(lex.ClassStory) && s.Subject == "" // a heading that names its problem is about one
}

// problemAlone reports whether a heading names one problem and nothing else.
func problemAlone(s *doc.Section) bool {
	return s.Level > 1 && len(s.Title.Words) <= 3 &&
		s.Roles&^(1<<lex.RoleProblem|1<<lex.RoleOpen) == 0 && len(s.Subs) == 0
}

// graded reports whether an item opens with how grave it is, or with the number
// of a finding: "P1: …", "C2: …".
func (x *extraction) graded(b *doc.Block) bool {
	name := b.Label
	if name == "" {
		i := strings.IndexAny(b.Text.Raw, ":：")
		if i <= 0 || i > 16 {
			return false
		}
		name = b.Text.Raw[:i]
	}
	t := x.plain(name)
	if t.At(0, lex.ClassGrade) {
		return len(t.Words) <= 2
	}
	return len(t.Words) <= 3 && gradePattern().MatchString(name)
}

var gradePattern = lazy.Pattern(`^[A-Z]{1,8}(?:-[A-Z]+)*-?\d{1,4}$`)

// headField reports whether b is one of the fields at the head of a log (date,
// branch, issue), which name the work without describing it.
func headField(b *doc.Block) bool {
	if b.Section.Level > 1 || len(b.Text.Words) > 15 {
		return false
	}
	for _, o := range b.Group() {
		if d := o.Span[0] - b.Span[1]; d >= -3 && d <= 3 && o.LabelRoles.Any(lex.RoleWho, lex.RoleDate, lex.RoleBase) {
			return true
		}
	}
	return false
}
