package ask

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/internal/capture"
	"episodes/internal/memory"
	"episodes/internal/plain"
	"episodes/keys"
	"episodes/ledger"
	"episodes/recall"
)

// BranchRequest asks what earlier sessions left open on a branch of git, and what they
// learned on it.
type BranchRequest struct{ Branch string }

// BranchAnswer is what is open, and the one lesson; each may be missing.
type BranchAnswer struct {
	Branch string
	Open   *BranchFact // the last open error of the branch's newest session
	Lesson *BranchFact
	Date   string // of that session; "": not known
	Ended  episode.Outcome
}

// BranchFact is something that a session on a branch left.
type BranchFact struct {
	Text     string
	Evidence AdviceEvidence
	risky    bool // see recall.Risk
}

// How much is looked at to find the sessions of a branch.
const (
	branchHits     = 40 // places that have words of its name
	branchFiles    = 40 // episodes, those that were written last
	branchSessions = 8
)

// Branch returns how the newest session ended that worked on a branch or names it, with its open
// error, and a lesson about the branch. The answer is empty for a common name such as main, and for
// one that no session knows.
func (m *Memory) Branch(_ context.Context, r BranchRequest) (*BranchAnswer, error) {
	a := &BranchAnswer{Branch: r.Branch}
	if !keys.OwnBranch(r.Branch) {
		return a, nil
	}
	names := regexp.MustCompile(`(?:^|[^\w/-])` + regexp.QuoteMeta(r.Branch) + `(?:$|[^\w/-])`)
	sessions, err := m.onBranch(r.Branch, names)
	if err != nil {
		return nil, err
	}
	for i, ep := range sessions {
		if i == 0 {
			a.Ended, a.Date = ep.Outcome, dayOf(ep)
			if ep.Outcome == episode.Failure || ep.Outcome == episode.Partial {
				a.Open = m.openError(ep)
			}
		}
		if a.Lesson == nil {
			a.Lesson = m.branchLesson(ep, r.Branch, names)
		}
	}
	return a, nil
}

// onBranch returns the sessions that worked on a branch or name it, the newest first.
func (m *Memory) onBranch(branch string, names *regexp.Regexp) (out []*episode.Episode, err error) {
	var ids []string
	err = m.recall(context.Background(), nil, func(x *recall.Index) error {
		hits, _, err := x.List(recall.Analyse(recall.ATask, branch), recall.Filter{Limit: branchHits})
		slices.SortStableFunc(hits, func(a, b recall.Cited) int { return strings.Compare(b.Date, a.Date) })
		for _, h := range hits {
			if !slices.Contains(ids, h.Episode) {
				ids = append(ids, h.Episode)
			}
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	ids = ids[:min(len(ids), branchSessions)]
	files, _, err := m.folder.Files() // a transcript records its branch, and need not speak of it
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(files, func(a, b memory.File) int { return cmp.Compare(b.Modified, a.Modified) })
	for _, f := range files[:min(len(files), branchFiles)] {
		if !slices.Contains(ids, f.ID) {
			ids = append(ids, f.ID)
		}
	}
	for _, id := range ids {
		if ep, err := m.load(id); err == nil && m.Reviewed(id) && (ep.Instance == keys.OnBranch+branch || names.MatchString(factsOf(ep))) {
			out = append(out, ep)
		}
	}
	slices.SortStableFunc(out, func(a, b *episode.Episode) int { return strings.Compare(dayOf(b), dayOf(a)) })
	return out[:min(len(out), branchSessions)], nil
}

func dayOf(ep *episode.Episode) string {
	return ep.Timestamp[:min(len(ep.Timestamp), len("2006-01-02"))]
}

// factsOf are the texts of an episode.
func factsOf(ep *episode.Episode) string {
	parts := append([]string{ep.Task}, ep.Lessons...)
	for i := range ep.Events {
		parts = append(parts, ep.Events[i].Content)
	}
	for i := range ep.Decisions {
		d := &ep.Decisions[i]
		parts = append(parts, d.Context, d.Chosen, d.Rationale)
	}
	return strings.Join(parts, "\n")
}

// openError returns the last error of a session for which it states no fix, or nil.
func (m *Memory) openError(ep *episode.Episode) *BranchFact {
	for _, v := range slices.Backward(ep.Events) {
		mended := slices.ContainsFunc(ep.Links, func(l episode.Link) bool { return l.Target == v.ID && l.Type != episode.Causes })
		if v.Type == episode.Error && !mended {
			return m.branchFact(ep, v.ID, v.Content)
		}
	}
	return nil
}

// branchLesson is a lesson that names the branch, or one of a session that worked on it or whose task
// names it.
func (m *Memory) branchLesson(ep *episode.Episode, branch string, names *regexp.Regexp) *BranchFact {
	for i, l := range slices.Backward(ep.Lessons) {
		if ep.Instance == keys.OnBranch+branch || names.MatchString(l) || names.MatchString(ep.Task) {
			return m.branchFact(ep, episode.LessonID(i+1), l)
		}
	}
	return nil
}

func (m *Memory) branchFact(ep *episode.Episode, record, text string) *BranchFact {
	return &BranchFact{Text: capture.Redactor(m.Location).String(text), risky: m.Risk(text) != "",
		Evidence: AdviceEvidence{Episode: ep.ID, Log: plain.Words(ep.Provenance.Source.Path),
			Lines: span(ep.Provenance.Spans[record]), Private: m.isPrivate(ep.ID)}}
}

// Empty reports whether nothing is known of the branch.
func (a *BranchAnswer) Empty() bool { return a.Open == nil && a.Lesson == nil }

// Unasked is the answer for one who did not ask.
func (a *BranchAnswer) Unasked(budget int, known func(AdviceEvidence) bool) (string, []AdviceEvidence) {
	var given []AdviceEvidence
	text := Quoted
	add := func(f *BranchFact, label string) {
		if f == nil || known(f.Evidence) || f.risky {
			return
		}
		log := f.Evidence.Log
		place := plain.Name(log[strings.LastIndexAny(log, `/\`)+1:], longestName)
		if log == "" {
			place = f.Evidence.Episode
		}
		if f.Evidence.Lines != nil {
			place += fmt.Sprintf(":%d", f.Evidence.Lines[0])
		}
		if f.Evidence.Private {
			place += ", private"
		}
		around := len(label) + len(` "" ()`) + len(place) + 1
		text += label + plain.Quote(quotable(f.Text), (budget-len(Quoted))/2-around) + " (" + plain.Inert(place) + ")\n"
		given = append(given, f.Evidence)
	}
	add(a.Open, fmt.Sprintf("Open on branch %s (%s, ended as %s): ", plain.Name(a.Branch, longestName), orDash(a.Date), a.Ended))
	add(a.Lesson, "Lesson: ")
	if given == nil {
		return "", nil
	}
	return text, given
}

// Names are those of the lesson.
func (a *BranchAnswer) Names(at AdviceEvidence) []string {
	if a.Lesson == nil || a.Lesson.Evidence != at {
		return nil
	}
	return ledger.Names(a.Lesson.Text, false)
}
