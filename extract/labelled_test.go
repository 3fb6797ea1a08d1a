package extract

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"episodes/episode"
)

const corpusLabels = "../testdata/corpuslabels" // what a reader found in some of the foreign logs, by line

// sharedDir has real logs of other projects, which are not part of the repository.
var (
	sharedDir     = cmp.Or(os.Getenv("EPISODES_SHARED"), "../../shared")
	foreignCorpus = filepath.Join(sharedDir, "corpus")
	benchDir      = filepath.Join(sharedDir, "bench/extraction") // a larger labelled set
)

// labelledSets are the sets of labelled logs. The rules were written on the first two.
var labelledSets = []string{"own", "bench", "sessions", "others"}

// labelledLog is a log with what a careful reader found in it.
type labelledLog struct {
	logFile
	set  string // which set it is of
	want labels
}

// labelledLogs are all logs with labels that are here.
func labelledLogs(t testing.TB) []labelledLog {
	t.Helper()
	var out []labelledLog
	read := func(set, labelPath, logPath string) {
		var l labelledLog
		var doc struct {
			labels
			SHA256 string
		}
		b, err := os.ReadFile(labelPath)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(b, &doc); err != nil {
			t.Fatalf("%s: %v", labelPath, err)
		}
		if l.data, err = os.ReadFile(logPath); err != nil {
			return
		}
		if sum := sha256.Sum256(l.data); doc.SHA256 != "" && doc.SHA256 != hex.EncodeToString(sum[:]) {
			t.Logf("%s is not the log that was labelled", logPath)
			return
		}
		l.name, l.set, l.want = strings.TrimSuffix(filepath.Base(logPath), ".md"), set, doc.labels
		out = append(out, l)
	}
	each := func(dir string, f func(path, name string)) {
		paths, _ := filepath.Glob(filepath.Join(dir, "*.json"))
		for _, p := range paths {
			f(p, strings.TrimSuffix(filepath.Base(p), ".json"))
		}
	}
	each(labelsDir, func(p, n string) { read("own", p, filepath.Join(sessionsDir, n+".md")) })
	each(filepath.Join(benchDir, "labels"), func(p, n string) { read("bench", p, filepath.Join(benchDir, "logs", n+".md")) })
	each(corpusLabels, func(p, n string) {
		read("sessions", p, filepath.Join(foreignCorpus, "session-logs-md", n+".md"))
		read("others", p, filepath.Join(foreignCorpus, "other-md", n+".md"))
	})
	return out
}

func fileExists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// heldOut reports whether a log is of the third that is set aside: nobody reads those
// logs, and only the sums of their scores are shown, once for a release. All other
// tests of scores leave them out.
func heldOut(name string) bool {
	sum := sha256.Sum256([]byte(name))
	return sum[0]%3 == 0
}

// openLogs are the labelled logs that are not set aside.
func openLogs(t testing.TB) []labelledLog {
	return slices.DeleteFunc(labelledLogs(t), func(l labelledLog) bool { return heldOut(l.name) })
}

// TestScoreBySet prints the figures of every set of labelled logs that is here; with
// EPISODES_HELD_OUT=1, once for a release, those of the logs that are set aside.
func TestScoreBySet(t *testing.T) {
	logs := openLogs(t)
	if os.Getenv("EPISODES_HELD_OUT") != "" {
		logs = slices.DeleteFunc(labelledLogs(t), func(l labelledLog) bool { return !heldOut(l.name) })
	}
	for _, set := range labelledSets {
		of := ofSet(slices.Clone(logs), set)
		f := score(t, of)
		var b strings.Builder
		for _, k := range []string{"decisions", "events", "lessons", "links"} {
			fmt.Fprintf(&b, "%s %.3f (%.2f/%.2f) ", k, f[k], f[k+" precision"], f[k+" recall"])
		}
		t.Logf("  %-9s %3d logs: %soutcome %.2f (sure %.2f) reversed %.0f score %.3f", set, len(of), b.String(), f["outcome"], f["right when sure"], f["reversed"], f["score"])
	}
}

// ruleScore counts for each set how often a rule took something, and how often a
// reader of the log found the same.
type ruleScore map[string]counts

// elsewhere is the score over the sets on which no rule was written.
func (s ruleScore) elsewhere() counts {
	a, b := s["sessions"], s["others"]
	return counts{matched: a.matched + b.matched, extracted: a.extracted + b.extracted}
}

// TestScorePerRule prints hits and uses of every rule in each set of labelled logs,
// and its precision over the sets on which no rule was written.
func TestScorePerRule(t *testing.T) {
	scores := map[string]ruleScore{}
	for _, l := range openLogs(t) {
		res := read(t, l.source(), l.data)
		hits := hits(l.want, res.Episode)
		for _, taken := range res.Taken {
			kind, id := kindOf(taken.What)
			for _, name := range strings.Split(taken.Why, ", ") {
				rule := kind + ": " + name
				if scores[rule] == nil {
					scores[rule] = ruleScore{}
				}
				c := scores[rule][l.set]
				c.extracted++
				if hits[id] {
					c.matched++
				}
				scores[rule][l.set] = c
			}
		}
	}
	for _, rule := range slices.SortedFunc(maps.Keys(scores), func(a, b string) int {
		ka, _, _ := strings.Cut(a, ": ")
		kb, _, _ := strings.Cut(b, ": ")
		ca, cb := scores[a].elsewhere(), scores[b].elsewhere()
		return cmp.Or(cmp.Compare(ka, kb), cmp.Compare(ca.precision(), cb.precision()), cmp.Compare(cb.extracted, ca.extracted), cmp.Compare(a, b))
	}) {
		var b strings.Builder
		for _, set := range labelledSets {
			c := scores[rule][set]
			fmt.Fprintf(&b, " %s %3d/%-3d", set, c.matched, c.extracted)
		}
		precision := "   -"
		if c := scores[rule].elsewhere(); c.extracted > 0 {
			precision = fmt.Sprintf("%.2f", c.precision())
		}
		t.Logf("%s %s  %s", precision, b.String(), rule)
	}
}

// kindOf is the kind of what was taken, as the rules name it, and its id: "link
// d001>e002 (causes, explicit)" is of kind link.
func kindOf(what string) (kind, id string) {
	f := strings.Fields(what)
	switch f[0] {
	case "event":
		return strings.Trim(f[2], "()"), f[1]
	case "outcome":
		return "outcome", episode.OutcomeRef
	case "decision", "lesson", "link":
		return f[0], f[1]
	}
	return f[0], ""
}

// hits are the ids of what a reader of the log found as well: decisions, events and
// lessons on the same lines, links between such, the outcome.
func hits(want labels, ep *episode.Episode) map[string]bool {
	same, links := matches(want, ep)
	out := map[string]bool{}
	for id := range same {
		out[id] = true
	}
	out[episode.OutcomeRef] = string(ep.Outcome) == want.Outcome
	for _, l := range ep.Links {
		if links[[2]string{same[l.Source], same[l.Target]}] {
			out[episode.LinkID(l.Source, l.Target)] = true
		}
	}
	return out
}
