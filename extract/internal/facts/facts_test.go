package facts

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"episodes/episode"
)

// Facts get ids in the order of their lines, links the strongest of each pair;
// what links to a fact outside the draft is left out.
func TestBuild(t *testing.T) {
	choice := &Fact{Kind: Decision, Span: episode.Span{5, 6}, Decision: episode.Decision{Context: "Pin it", Chosen: "pin it", Options: []string{"pin it", "wait"}}}
	failure := &Fact{Kind: Event, Span: episode.Span{2, 2}, Content: "the build failed", Event: episode.Error}
	commit := &Fact{Kind: Event, Span: episode.Span{8, 8}, Content: "a1b2c3d", Event: episode.Commit}
	dropped := &Fact{Kind: Event, Span: episode.Span{1, 1}, Event: episode.Error}
	lesson := &Fact{Kind: Lesson, Span: episode.Span{9, 9}, Content: "pin early", Lesson: episode.Lesson{Kind: episode.TrapLesson}}
	again := &Fact{Kind: Lesson, Span: episode.Span{10, 10}, Content: "pin early", Lesson: episode.Lesson{Kind: episode.OpenLesson}}
	chosen := &Fact{Kind: Lesson, Span: episode.Span{5, 6}, Content: "pin it", Lesson: episode.Lesson{Kind: episode.ChoiceLesson, Because: strings.Repeat("so ", 60)}}
	d := Draft{
		Facts: []*Fact{commit, again, lesson, chosen, choice, failure}, Task: "mend the build", TaskSpan: episode.Span{1, 1},
		Links: []Link{
			{From: failure, To: choice, Type: episode.Enables},
			{From: failure, To: choice, Type: episode.Causes, Explicit: true},
			{From: choice, To: commit, Type: episode.Causes},
			{From: dropped, To: commit, Type: episode.Causes},
			{From: commit, To: commit, Type: episode.Causes},
		},
	}
	ep, taken := d.Build()
	want := []episode.Link{
		{Source: "d001", Target: "e002", Type: episode.Causes},
		{Source: "e001", Target: "d001", Type: episode.Causes, Explicit: true},
	}
	if diff := cmp.Diff(want, ep.Links); diff != "" {
		t.Errorf("links (-want +got):\n%s", diff)
	}
	if ep.Events[0].Content != failure.Content || ep.Events[1].Content != commit.Content || ep.Lessons[0] != lesson.Content {
		t.Errorf("facts out of order: %+v, %v", ep.Events, ep.Lessons)
	}
	if got := ep.Decisions[0]; got.Context != "" || len(got.OptionKeys) != 2 || !cmp.Equal(got.Effects, []string{"e002"}) {
		t.Errorf("decision %+v", got)
	}
	if *ep.Metrics.Commits != 1 || *ep.Metrics.Errors != 1 {
		t.Errorf("metrics %+v", ep.Metrics)
	}
	if len(ep.Lessons) != 1 || len(ep.Taught) != 2 || ep.Taught[1].Say != lesson.Content || len(ep.Taught[0].Because) > 120 || ep.Taught[0].Lines[0] != chosen.Span {
		t.Errorf("lessons %q of %+v", ep.Lessons, ep.Taught)
	}
	if len(taken) != len(ep.Provenance.Spans)+1 || ep.Provenance.Spans["d001"] != choice.Span {
		t.Errorf("spans %v for %v", ep.Provenance.Spans, taken)
	}
}
