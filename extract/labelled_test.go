package extract

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	foreignCorpus = "../../shared/corpus"      // real logs, not part of the repository
	corpusLabels  = "../testdata/corpuslabels" // what a reader found in some of them, by line
)

// labelledLog is a log with what a careful reader found in it.
type labelledLog struct {
	logFile
	set, family string // which set it is of; the project whose log it is
	want        labels
}

// labelledLogs are all logs with labels that are here.
func labelledLogs(t testing.TB) []labelledLog {
	var out []labelledLog
	read := func(set, family, labelPath, logPath string) {
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
		l.name, l.set, l.family, l.want = strings.TrimSuffix(filepath.Base(logPath), ".md"), set, family, doc.labels
		out = append(out, l)
	}
	each := func(dir string, f func(path, name string)) {
		paths, _ := filepath.Glob(filepath.Join(dir, "*.json"))
		for _, p := range paths {
			f(p, strings.TrimSuffix(filepath.Base(p), ".json"))
		}
	}
	each(labelsDir, func(p, n string) { read("own", "own", p, filepath.Join(sessionsDir, n+".md")) })
	each(filepath.Join(benchDir, "labels"), func(p, n string) {
		family := "ai-agents"
		if n[0] != 'a' {
			family, _, _ = strings.Cut(n[5:], "-")
		}
		read("bench", family, p, filepath.Join(benchDir, "logs", n+".md"))
	})
	each(corpusLabels, func(p, n string) {
		if log := filepath.Join(foreignCorpus, "session-logs-md", n+".md"); fileExists(log) {
			read("sessions", "ai-agents", p, log)
			return
		}
		family, _, _ := strings.Cut(n, "-")
		read("others", family, p, filepath.Join(foreignCorpus, "other-md", n+".md"))
	})
	return out
}

func fileExists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// TestScoreBySet prints the figures of every set of labelled logs that is here.
func TestScoreBySet(t *testing.T) {
	report(t, labelledLogs(t))
}

// report logs the figures of each set.
func report(t *testing.T, logs []labelledLog) {
	for _, set := range []string{"own", "bench", "sessions", "others"} {
		sum := map[string]counts{}
		right, n := 0, 0
		for _, l := range logs {
			if l.set != set {
				continue
			}
			ep := read(t, l.source(), l.data).Episode
			n++
			if string(ep.Outcome) == l.want.Outcome {
				right++
			}
			for kind, c := range scoreLog(l.want, ep) {
				s := sum[kind]
				sum[kind] = counts{s.matched + c.matched, s.labelled + c.labelled, s.extracted + c.extracted}
			}
		}
		var b strings.Builder
		mean := ratio(right, n) / 5
		for _, k := range []string{"decisions", "events", "lessons", "links"} {
			c := sum[k]
			fmt.Fprintf(&b, "%s %.3f (%.2f/%.2f) ", k, c.f1(), c.precision(), c.recall())
			mean += c.f1() / 5
		}
		t.Logf("  %-9s %3d logs: %s outcome %.2f score %.3f", set, n, b.String(), ratio(right, n), mean)
	}
}
