//go:build unix

package main

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"episodes/internal/testing/synthetic"
)

// The benchmarks here time whole processes on synthetic memories, some of them with ten real
// logs. Their figures are in testdata/bench.txt.

// sizes are the memories to measure. The largest takes minutes.
func sizes() []int {
	if os.Getenv("EPISODES_HEAVY") != "" {
		return []int{1000, 10_000, 100_000}
	}
	return []int{1000, 10_000}
}

func eachSize(b *testing.B, run func(b *testing.B, bin, memory string, n int)) {
	eachSizeWith(b, nil, run)
}

// eachSizeWith is eachSize where some real logs are in the memory, too.
func eachSizeWith(b *testing.B, logs []string, run func(b *testing.B, bin, memory string, n int)) {
	bin := builtProgram(b)
	for _, n := range sizes() {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			memory := b.TempDir()
			if len(logs) > 0 {
				runProgram(b, bin, append([]string{"extract", "--quiet", "--memory", memory}, logs...)...)
			}
			if _, err := (synthetic.Memory{Seed: 1}).Write(filepath.Join(memory, "episodes"), 0, n); err != nil {
				b.Fatal(err)
			}
			runProgram(b, bin, "graph", "update", "--quiet", "--memory", memory)
			run(b, bin, memory, n)
		})
	}
}

// realLogs are ten logs of the corpus. What is felt depends on them: a real session has more
// facts than a synthetic one, and shares few of them.
func realLogs(b *testing.B) []string {
	b.Helper()
	logs, err := filepath.Glob(filepath.Join(realCorpus(), "*.md"))
	if err != nil || len(logs) < 10 {
		b.Skip("ten real logs are needed: set EPISODES_CORPUS to a folder of logs in Markdown")
	}
	return logs[:10]
}

// oneMore writes the episode after the first n.
func oneMore(b *testing.B, memory string, n int) {
	b.Helper()
	if _, err := (synthetic.Memory{Seed: 1}).Write(filepath.Join(memory, "episodes"), n, n+1); err != nil {
		b.Fatal(err)
	}
}

// runs are the times of whole processes, and the most memory that one of them had.
type runs struct {
	wall, cpu []time.Duration
	peak      int64 // in kilobytes
}

// time runs the program once.
func (r *runs) time(b *testing.B, bin string, args ...string) {
	b.Helper()
	cmd := exec.Command(bin, args...)
	start := time.Now()
	out, err := cmd.CombinedOutput()
	r.wall = append(r.wall, time.Since(start))
	if err != nil {
		b.Fatalf("episodes %v: %v\n%s", args, err, out)
	}
	r.used(cmd.ProcessState)
}

// used adds what a process took.
func (r *runs) used(of *os.ProcessState) {
	r.cpu = append(r.cpu, of.UserTime()+of.SystemTime())
	r.peak = max(r.peak, int64(of.SysUsage().(*syscall.Rusage).Maxrss)) // kilobytes on Linux
}

// report gives the median and the 95th percentile, which a mean hides, and the
// time of all processors, which says more on a machine that others use.
func (r *runs) report(b *testing.B) {
	ms := func(times []time.Duration, share float64) float64 {
		slices.Sort(times)
		return times[int(share*float64(len(times)-1))].Seconds() * 1000
	}
	b.ReportMetric(ms(r.wall, 0.5), "median-ms")
	b.ReportMetric(ms(r.wall, 0.95), "p95-ms")
	b.ReportMetric(ms(r.cpu, 0.5), "median-cpu-ms")
	b.ReportMetric(float64(r.peak)/1024, "peak-MB")
}

// BenchmarkExtractOneLog takes one new log in: from the log to its episode and to
// the graph. It is what an agent's hook does at the end of a session.
func BenchmarkExtractOneLog(b *testing.B) {
	eachSize(b, func(b *testing.B, bin, memory string, _ int) {
		log := filepath.Join(b.TempDir(), "log.md")
		var r runs
		for i := 0; b.Loop(); i++ {
			b.StopTimer()
			log := strings.TrimSuffix(log, ".md") + fmt.Sprint(i) + ".md"
			text := fmt.Sprintf("# Session %d\n\n- Decision: retry %d times, because the gateway drops connections\n- Error: TestUpload%d timed out\n", i, i, i)
			must0(b, os.WriteFile(log, []byte(text), 0o644))
			b.StartTimer()
			r.time(b, bin, "extract", "--quiet", "--memory", memory, log)
		}
		r.report(b)
	})
}

// BenchmarkStatistics asks for what needs a fit: a what-if for options that were taken or
// rejected, and all patterns, where nothing changed, and what the first question after one new
// episode takes; besides, decisions like some words.
func BenchmarkStatistics(b *testing.B) {
	eachSizeWith(b, realLogs(b), func(b *testing.B, bin, memory string, n int) {
		options := decided(n)
		again := func(name string, args func(i int) []string) {
			b.Run(name, func(b *testing.B) {
				var r runs
				ask := func(i int) []string { return append(args(i), "--quiet", "--memory", memory) }
				runProgram(b, bin, ask(0)...)
				for i := 0; b.Loop(); i++ {
					r.time(b, bin, ask(i)...)
				}
				r.report(b)
			})
		}
		whatif := func(i int) []string { return []string{"whatif", "--decision", options[i%len(options)]} }
		again("whatif", whatif)
		again("patterns", func(int) []string { return []string{"patterns"} })
		again("similar", func(i int) []string { return []string{"similar", options[i%len(options)]} })
		changed := func(name string, args ...string) {
			b.Run(name, func(b *testing.B) {
				var r runs
				for b.Loop() {
					b.StopTimer()
					oneMore(b, memory, n)
					n++
					runProgram(b, bin, "graph", "update", "--quiet", "--memory", memory)
					b.StartTimer()
					r.time(b, bin, append(args, "--quiet", "--memory", memory)...)
				}
				r.report(b)
			})
		}
		changed("changed-whatif", whatif(0)...)
		changed("changed-patterns", "patterns")
	})
}

// decided are options of the first n episodes, in turns taken and rejected.
func decided(n int) (options []string) {
	for i := 0; len(options) < 40; i++ {
		for _, d := range (synthetic.Memory{Seed: 1}).Episode(i * 37 % n).Decisions {
			if len(options)%2 == 0 || len(d.Options) < 2 {
				options = append(options, d.Chosen)
			} else {
				options = append(options, d.Options[len(d.Options)-1])
			}
		}
	}
	return options
}

// builtProgram builds the program once for a benchmark.
func builtProgram(b *testing.B) string {
	b.Helper()
	bin := filepath.Join(b.TempDir(), "episodes")
	build := exec.Command("go", "build", "-o", bin, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("build: %v\n%s", err, out)
	}
	return bin
}

// realCorpus is the folder of real logs; "" where there is none.
func realCorpus() string {
	dir := cmp.Or(os.Getenv("EPISODES_CORPUS"), "../../../shared/corpus/session-logs-md")
	if _, err := os.Stat(dir); err != nil {
		return ""
	}
	return dir
}

func runProgram(b *testing.B, bin string, args ...string) {
	b.Helper()
	if out, err := exec.Command(bin, args...).CombinedOutput(); err != nil {
		b.Fatalf("episodes %v: %v\n%s", args, err, out)
	}
}
