package recall_test

import (
	"fmt"
	"strings"
	"testing"

	"episodes/episode"
	"episodes/recall"
)

// exact is the line that is told to one who acts; "" for none.
func exact(t *testing.T, x *recall.Index, want recall.Want, text, file string) string {
	t.Helper()
	q := recall.Analyse(want, text)
	if file != "" {
		q.About(file)
	}
	l, err := x.Exact(q, text)
	if err != nil {
		t.Fatal(err)
	}
	if len(l) == 0 {
		return ""
	}
	return l[0].Text
}

// A command that has what a failing one had too much is told so; another command, or one that has it no longer, is told nothing.
func TestExactBeforeACommand(t *testing.T) {
	x := open(t, append(catalogue(40),
		transcribed("flag", 1, turn{call: "$ walnutctl compact --force --index", error: flag, ended: "without `--force`"}),
		transcribed("other", 2, turn{call: "$ parcel ship --fast", error: "parcel ship: unknown flag --fast for ship", ended: "`--quick` instead of `--fast`"}),
		transcribed("part", 3, turn{call: "$ lantern trim --long", error: "lantern: wick too long for the glass", ended: "without `--long`, and more"}),
		transcribed("edit", 4, turn{call: "$ relay serve --all", error: quorum, ended: "edit of relay.go: adds `wait()`"}),
		transcribed("once", 7, turn{call: "$ anchor drop", error: "anchor drop: script drop not found", ended: "`drop:slow` instead of `drop`"}),
		transcribed("twice1", 8, turn{call: "$ quay ship all", error: "quay: unrecognized word ship", ended: "`all` instead of `ship all`"}),
		transcribed("twice2", 9, turn{call: "$ quay ship all", error: "quay: unrecognized word ship", ended: "`all` instead of `ship all`"}),
		transcribed("check", 6, turn{call: "$ cooper weigh", error: "cooper weigh: barrel seven leaks at the seam", ended: "`weigh:mend` instead of `weigh`"}),
		transcribed("plus", 5, turn{call: "$ carpet weave", error: "carpet: no loom was given for violet", ended: "with `--loom`"})))
	for command, want := range map[string]string{
		"walnutctl compact --force":                       "without `--force`",
		"cd shelf && walnutctl compact --force --shelf 3": "without `--force`",
		"walnutctl compact '--force'":                     "without `--force`",
		"parcel ship --fast --to harbor":                  "`--quick` instead of `--fast`",
		"walnutctl compact --index":                       "",
		"walnutctl compact --forceful":                    "",
		"docker rm --force":                               "",
		"parcel ship --quick":                             "",
		"lantern trim --long":                             "",
		"relay serve --all":                               "",
		"carpet weave":                                    "",
		"cooper weigh":                                    "",
		"anchor drop":                                     "",
		"quay ship all":                                   "`all` instead of `ship all`",
		"ls":                                              "",
		"":                                                "",
	} {
		if got := exact(t, x, recall.AnAction, command, ""); got != want {
			t.Errorf("before %q: %q, want %q", command, got, want)
		}
	}
}

// At a failure a measured way out of the very error is told: of an edit only where the output names its file, and what is known whole.
func TestExactAtAFailure(t *testing.T) {
	const port = "with `--port 0`"
	for name, c := range map[string]struct{ ended, output, want string }{
		"the very error":                    {port, "$ relay serve\n" + quorum, port},
		"of another command":                {port, "$ make up\n" + quorum + "\nmake: *** [up] Error 1", port},
		"another error of the same program": {port, "$ relay serve\nrelay: PumpError: valve nine reported violet pressure", ""},
		"an output that passes":             {port, "$ relay serve\nserving", ""},
		"known in part":                     {"edit of relay.go, and more", "$ relay serve\n" + quorum + " relay.go:9", ""},
		"an edit":                           {"edit of relay.go: adds `wait()`", "$ relay serve\n" + quorum, ""},
		"an edit of a file that is named":   {"edit of relay.go: adds `wait()`", "$ relay serve\nrelay.go:9: " + strings.TrimPrefix(quorum, "relay: "), "edit of relay.go: adds `wait()`"},
		"an edit of another file":           {"edit of relay.go: adds `wait()`", "$ relay serve\nshard.go:9: " + strings.TrimPrefix(quorum, "relay: "), ""},
		"a new file":                        {"writing of relay.go", "$ relay serve\n" + quorum, ""},
	} {
		x := open(t, append(catalogue(40), transcribed("a", 1, turn{call: "$ relay serve", error: quorum, ended: c.ended})))
		if got := exact(t, x, recall.AnError, c.output, ""); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// A demand is told where two rare words of it come up, at a prompt, a command or an edit; what was only mentioned is not.
func TestExactDemands(t *testing.T) {
	const demand = "Never move a tag of the mirror by hand."
	var others []*recall.Session
	for i := range 40 {
		others = append(others, transcribed(fmt.Sprint("o", i), 1, turn{says: fmt.Sprintf("Always render page %d of the catalogue.", i)}))
	}
	left := session("left", "2026-01-02", "", func(e *episode.Episode) {
		e.Lessons = []string{"The wick of the lantern is cut in autumn"}
		e.Provenance.By = map[string]string{"l001": "agent claude"}
	})
	said := transcribed("said", 9, turn{says: "The zebra crossed the savanna with its copper saddle."})
	agent := transcribed("agent", 9)
	agent.AddSaid(episode.Span{1, 1}, 0, recall.AnAgent, "Never feed the giraffe in its meadow.", 0)
	x := open(t, append(others, transcribed("demand", 2, turn{says: demand}), transcribed("file", 3, turn{says: "Do not edit internal/harbor/gate.go by hand."}), left, said, agent))
	for _, c := range []struct {
		want             recall.Want
		text, file, tell string
	}{
		{recall.ATask, "Move the tag v2 to the head of the mirror", "", demand},
		{recall.AnAction, "git -C mirror tag --force v2", "", demand},
		{recall.AnAction, "", "internal/harbor/gate.go", "Do not edit internal/harbor/gate.go by hand."},
		{recall.ATask, "Cut the wick of the lantern", "", "The wick of the lantern is cut in autumn"},
		{recall.ATask, "Polish the mirror", "", ""},
		{recall.ATask, "Render a page of the catalogue", "", ""},
		{recall.ATask, "Where did the zebra find its copper saddle?", "", ""},
		{recall.ATask, "Feed the giraffe in its meadow", "", ""},
		{recall.AnAction, "", "internal/ledger/book.go", ""},
		{recall.ATask, "", "", ""},
	} {
		if got := exact(t, x, c.want, c.text, c.file); !strings.Contains(got, c.tell) || c.tell == "" && got != "" {
			t.Errorf("%s %q %s: %q, want %q", c.want, c.text, c.file, got, c.tell)
		}
	}
}
