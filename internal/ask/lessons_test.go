package ask

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"episodes/episode"
)

// A topic is a word that several lessons share and that names the work of their sessions.
func TestTopics(t *testing.T) {
	of := func(task string, lessons ...string) *episode.Episode {
		return &episode.Episode{ID: "episode-" + task, Task: task, Lessons: lessons}
	}
	many := []string{}
	for i := range mostOfTopic + 5 {
		many = append(many, fmt.Sprintf("a cache needs the rule %c%c", 'a'+i/26, 'a'+i%26))
	}
	other := of("Paint the fence")
	for _, c := range []struct {
		what     string
		sessions []*episode.Episode
		want     []string // topics with their numbers of lessons
		total    int
	}{
		{"nothing", nil, nil, 0},
		{"no lesson", []*episode.Episode{other}, nil, 0},
		{"one lesson", []*episode.Episode{of("Fill the cache", "a cache is warm"), other}, []string{"1 "}, 1},
		{"a word of both", []*episode.Episode{of("Fill the cache", "a cache is warm"), of("Empty the cache", "caches leak"), other, other, other},
			[]string{"2 cache"}, 2},
		{"the commonest form", []*episode.Episode{of("Fill the cache", "caches are warm", "caches burn"), of("Empty the cache", "a cache leaks"), other, other, other, other},
			[]string{"3 caches"}, 3},
		{"a word that does not name the work", []*episode.Episode{of("Paint", "a cache is warm"), of("Sing", "caches leak"), other}, []string{"2 "}, 2},
		{"a word that is frequent everywhere", []*episode.Episode{of("Run tests of a", "tests of a pass"), of("Run tests of b", "tests of b fail")},
			[]string{"2 "}, 2},
		{"words that say little", []*episode.Episode{of("Merge every pr", "every pr is small"), of("Close every pr", "every pr waits"), other, other, other},
			[]string{"2 "}, 2},
		{"the same lesson twice", []*episode.Episode{of("Fill the cache", "A cache is warm"), of("Empty the cache", "a cache is WARM"), other}, []string{"1 "}, 1},
		{"two topics and a rest", []*episode.Episode{of("Fill the cache", "a cache is warm", "nothing is free"), of("Empty the cache", "the cache leaks", "the cache is full"),
			of("Mend the valve", "the valve sticks"), of("Oil the valve", "a valve turns"), other, other, other, other},
			[]string{"3 cache", "2 valve", "1 "}, 6},
		{"more than are listed", []*episode.Episode{of("Fill the cache", many...), other, other}, []string{fmt.Sprintf("%d cache", len(many))}, len(many)},
	} {
		var sessions []learned
		for _, ep := range c.sessions {
			sessions = append(sessions, learnedIn(ep))
		}
		topics, total := topicsOf(sessions)
		var got []string
		for _, topic := range topics {
			got = append(got, fmt.Sprintf("%d %s", len(topic.Lessons)+topic.More, topic.Name))
			if len(topic.Lessons) > mostOfTopic || topic.More > 0 && len(topic.Lessons) != mostOfTopic {
				t.Errorf("%s: %d lessons and %d more", c.what, len(topic.Lessons), topic.More)
			}
			for _, l := range topic.Lessons {
				if !strings.Contains(strings.ToLower(l.Text), topic.Name) && topic.Name != "caches" && !strings.HasPrefix(l.Text, "caches") {
					t.Errorf("%s: %q is of the topic %q", c.what, l.Text, topic.Name)
				}
				if twice := c.what == "the same lesson twice"; twice != (l.Sessions == 2) || l.Record == "" || !strings.HasPrefix(l.Episode, "episode-") {
					t.Errorf("%s: %+v", c.what, l)
				}
			}
		}
		if !slices.Equal(got, c.want) || total != c.total {
			t.Errorf("%s: %q of %d, want %q of %d", c.what, got, total, c.want, c.total)
		}
	}
}
