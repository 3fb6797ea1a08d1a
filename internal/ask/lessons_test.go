package ask

import (
	"fmt"
	"slices"
	"testing"

	"episodes/episode"
	"episodes/query"
)

// A lesson is listed once, in the words of the newest session, those of most sessions first.
func TestLessonsTogether(t *testing.T) {
	of := func(id string, lessons ...string) []query.Lesson {
		return learnedIn(&episode.Episode{ID: id, Lessons: lessons})
	}
	var got []string
	for _, l := range together([][]query.Lesson{of("episode-1", "a cache is warm", "oil it"), nil, of("episode-2", "A cache is warm", "wait"), of("episode-3", "look first")}) {
		got = append(got, fmt.Sprintf("%d %s#%s %s", l.Sessions, l.Episode, l.Record, l.Text))
	}
	if want := []string{"2 episode-2#l001 A cache is warm", "1 episode-3#l001 look first", "1 episode-2#l002 wait", "1 episode-1#l002 oil it"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
