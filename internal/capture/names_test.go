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
