//go:build linux

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
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
