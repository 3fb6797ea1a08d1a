//go:build linux

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"episodes/episode"
	"episodes/internal/testing/synthetic"
)

// hookCases are what an agent says at each moment, with a new session each time, since a fact
// is told once in a session.
var hookCases = []struct{ name, event, payload string }{
	{"failed", "PostToolUseFailure", `"tool_name":"Bash","tool_input":{"command":"./check"},"error":"Exit code 1\n%s"`},
	{"failed-unknown", "PostToolUseFailure", `"tool_name":"Bash","tool_input":{"command":"make flub"},"error":"Exit code 2\nflub.c:12: error: zorkmid has no member named frobnicate"`},
	{"before-command", "PreToolUse", `"tool_name":"Bash","tool_input":{"command":"go test ./store && git push --force"}`},
	{"before-edit", "PreToolUse", `"tool_name":"Edit","tool_input":{"file_path":"src/search/resolver.go","old_string":"inline the report channel","new_string":"index the report channel of the editor"}`},
	{"prompt", "UserPromptSubmit", `"prompt":"work on the failure again: %s"`},
	{"start", "SessionStart", `"source":"startup"`},
	{"off", "PreToolUse", ``},
}

// BenchmarkHook times whole hooks, with the files of the memory and the program in the
// machine's cache (warm) and not (cold).
func BenchmarkHook(b *testing.B) {
	b.Setenv("XDG_STATE_HOME", b.TempDir())
	eachSize(b, func(b *testing.B, bin, memory string, _ int) {
		known := firstKnownError(b, bin, memory)
		for _, c := range hookCases {
			for _, cold := range []bool{false, true} {
				b.Run(c.name+map[bool]string{false: "/warm", true: "/cold"}[cold], func(b *testing.B) {
					var r runs
					told := 0
					for i := 0; b.Loop(); i++ {
						b.StopTimer()
						if cold {
							dropCache(b, bin, memory)
						}
						b.StartTimer()
						if tell(b, &r, bin, memory, c.event, fmt.Sprintf("%s-%v-%d", c.name, cold, i), fill(c.payload, known)) {
							told++
						}
					}
					r.report(b)
					b.ReportMetric(float64(told)/float64(b.N), "told/op")
				})
			}
		}
	})
}

// BenchmarkCompacted times the hook that gives a session its own state back after a compaction, by the
// size of its transcript. With 0 bytes it is a session that starts: all but the reading.
func BenchmarkCompacted(b *testing.B) {
	bin, memory, home := builtProgram(b), b.TempDir(), b.TempDir()
	b.Setenv("HOME", home)
	b.Setenv("XDG_STATE_HOME", b.TempDir())
	folder := filepath.Join(home, ".claude", "projects", "p")
	must0(b, os.MkdirAll(folder, 0o700))
	if _, err := (synthetic.Memory{Seed: 1}).Write(filepath.Join(memory, "episodes"), 0, 1000); err != nil {
		b.Fatal(err)
	}
	runProgram(b, bin, "graph", "update", "--quiet", "--memory", memory)
	for _, size := range []int{0, 2 << 20, 40 << 20} {
		payload := `"source":"startup"`
		if size > 0 {
			path := filepath.Join(folder, fmt.Sprintf("%d.jsonl", size))
			must0(b, os.WriteFile(path, longTranscript(size), 0o600))
			payload = fmt.Sprintf(`"source":"compact","transcript_path":%q`, path)
		}
		b.Run(fmt.Sprintf("%d-MB", size>>20), func(b *testing.B) {
			var r runs
			for i := 0; b.Loop(); i++ {
				if told := tell(b, &r, bin, memory, "SessionStart", fmt.Sprintf("%d-%d", size, i), payload); told != (size > 0) {
					b.Fatalf("told: %v", told)
				}
			}
			r.report(b)
		})
	}
}

// longTranscript is a session of Claude Code that reads files, runs checks that fail, and edits.
func longTranscript(size int) []byte {
	var out bytes.Buffer
	line := func(kind, content string) {
		fmt.Fprintf(&out, `{"type":%q,"sessionId":"s","timestamp":"2026-03-02T09:00:00.000Z","cwd":"/src/api","message":{"role":%q,"content":%s}}`+"\n", kind, kind, content)
	}
	file := strings.Repeat("    return resolver.report(channel, editor)\\n", 70)
	line("user", `"make the retry test pass"`)
	for i := 0; out.Len() < size; i++ {
		for n, use := range []struct{ name, input, result string }{
			{"Read", `{"file_path":"/src/api/retry.go"}`, `"content":"` + file + `"`},
			{"Edit", `{"file_path":"/src/api/retry.go","old_string":"budget = 2","new_string":"budget = 3"}`, `"content":"updated"`},
			{"Bash", `{"command":"go test ./retry"}`, `"is_error":true,"content":"Exit code 1\n--- FAIL: TestRetryBudget (0.09s)\nFAIL"`},
		} {
			line("assistant", fmt.Sprintf(`[{"type":"text","text":"I look further."},{"type":"tool_use","id":"t%d-%d","name":%q,"input":%s}]`, i, n, use.name, use.input))
			line("user", fmt.Sprintf(`[{"type":"tool_result","tool_use_id":"t%d-%d",%s}]`, i, n, use.result))
		}
	}
	return out.Bytes()
}

// BenchmarkEightAgents has eight agents call hooks at once, each a fifth of a second after the
// other, while logs are taken in one after another.
func BenchmarkEightAgents(b *testing.B) {
	b.Setenv("XDG_STATE_HOME", b.TempDir())
	eachSize(b, func(b *testing.B, bin, memory string, _ int) {
		known := firstKnownError(b, bin, memory)
		done, logs := make(chan struct{}), b.TempDir()
		var extracting sync.WaitGroup
		extracting.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-done:
					return
				default:
				}
				log := filepath.Join(logs, fmt.Sprintf("s-%d.md", i))
				text := fmt.Sprintf("# Session %d\n\n- Error: TestUpload%d timed out\n- Fix: wait for the socket %d\n", i, i, i)
				if err := os.WriteFile(log, []byte(text), 0o600); err != nil {
					b.Error(err)
				}
				if out, err := exec.Command(bin, "extract", "--quiet", "--memory", memory, log).CombinedOutput(); err != nil {
					b.Errorf("%v: %s", err, out)
				}
			}
		})
		var all runs
		told, slow := 0, 0
		for round := 0; b.Loop(); round++ {
			var mu sync.Mutex
			var agents sync.WaitGroup
			for agent := range 8 {
				agents.Go(func() {
					c := hookCases[agent%5]
					time.Sleep(time.Duration(agent) * 25 * time.Millisecond)
					var r runs
					answered := tell(b, &r, bin, memory, c.event, fmt.Sprintf("%d-%d", round, agent), fill(c.payload, known))
					mu.Lock()
					defer mu.Unlock()
					all.wall, all.cpu = append(all.wall, r.wall...), append(all.cpu, r.cpu...)
					if answered {
						told++
					}
					if r.wall[0] > 250*time.Millisecond {
						slow++
					}
				})
			}
			agents.Wait()
		}
		close(done)
		extracting.Wait()
		all.report(b)
		b.ReportMetric(float64(told)/float64(b.N), "told/op")
		b.ReportMetric(float64(slow), "over-250-ms")
	})
}

// tell runs one hook and reports whether it told something.
func tell(b *testing.B, r *runs, bin, memory, event, session, payload string) bool {
	b.Helper()
	text := fmt.Sprintf(`{"session_id":%q,"cwd":%q,%s}`, session, memory, payload)
	cmd := exec.Command(bin, "hook", "claude", event, "--memory", memory)
	cmd.Stdin = strings.NewReader(text)
	if payload == "" {
		cmd.Env = append(os.Environ(), "EPISODES_OFF=1")
	}
	start := time.Now()
	out, err := cmd.Output()
	r.wall = append(r.wall, time.Since(start))
	if err != nil {
		b.Errorf("%v", err)
	}
	r.used(cmd.ProcessState)
	return len(out) > 0
}

func fill(payload, known string) string { return strings.ReplaceAll(payload, "%s", known) }

// firstKnownError is the first error of the memory that the program knows a fix of.
func firstKnownError(b *testing.B, bin, memory string) string {
	b.Helper()
	for i := range 1000 {
		for _, ev := range (synthetic.Memory{Seed: 1}).Episode(i).Events {
			if ev.Type != episode.Error {
				continue
			}
			out, err := exec.Command(bin, "advise", "--error", ev.Content, "--memory", memory).Output()
			if err == nil && strings.Contains(string(out), "Fix: ") {
				return ev.Content
			}
		}
	}
	b.Fatal("no error of the first thousand episodes is known")
	return ""
}

// dropCache takes the files of a memory's index and the program out of the machine's cache.
func dropCache(b *testing.B, bin, memory string) {
	b.Helper()
	drop := func(path string) error {
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		return errors.Join(f.Sync(), unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED))
	}
	err := filepath.WalkDir(filepath.Join(memory, "causality"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		return drop(path)
	})
	must0(b, errors.Join(err, drop(bin)))
}
