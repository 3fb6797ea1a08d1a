package main

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// The benchmarks here time whole processes, since that is what a person and a
// hook wait for. They read the corpus of real logs in EPISODES_CORPUS or, where it is,
// beside the repository, and testdata/sessions else.

// BenchmarkColdExtract reads every log into an empty memory, graph included.
func BenchmarkColdExtract(b *testing.B) {
	bin, logs := builtProgram(b), corpus(b)
	for b.Loop() {
		b.StopTimer()
		dir := b.TempDir()
		b.StartTimer()
		runProgram(b, bin, "extract", "--quiet", "--memory", dir, logs)
	}
}

// BenchmarkWarmExtract finds that nothing changed.
func BenchmarkWarmExtract(b *testing.B) {
	bin, logs := builtProgram(b), corpus(b)
	dir := b.TempDir()
	runProgram(b, bin, "extract", "--quiet", "--memory", dir, logs)
	for b.Loop() {
		runProgram(b, bin, "extract", "--quiet", "--memory", dir, logs)
	}
}

// BenchmarkAsk times questions on a memory of every log.
func BenchmarkAsk(b *testing.B) {
	bin, logs := builtProgram(b), corpus(b)
	dir := b.TempDir()
	runProgram(b, bin, "extract", "--quiet", "--memory", dir, logs)
	for _, ask := range [][]string{
		{"version"},
		{"path", "--from", "tests failed", "--to", "outcome: success"},
		{"whatif", "--decision", "resolve the merge conflict"},
		{"patterns"},
		{"explain", "tests failed"},
	} {
		b.Run(ask[0], func(b *testing.B) {
			for b.Loop() {
				runProgram(b, bin, append(ask, "--memory", dir)...)
			}
		})
	}
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

func corpus(b *testing.B) string {
	b.Helper()
	return cmp.Or(realCorpus(), "../../testdata/sessions")
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
