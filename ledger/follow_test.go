package ledger

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"episodes/extract/actions"
)

// What a fact names is found in the calls that do it, and in no others.
func TestNames(t *testing.T) {
	run := func(line string) actions.Act { return actions.Act{Runs: actions.Commands(line)} }
	edit := func(file, line string) actions.Act {
		return actions.Act{Changes: []string{file}, Lines: []string{actions.PutLine(line)}}
	}
	for _, c := range []struct {
		fact, question string
		mends          bool
		does, not      []actions.Act // none: it names nothing
	}{
		{"run `npm ci --legacy-peer-deps` first", "", false, []actions.Act{run("cd web && npm ci --legacy-peer-deps 2>&1 | tail")}, []actions.Act{run("npm ci"), run("npm install")}},
		{"`npm ci` mends it after the lock file changed", "$ npm test", false, []actions.Act{run("npm ci")}, []actions.Act{run("npm run build")}},
		{"`npm ci` mends it", "$ npm test\nThe lock file has changed: run npm ci", false, nil, []actions.Act{run("npm ci")}},
		{"go test and npm ci are only spoken of", "", true, nil, []actions.Act{run("npm ci")}},
		{"`go test -race ./...` instead of `make test`", "$ go test ./...", true, []actions.Act{run("go test -race ./store")}, []actions.Act{run("go test ./...")}},
		{"edit of manifest.go: `len(p) - 1` → `len(p)`", "$ go test ./...\nupload_test.go:7: boom", true,
			[]actions.Act{edit("manifest.go", "x"), edit("other.go", "\tlen(p)")}, []actions.Act{run("go test ./..."), edit("other.go", "len(p) - 1"), edit("upload_test.go", "x")}},
		{"after `go mod tidy`", "$ go test ./...", true, []actions.Act{run("go mod tidy && go build ./...")}, []actions.Act{run("go test ./...")}},
		{"after `sed -i s|rows = 2|rows = 24| day.txt`", "$ go test ./...", true,
			[]actions.Act{run("sed -i 's|rows = 2|rows = 24|' day.txt")}, []actions.Act{run("sed -i 's|other = 2|x|' day.txt"), run("go test ./...")}},
		{"release the lock before the watcher sleeps. `go test ./store`: 14 passed.", "$ go test ./store\nboom", true, nil, []actions.Act{run("go test ./store")}},
		{"the watcher holds the lock in watch.go", "", false, nil, []actions.Act{edit("watch.go", "x")}},
		{"make sure that the index is closed; go through the list", "", true, nil, []actions.Act{run("make sure"), run("go through the list")}},
		{"`LockTimeout is raised`, git hooks fail", "", true, nil, nil},
	} {
		names := Names(c.fact, c.question, c.mends)
		if (len(names) > 0) != (len(c.does) > 0) {
			t.Errorf("%q names %d things", c.fact, len(names))
		}
		for i, list := range [][]actions.Act{c.does, c.not} {
			for _, a := range list {
				did := slices.ContainsFunc(doneBy(&a), func(n string) bool { return slices.Contains(names, n) })
				if did != (i == 0) {
					t.Errorf("%q: %+v follows it is %v", c.fact, a, i != 0)
				}
			}
		}
	}
}

// A telling is compared with what was done behind it.
func TestCompare(t *testing.T) {
	at := func(minute int) string { return day.Add(time.Duration(minute) * time.Minute).Format(time.RFC3339) }
	boom := func(minute int) actions.Act {
		return actions.Act{Time: at(minute), Ended: at(minute + 1), Failed: true, Key: "error: boom", Runs: []string{"make all"}, Does: "make all"}
	}
	fix := func(minute int) actions.Act {
		return actions.Act{Time: at(minute), Ended: at(minute), Runs: []string{"npm ci"}, Does: "npm ci"}
	}
	look := func(minute int) actions.Act {
		return actions.Act{Time: at(minute), Ended: at(minute), Runs: []string{"cat a"}}
	}
	of := func(a actions.Act, sub string) actions.Act { a.Sub = sub; return a }
	fails := func(minute int) Delivery {
		return Delivery{ID: "t", Session: "s", Kind: KindError, Key: FailureKey("error: boom"), Time: day.Add(time.Duration(minute+1) * time.Minute),
			Facts: []Fact{{Names: Names("`npm ci`", "", true)}, {Place: Place{Episode: "e"}}}}
	}
	prompt := func(minute int) Delivery {
		told := fails(minute)
		told.Kind, told.Key = "prompt", ""
		return told
	}
	before := prompt(1)
	before.Kind = "command"
	sub := prompt(1)
	sub.Kind, sub.Sub = KindBrief, SessionKey("x")
	many := []actions.Act{boom(1)}
	for range 50 {
		many = append(many, look(2))
	}
	without := func(acts ...actions.Act) []actions.Act {
		for i := range acts {
			acts[i].Time, acts[i].Ended = "", ""
		}
		return acts
	}
	for _, c := range []struct {
		name string
		told Delivery
		acts []actions.Act
		want []After
	}{
		{"followed", fails(1), []actions.Act{boom(1), look(2), fix(3)}, []After{{"t", []Followed{Did, NotKnown}, false}}},
		{"not followed", fails(1), []actions.Act{boom(1), look(2)}, []After{{"t", []Followed{Ignored, NotKnown}, false}}},
		{"done before it was told", fails(5), []actions.Act{fix(1), boom(5), look(6)}, []After{{"t", []Followed{Ignored, NotKnown}, false}}},
		{"much later", fails(1), append(many, fix(3)), []After{{"t", []Followed{Did, NotKnown}, false}}},
		{"followed when it is back", fails(1), []actions.Act{boom(1), boom(2), fix(3)}, []After{{"t", []Followed{Did, NotKnown}, true}}},
		{"followed, and back", fails(1), []actions.Act{boom(1), fix(2), boom(9)}, []After{{"t", []Followed{Did, NotKnown}, true}}},
		{"told at the second of the like", fails(7), []actions.Act{boom(1), fix(2), boom(7), look(8)}, []After{{"t", []Followed{Ignored, NotKnown}, false}}},
		{"a sub-agent is another", fails(1), []actions.Act{boom(1), of(fix(2), "x"), of(boom(3), "x"), look(4)}, []After{{"t", []Followed{Ignored, NotKnown}, false}}},
		{"told to a sub-agent", fails(1), []actions.Act{of(boom(1), "x"), look(2), of(fix(3), "x")}, []After{{"t", []Followed{Did, NotKnown}, false}}},
		{"without times: the first of the like", fails(1), without(boom(1), fix(2), boom(3)), []After{{"t", []Followed{Did, NotKnown}, true}}},
		{"before a command", before, []actions.Act{fix(0), boom(1), fix(3)}, []After{{"t", []Followed{Did, NotKnown}, false}}},
		{"at a prompt", prompt(1), []actions.Act{look(0), fix(3), boom(4)}, []After{{"t", []Followed{Did, NotKnown}, false}}},
		{"a sub-agent's own", sub, []actions.Act{fix(3), of(look(0), "x"), of(fix(3), "x")}, []After{{"t", []Followed{Did, NotKnown}, false}}},
		{"a sub-agent's own, not done by it", sub, []actions.Act{fix(3), of(look(0), "x"), of(look(3), "x")}, []After{{"t", []Followed{Ignored, NotKnown}, false}}},
		{"a sub-agent that the transcript does not name", sub, []actions.Act{look(0), fix(3), of(fix(3), "y")}, nil},
		{"at a prompt, without times", prompt(1), without(look(0), fix(3)), nil},
		{"of another key: by its time", func() Delivery { told := fails(1); told.Key = "redacted"; return told }(), []actions.Act{fix(0), boom(1), look(3)}, []After{{"t", []Followed{Ignored, NotKnown}, false}}},
		{"nothing is done any more", fails(1), []actions.Act{fix(0), boom(1)}, nil},
	} {
		l := New()
		l.Deliver(c.told)
		other := c.told
		other.ID, other.Session = "o", "other"
		l.Deliver(other)
		if d := cmp.Diff(c.want, l.Compare("s", c.acts)); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, d)
		}
	}
}
