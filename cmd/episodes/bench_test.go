package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// The benchmarks here time whole processes, since that is what a person and a
// hook wait for. They read the shared corpus of real logs where it is there
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
	for _, dir := range []string{"../../../shared/corpus/session-logs-md", "../../testdata/sessions"} {
		if _, err := os.Stat(dir); err == nil {
			return dir
		}
	}
	b.Fatal("no logs to read")
	return ""
}

func runProgram(b *testing.B, bin string, args ...string) {
	b.Helper()
	if out, err := exec.Command(bin, args...).CombinedOutput(); err != nil {
		b.Fatalf("episodes %v: %v\n%s", args, err, out)
	}
}
