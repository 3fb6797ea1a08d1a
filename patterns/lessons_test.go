package patterns_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"episodes/episode"
	"episodes/internal/testing/querytest"
	"episodes/patterns"
	"episodes/query"
)

// lessons mines with the lessons of the episodes and returns those of one action.
func lessons(t *testing.T, action string, eps []*episode.Episode) []query.Lesson {
	t.Helper()
	o := patterns.Loosest()
	o.Notes = func(id string) []patterns.Note {
		i := slices.IndexFunc(eps, func(ep *episode.Episode) bool { return ep.ID == id })
		return patterns.NotesOf(eps[i])
	}
	res := mine(t, o, eps)
	i := slices.IndexFunc(res.Patterns, func(p patterns.Pattern) bool { return p.Action == action })
	if i < 0 {
		t.Fatalf("%q is not among %v", action, told(res))
	}
	return res.Patterns[i].Lessons
}

func TestLessonsOfAPattern(t *testing.T) {
	const works, fails = "Set a busy timeout on every connection", "Wrap the upload in a retry loop"
	good, bad := took("good", question, works, episode.Success, 20), took("bad", question, fails, episode.Failure, 20)
	note := func(ep *episode.Episode, text string) episode.Span {
		ep.Lessons = append(ep.Lessons, text)
		at := episode.Span{90 + len(ep.Lessons), 90 + len(ep.Lessons)}
		ep.Provenance.Spans[episode.LessonID(len(ep.Lessons))] = at
		return at
	}
	note(good[3], "Read the changelog before a release")                                          // about something else
	asked := note(good[4], "Flaky upload tests came from the shared database")                    // about the question
	named := note(good[5], "A busy timeout on each connection makes the uploads wait their turn") // about the action
	note(good[6], "a busy timeout on EACH connection makes the uploads wait their turn.")         // the same
	note(bad[7], "The retry loop wrapped around the upload hides the lock")
	exception := took("exception", question, works, episode.Failure, 1)[0]
	note(exception, "Setting the busy timeout on every connection was not enough") // of a session that went otherwise

	eps := slices.Concat(good, bad, []*episode.Episode{exception})
	want := []query.Lesson{
		{Text: "A busy timeout on each connection makes the uploads wait their turn", Episode: good[5].ID, Record: "l001", Lines: &named, Decision: "d001", Sessions: 2},
		{Text: "Flaky upload tests came from the shared database", Episode: good[4].ID, Record: "l001", Lines: &asked, Decision: "d001", Sessions: 1},
	}
	if d := cmp.Diff(want, lessons(t, works, eps)); d != "" {
		t.Error(d)
	}
	if got := lessons(t, fails, eps); len(got) != 1 || got[0].Episode != bad[7].ID {
		t.Errorf("%+v", got)
	}
	// The same in any order of the episodes.
	for seed := range uint64(5) {
		rand.New(rand.NewPCG(seed, 1)).Shuffle(len(eps), func(i, j int) { eps[i], eps[j] = eps[j], eps[i] })
		if d := cmp.Diff(want, lessons(t, works, eps)); d != "" {
			t.Errorf("seed %d:\n%s", seed, d)
		}
	}
	// A lesson in the lines of the decision itself comes first, whatever its words.
	at := good[8].Provenance.Spans["d001"]
	good[8].Lessons = []string{"It was the lock all along"}
	good[8].Provenance.Spans["l001"] = episode.Span{at[1], at[1]}
	if got := lessons(t, works, eps); len(got) != 3 || got[0].Text != "It was the lock all along" {
		t.Errorf("%+v", got)
	}
}

// Few words in common are no sign of the same thing.
func TestLessonsThatOnlySoundAlike(t *testing.T) {
	for _, tt := range []struct {
		question, action, lesson string
		want                     bool
	}{
		{"Gemini comment 3", "False positive", "Copilot: 9 of 10 comments hold, 1 false positive", false},
		{"Skip the slow tests?", "Skipped two tests with a flag", "Arrays of one element are unwrapped, so a test was skipped", false},
		{"Which retry policy?", "Eager", "The eager retry policy floods the queue", true},
		{"Which retry policy?", "Eager", "Eager loading is slow", false},
		{"", "Verify the exit code after every push", "After a push the exit code has to be verified", true},
	} {
		eps := slices.Concat(took("other", "Another question?", "Something else", episode.Failure, 20), took("x", tt.question, tt.action, episode.Success, 20), took("y", tt.question, "Whatever came to mind", episode.Failure, 20))
		if tt.question == "" {
			for i := range eps {
				eps[i] = querytest.Build(fmt.Sprintf("e%03d", i), eps[i].Outcome).Event(episode.Error, "push failed").
					Decide("", eps[i].Decisions[0].Chosen, eps[i].Outcome).Link("e001", "d001", episode.Causes).Done()
			}
		}
		for _, ep := range eps {
			if ep.Decisions[0].Chosen == tt.action {
				ep.Lessons = []string{tt.lesson}
			}
		}
		if got := lessons(t, tt.action, eps); (len(got) == 1) != tt.want {
			t.Errorf("%q with %q: %+v", tt.action, tt.lesson, got)
		}
	}
}
