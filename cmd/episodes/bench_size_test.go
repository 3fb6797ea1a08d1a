//go:build unix

package main

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"episodes/causal"
	"episodes/episode"
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

// BenchmarkUpdateOneEpisode brings a graph in step after one episode file is new.
// BenchmarkFolder is the least that it can take.
func BenchmarkUpdateOneEpisode(b *testing.B) {
	eachSize(b, func(b *testing.B, bin, memory string, n int) {
		var r runs
		for b.Loop() {
			b.StopTimer()
			oneMore(b, memory, n)
			n++
			b.StartTimer()
			r.time(b, bin, "graph", "update", "--quiet", "--memory", memory)
		}
		r.report(b)
	})
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

// BenchmarkFolder reads the names in the folder of the episodes, and size and time
// of each file, without which no change in place can be found.
func BenchmarkFolder(b *testing.B) {
	for _, n := range sizes() {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			dir := b.TempDir()
			if _, err := (synthetic.Memory{Seed: 1}).Write(dir, 0, n); err != nil {
				b.Fatal(err)
			}
			before := processorTime(b)
			for b.Loop() {
				f, err := os.Open(dir)
				must0(b, err)
				names, err := f.Readdirnames(-1)
				if err != nil || len(names) != n {
					b.Fatal(err, len(names))
				}
				var st unix.Stat_t
				for _, name := range names {
					must0(b, unix.Fstatat(int(f.Fd()), name, &st, unix.AT_SYMLINK_NOFOLLOW))
				}
				f.Close()
			}
			b.ReportMetric((processorTime(b)-before).Seconds()*1000/float64(b.N), "cpu-ms")
		})
	}
}

// processorTime is what this process has used of all processors.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var u unix.Rusage
	must0(b, unix.Getrusage(unix.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkDistantPath asks for the ways between nodes that are three hops or
// more from each other, one of them a hub in half of the cases.
func BenchmarkDistantPath(b *testing.B) {
	eachSize(b, func(b *testing.B, bin, memory string, n int) {
		pairs := distantPairs(b, n)
		var r runs
		for i := 0; b.Loop(); i++ {
			p := pairs[i%len(pairs)]
			r.time(b, bin, "path", "-e", "--quiet", "--memory", memory, "--from", p[0], "--to", p[1])
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

// BenchmarkRebuild makes the graph again, and the index of retrieval, which the first question
// after that makes.
func BenchmarkRebuild(b *testing.B) {
	eachSizeWith(b, realLogs(b), func(b *testing.B, bin, memory string, _ int) {
		b.Run("graph", func(b *testing.B) {
			var r runs
			for b.Loop() {
				r.time(b, bin, "graph", "rebuild", "--quiet", "--memory", memory)
			}
			r.report(b)
		})
		b.Run("index", func(b *testing.B) {
			var r runs
			for b.Loop() {
				b.StopTimer()
				kept, err := filepath.Glob(filepath.Join(memory, "causality", "recall*"))
				must0(b, err)
				for _, path := range kept {
					must0(b, os.Remove(path))
				}
				b.StartTimer()
				r.time(b, bin, "advise", "--quiet", "--memory", memory, "TestUpload timed out")
			}
			r.report(b)
		})
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

// distantPairs walks along the effects in the first n episodes.
func distantPairs(b *testing.B, n int) (pairs [][2]string) {
	b.Helper()
	effects := map[string][]string{}
	frequency := map[string]int{}
	for i := range n {
		c := causal.Contribute(synthetic.Memory{Seed: 1}.Episode(i))
		for _, s := range c.Statements {
			if s.Type != episode.Correlates && !slices.Contains(effects[s.Source], s.Target) {
				effects[s.Source] = append(effects[s.Source], s.Target)
			}
			frequency[s.Source]++
		}
	}
	sources := make([]string, 0, len(effects))
	for id := range effects {
		sources = append(sources, id)
	}
	slices.SortFunc(sources, func(x, y string) int {
		if frequency[x] != frequency[y] {
			return frequency[y] - frequency[x]
		}
		return strings.Compare(x, y)
	})
	r := rand.New(rand.NewPCG(1, uint64(n)))
	for try := 0; len(pairs) < 40 && try < 200_000; try++ {
		from := sources[r.IntN(len(sources))]
		if len(pairs)%2 == 0 {
			from = sources[r.IntN(20)]
		}
		at, hops := from, 0
		for range 6 {
			next := effects[at]
			if len(next) == 0 {
				break
			}
			at, hops = next[r.IntN(len(next))], hops+1
		}
		if hops >= 3 && at != from {
			pairs = append(pairs, [2]string{from, at})
		}
	}
	if len(pairs) < 10 {
		b.Fatalf("only %d pairs are distant", len(pairs))
	}
	return pairs
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
