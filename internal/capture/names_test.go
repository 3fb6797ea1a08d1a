package capture

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// apply does on holders what a writer does on disk.
func apply(held map[string]holder, logs []namedLog) map[string]string {
	var all []holder
	for _, h := range held {
		all = append(all, h)
	}
	given, moves := newNames(all).assign(logs)
	for _, mv := range moves {
		if h, ok := held[mv.from]; ok {
			delete(held, mv.from)
			if _, taken := held[mv.to]; !taken {
				h.id = mv.to
				held[mv.to] = h
			}
		}
	}
	ids := map[string]string{}
	for i, l := range logs {
		ids[l.path] = given[i].id
		if !given[i].isCopy {
			held[given[i].id] = holder{id: given[i].id, session: l.session, path: l.path, sha256: l.sha256}
		}
	}
	return ids
}

// contents is the log content of each id.
func contents(held map[string]holder) map[string]string {
	out := map[string]string{}
	for id, h := range held {
		out[id] = h.path + "@" + h.sha256
	}
	return out
}

// Different logs with one file name must get the same ids whatever the order,
// and however they are spread over runs.
func TestNamesDoNotDependOnOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "logs")
		logs := make([]namedLog, n)
		for i := range logs {
			logs[i] = namedLog{
				session: rapid.SampledFrom([]string{"a", "A", "b"}).Draw(t, "session"),
				path:    fmt.Sprintf("dir%d/x.md", i),
				sha256:  fmt.Sprintf("content%d", i),
			}
		}
		want := map[string]holder{}
		apply(want, logs)

		got := map[string]holder{}
		shuffled := rapid.Permutation(logs).Draw(t, "order")
		for len(shuffled) > 0 {
			k := rapid.IntRange(1, len(shuffled)).Draw(t, "run")
			apply(got, shuffled[:k])
			if rapid.Bool().Draw(t, "again") {
				apply(got, shuffled[:k]) // a second run over the same logs changes nothing
			}
			shuffled = shuffled[k:]
		}
		if fmt.Sprint(contents(got)) != fmt.Sprint(contents(want)) {
			t.Fatalf("got  %v\nwant %v", contents(got), contents(want))
		}
		if len(got) != n {
			t.Fatalf("%d logs, %d episodes: %v", n, len(got), contents(got))
		}
	})
}

// No log that was ever read may vanish because another one has its name, also
// when logs change, are copied, or their places are not known (a fresh clone).
func TestNamesNeverLoseALog(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		held := map[string]holder{}
		latest := map[string]string{} // place → content
		for range rapid.IntRange(1, 8).Draw(t, "runs") {
			var logs []namedLog
			for p := range 4 {
				if rapid.Bool().Draw(t, "in this run") {
					l := namedLog{session: "s", path: fmt.Sprintf("p%d", p), sha256: fmt.Sprintf("c%d", rapid.IntRange(0, 3).Draw(t, "content"))}
					logs = append(logs, l)
				}
			}
			logs = rapid.Permutation(logs).Draw(t, "order")
			ids := apply(held, logs)
			for _, l := range logs {
				latest[l.path] = l.sha256
				h, ok := held[ids[l.path]]
				if !ok || h.sha256 != l.sha256 {
					t.Fatalf("log %v stands under %q, which holds %v", l, ids[l.path], h)
				}
			}
			if rapid.Bool().Draw(t, "index lost") {
				for id, h := range held {
					h.path = ""
					held[id] = h
				}
			}
		}
	})
}
