//go:build linux

package main

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"episodes/internal/testing/synthetic"
)

// BenchmarkServe asks a server for its pages, in turns, where nothing changed, and for the first page after one
// more session. The peak is that of the server, with all pages that it has made by then.
func BenchmarkServe(b *testing.B) {
	eachSize(b, func(b *testing.B, bin, memory string, n int) {
		cmd := exec.Command(bin, "serve", "--quiet", "--memory", memory)
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		must0(b, err)
		defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
		link, err := bufio.NewReader(out).ReadString('\n')
		must0(b, err)
		get := func(b *testing.B, page string) {
			r, err := http.Get(strings.TrimSpace(link) + page)
			must0(b, err)
			defer r.Body.Close()
			if _, err := io.Copy(io.Discard, r.Body); err != nil || r.StatusCode != http.StatusOK {
				b.Fatal(page, r.Status, err)
			}
		}
		report := func(b *testing.B, r *runs) {
			status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", cmd.Process.Pid))
			must0(b, err)
			_, peak, _ := strings.Cut(string(status), "VmHWM:")
			if _, err := fmt.Sscan(peak, &r.peak); err != nil {
				b.Fatal(err)
			}
			r.report(b)
		}
		used := func() time.Duration { return cpuOf(b, cmd.Process.Pid) }
		ask := func(b *testing.B, r *runs, page string) {
			cpu, start := used(), time.Now()
			get(b, page)
			r.wall, r.cpu = append(r.wall, time.Since(start)), append(r.cpu, used()-cpu)
		}
		session := "session/" + (synthetic.Memory{Seed: 1}).ID(n/2)
		for name, page := range map[string]string{"errors": "", "since": "errors?since=2020-05-01", "once": "errors?once=1", "choices": "choices", "lessons": "lessons", "sessions": "time",
			"failed": "time?outcome=failure&task=the", "advice": "advice", "graph": "graph", "session": session, "search": "search?q=timeout+retry"} {
			b.Run(name, func(b *testing.B) {
				get(b, page)
				var r runs
				for b.Loop() {
					ask(b, &r, page)
				}
				report(b, &r)
			})
		}
		for _, page := range []string{"errors", "time", "lessons"} {
			b.Run("changed-"+page, func(b *testing.B) {
				var r runs
				for b.Loop() {
					b.StopTimer()
					oneMore(b, memory, n)
					n++
					b.StartTimer()
					ask(b, &r, page)
				}
				report(b, &r)
			})
		}
	})
}

// cpuOf is the time that a process has used of all processors, in steps of 10 ms.
func cpuOf(b *testing.B, pid int) time.Duration {
	b.Helper()
	stat, err := os.ReadFile(filepath.Join("/proc", fmt.Sprint(pid), "stat"))
	must0(b, err)
	_, rest, _ := strings.Cut(string(stat), ") ")
	var user, system int64
	if fields := strings.Fields(rest); len(fields) > 12 {
		_, err = fmt.Sscan(fields[11]+" "+fields[12], &user, &system)
	}
	must0(b, err)
	return time.Duration(user+system) * 10 * time.Millisecond
}
