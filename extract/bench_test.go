package extract

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// BenchmarkLog reads real logs, most of them short.
func BenchmarkLog(b *testing.B) {
	logs, size := benchLogs(b)
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, l := range logs {
			if _, err := extractor.Log(l.source(), l.data); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// corpusDir holds real logs; they are not part of the repository. Without them
// the benchmarks read the project's own logs.
const corpusDir = "../../shared/corpus/session-logs-md"

func benchLogs(b *testing.B) ([]logFile, int64) {
	dir := corpusDir
	if _, err := os.Stat(dir); err != nil {
		dir = sessionsDir
	}
	logs := logsIn(b, dir)
	size := 0
	for _, l := range logs {
		size += len(l.data)
	}
	return logs, int64(size)
}

// BenchmarkSize doubles the input: twice the bytes should take twice the time.
func BenchmarkSize(b *testing.B) {
	for _, n := range []int{1, 2, 4, 8} {
		data := longLog(b, n<<18)
		b.Run(fmt.Sprintf("%dkB", len(data)>>10), func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if _, err := extractor.Log(Source{Path: "long.md"}, data); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// longLog repeats the own logs, as a file of many sessions does.
func longLog(tb testing.TB, size int) []byte {
	var b bytes.Buffer
	logs := sessionLogs(tb)
	for i := 0; b.Len() < size; i++ {
		l := logs[i%len(logs)]
		if l.name == "broken" { // its open fence would swallow the rest
			continue
		}
		fmt.Fprintf(&b, "%s\n\n", bytes.TrimSpace(l.data))
	}
	return b.Bytes()
}

// shapes are logs that grow in one way each; none may cost more than its size.
var shapes = map[string]func(n int) string{
	"sessions in one file": nil, // longLog
	"flat paragraphs":      func(n int) string { return strings.Repeat("The build failed because the cache was stale.\n\n", n) },
	"one long list": func(n int) string {
		return "## Decisions\n\n" + strings.Repeat("- Use a lock instead of a queue, because it is simple.\n", n)
	},
	"one long problem list": func(n int) string {
		return "## Problems\n\n" + strings.Repeat("- **Problem**: the build fails\n- **Fix**: pin the compiler\n", n)
	},
	"labels without headings": func(n int) string {
		return strings.Repeat("**Problem**: the job failed\n**Fix**: raise the limit\n**Result**: it passed\n\n", n)
	},
	"one paragraph": func(n int) string {
		return strings.Repeat("We chose the lock over the queue. The test failed again. ", min(n, MaxLine/60))
	},
	"one wrapped paragraph": func(n int) string {
		return strings.Repeat("We chose the lock over the queue. The test failed again.\n", n)
	},
	"headings":        func(n int) string { return strings.Repeat("## Decision: use a lock\n\nBecause it is simple.\n\n", n) },
	"option headings": func(n int) string { return strings.Repeat("### Option A\n\nSelected.\n\n", n) },
	"table": func(n int) string {
		return "| Issue | Fix |\n|---|---|\n" + strings.Repeat("| the build fails here | pin the compiler |\n", n)
	},
	"commits":       func(n int) string { return "## Commits\n\n" + commitLines(n) },
	"inline labels": func(n int) string { return strings.Repeat("It broke. Rationale: none given. ", min(n, MaxLine/40)) },
	"bold words":    func(n int) string { return strings.Repeat("**one**\n", n) },
	"links":         func(n int) string { return strings.Repeat("[a](b) ", min(n, MaxLine/10)) },
	"sub lists":     func(n int) string { return "- top\n" + strings.Repeat("  - We decided to use a lock\n", n) },
	"code":          func(n int) string { return "## Problem\n\n```\n" + strings.Repeat("error: it broke\n", n) + "```\n" },
	"numbered sections": func(n int) string {
		return "## Decisions\n\n" + strings.Repeat("### Use a lock\n\n**Rationale**: simple\n\n", n)
	},
	"milestones": func(n int) string {
		return "## Work done\n\n" + strings.Repeat("- Added a test for the lock manager\n", n)
	},
	"labelled items of one record": func(n int) string {
		return "## Fixes\n\n**Thread 1**: a\n\n" + strings.Repeat("- Fix: added a part of the parser\n", 10*n)
	},
	"checks and verdicts": func(n int) string {
		return strings.Repeat("## Verdict\n\n- All 40 parser tests passed\n- The lexer fails\n\n**Verdict**: APPROVED WITH CONDITIONS\n\n", n)
	},
	"conflicts settled": func(n int) string {
		return strings.Repeat("The test merge failed with conflicts in the index.\n\n## Conflict resolution\n\n- **index**: kept main\n\n## Outcome\n\n- Merge completed\n\n", n)
	},
	"faults and work of one name": func(n int) string {
		return strings.Repeat("## Problems\n\n- Missing tests for 34 parser rules, causing errors\n\n## Changes made\n\n- Added tests for 34 parser rules\n\n", n)
	},
	"option items": func(n int) string {
		return "## Decision\n\n**Options**:\n\n" + strings.Repeat("- use the lock\n", n) + "\n**Decision**: use the lock\n"
	},
}

func commitLines(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "- `a%06x` fix(ci): pin the compiler\n", i)
	}
	return b.String()
}

func shape(tb testing.TB, name string, n int) []byte {
	if f := shapes[name]; f != nil {
		return []byte(f(n))
	}
	return longLog(tb, n*60)
}

// Doubling the input may not quadruple the time. The bound is loose, since the
// machine is shared; a quadratic step shows at these sizes all the same.
func TestTimeIsLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	const n = 800
	took := func(data []byte) time.Duration {
		best := time.Hour
		for range 3 {
			start := time.Now()
			read(t, Source{Path: "x.md"}, data)
			best = min(best, time.Since(start))
		}
		return best
	}
	for name := range shapes {
		t.Run(name, func(t *testing.T) {
			small, large := shape(t, name, n), shape(t, name, 4*n)
			for try := 1; ; try++ {
				a, b := took(small), took(large)
				rate := float64(b) / float64(a) / (float64(len(large)) / float64(len(small)))
				t.Logf("%d kB %v, %d kB %v: %.1f times the time per byte", len(small)>>10, a, len(large)>>10, b, rate)
				if b < 50*time.Millisecond || rate < 2.5 {
					return
				}
				if try == 4 { // a busy machine may spoil one measurement, not four
					t.Fatalf("time grows faster than size: %v for %d kB, %v for %d kB", a, len(small)>>10, b, len(large)>>10)
				}
			}
		})
	}
}
