package extract

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"episodes/episode"
	"episodes/internal/corrections"
	"episodes/internal/lesson"
)

// taughtLines writes lessons as: kind, lines, what they say, and what else they have.
func taughtLines(ep *episode.Episode) (out []string) {
	for _, l := range ep.Taught {
		s := fmt.Sprintf("%s %s: %s", l.Kind, l.Lines, l.Say+l.More)
		for _, f := range [][2]string{{" | was ", l.Was}, {" | because ", l.Because}, {" | ", string(l.Outcome)}, {" ", l.Proof.String()}} {
			if f[1] != "" {
				s += f[0] + f[1]
			}
		}
		out = append(out, s)
	}
	return out
}

func TestLessons(t *testing.T) {
	for _, c := range []struct {
		name, log string
		want      []string
	}{
		{"what is for work to come, under a heading of lessons", "## Lessons learned\n\n- Never open the valve while the pump runs\n- Use the gauge instead of the lamp\n- The pump stalls when the hull is wet\n- Measure the level before every start\n- Water level: keep it below the red line at night\n- A wet hull hides leaks.\n",
			[]string{"trap 3: Never open the valve while the pump runs", "trap 4: Use the gauge instead of the lamp", "trap 5: The pump stalls when the hull is wet",
				"trap 6: Measure the level before every start", "trap 7: Water level: keep it below the red line at night", "trap 8: A wet hull hides leaks."}},
		{"features, scores, states, praise and plans", "## Key learnings\n\n- `pump.go` - Starts the pump\n- Gauge with three colours and a lamp\n- Created a test of the gauge without mocks\n- Coverage of the valves: 12/14, not bad at all\n- Level 100% when the pump runs\n- Good teamwork on the whole deck\n- Should be a column of its own\n- The pump now stops when it is full\n",
			nil},
		{"what is not to be done, below its label", "## Best practices\n\n**DO:**\n\n- ✅ Lock the pump before every storm\n\n**DON'T:**\n\n- Open the pump when the hull is wet\n- ❌ Paint the pump when the hull is wet\n",
			[]string{"trap 5: Lock the pump before every storm"}},
		{"a heading about learning is none of lessons", "## Learning system\n\n- Never train on the test data\n", nil},
		{"one from the session is", "## Learning from this session\n\n- Never train on the test data\n", []string{"trap 3: Never train on the test data"}},
		{"what explains a lesson that a heading counts", "## Lessons\n\n### 1. Measure before you cut\n\nThe hull must be dry.\n\n- It must not be painted before\n", []string{"trap 3-5: Measure before you cut: The hull must be dry."}},
		{"a labelled decision with its reason, and what was passed over", "## Log\n\n**Decision**: Keep the gauge on the deck\n\n**Rationale**: the hull is wet\n\n**Decision**: Sand the hull twice\n",
			[]string{"choice 3-5: Keep the gauge on the deck | because the hull is wet"}},
		{"a verdict says nothing by itself", "| Decision | Alternatives | Rationale |\n|---|---|---|\n| Approve for merge | wait | all is green |\n| Paint the hull blue | paint it red | the crew sees it |\n",
			[]string{"choice 4: Paint the hull blue | was paint it red | because the crew sees it"}},
		{"a fix with cause and result", "## Errors\n\n- **Problem**: the pump stalls\n- **Root cause**: the valve is stuck\n- **Fix**: oil the valve each week\n- **Result**: all tests pass\n",
			[]string{"fix 5: oil the valve each week | was the pump stalls | because the valve is stuck | held 6"}},
		{"a fix whose cause is not told", "## Errors\n\n- **Problem**: the pump stalls\n- **Fix**: oil the valve each week\n", nil},
		{"what is left, without the steps that end any work, and without boxes", "## Next steps\n\n- Add a second lamp to the deck\n- Review the pull request of the gauge\n- Fix it\n- Merge the branch of the gauge today\n\n## Plan\n\n- [ ] Add a third lamp to the deck\n- [x] Fix the lamp of the hull\n",
			[]string{"open 3: Add a second lamp to the deck"}},
		{"what the same log ends is not left", "## Next steps\n\n- Add a second lamp to the deck\n\n## Done\n\n- [x] Added a second lamp to the deck\n", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			res := read(t, Source{Path: "log.md"}, []byte(c.log))
			sound(t, res, []byte(c.log))
			if diff := cmp.Diff(c.want, taughtLines(res.Episode)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// Of what a person says only what holds for all work to come is a rule, and of what an agent says nothing is.
func TestLessonsOfPeople(t *testing.T) {
	log := claudeLines([2]string{"user", "Paint the pump. Never push without asking me. Don't paint the hull. Should we always ask?"}, [2]string{"make", "ok"},
		[2]string{"agent", "It is red. Never paint it again."}, [2]string{"user", "please always run the gauge test first. It must always be blue. Never push without asking me."},
		[2]string{"make", "ok"}, [2]string{"agent", "Done.\n\n## Next steps\n\n- Add a second lamp to the deck"})
	res, err := extractor.Read(Source{Path: "s.jsonl", Format: "claude-code"}, strings.NewReader(log))
	if err != nil {
		t.Fatal(err)
	}
	sound(t, res, []byte(log))
	want := []string{"rule 1: Never push without asking me.", "rule 5: please always run the gauge test first.", "open 8: Add a second lamp to the deck"}
	if diff := cmp.Diff(want, taughtLines(res.Episode)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// An id is that of session, author, first line as it is kept, and words; what is too long is cut, and nothing is said twice.
func TestLessonIDs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var lines []string
		for _, n := range rapid.SliceOfN(rapid.IntRange(1, 12), 1, 8).Draw(t, "lengths") {
			lines = append(lines, "- Never open valve "+strings.Repeat("of the big pump ", n*n/2)+"while it runs, mail "+"a@b.example")
		}
		log := []byte("# Log\n\n## Lessons learned\n\n" + strings.Join(lines, "\n") + "\n")
		res, err := extractor.Log(Source{Path: "log.md", Session: "a-1"}, log)
		if err != nil {
			t.Fatal(err)
		}
		kept, ids := corrections.Split(res.Data), map[episode.LessonRef]bool{}
		for i, l := range res.Episode.Taught {
			if l.Say != res.Episode.Lessons[i] || slices.Contains(res.Episode.Lessons[:i], l.Say) || len(l.Say) > lesson.MaxSay || len(l.Say)+len(l.More) > episode.MaxTold {
				t.Errorf("%q, %q, and in the list %q", l.Say, l.More, res.Episode.Lessons[i])
			}
			if want := episode.NewLessonID("a-1", episode.ByRules, kept[l.Lines[0][0]-1], l.Say); l.ID != want || ids[l.ID] {
				t.Errorf("id %s, want %s", l.ID, want)
			}
			ids[l.ID] = true
		}
		if len(ids) == 0 || len(ids) != len(res.Episode.Lessons) {
			t.Errorf("%d lessons of %d", len(ids), len(res.Episode.Lessons))
		}
	})
}

// Two lessons whose ids would be the same have different ones.
func TestLessonIDsDiffer(t *testing.T) {
	one := episode.Lesson{Say: "x", By: episode.ByRules, Lines: episode.Ranges{{1, 1}}}
	ep := &episode.Episode{Session: "a", Taught: []episode.Lesson{one, one}}
	name(ep, corrections.Lines{"- x"})
	if a, b := ep.Taught[0].ID, ep.Taught[1].ID; a != episode.NewLessonID("a", episode.ByRules, "- x", "x") || a == b {
		t.Errorf("ids %s and %s", a, b)
	}
}
