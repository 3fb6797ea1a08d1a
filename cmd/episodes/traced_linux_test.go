package main

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"episodes/internal/testing/few"
)

// The system's own record of what every command does in a hostile clone: it writes
// nothing outside of the repository and the user's configuration, starts no process
// and opens no socket.
func TestTracedInHostileClone(t *testing.T) {
	long(t)
	if out, err := exec.Command("strace", "-f", "-o", os.DevNull, os.Args[0], "-test.list", "^$").CombinedOutput(); err != nil {
		t.Skipf("needs strace, and leave to use it: %v\n%s", err, out)
	}
	flags := []string{"-f", "--seccomp-bpf"} // which stops at the calls that are traced alone
	if exec.Command("strace", append(flags, "-o", os.DevNull, "true")...).Run() != nil {
		flags = flags[:1]
	}
	good := cloneWithMemory(t)
	heavy := few.Heavy()
	runs := 0
	for i, target := range append([]string{""}, ours...) { // "": all of it, as another machine left it
		for j, p := range plants {
			if !strings.HasPrefix(p.name, "link to a") || !heavy && (target != "" && i%16 != 3 || j%2 != 0) || target == "" && j != 2 {
				continue
			}
			for k, args := range everyCommand {
				if !heavy && (target == "") != (k%2 == 0) || target != "" && (i/16*2+j/2+k/2)%6 != 0 { // each command meets one of them
					continue
				}
				w, config := newHostile(t, good), t.TempDir()
				if target != "" {
					config = os.Getenv("XDG_CONFIG_HOME")
					path := filepath.Join(w.repo, target)
					must0(t, os.RemoveAll(path))
					must0(t, os.MkdirAll(filepath.Dir(path), 0o755))
					must0(t, p.plant(path, w.outside))
				}
				w.traced(flags, args, config)
				runs++
			}
		}
	}
	t.Logf("%d runs", runs)
}

// everyCommand is each command that starts nothing by itself.
var everyCommand = [][]string{
	{"init"}, {"extract"}, {"extract", ".agents/sessions"}, {"validate"}, {"doctor"}, {"doctor", "--fix"},
	{"list"}, {"get", "a"}, {"decisions", "a"}, {"path", "--from", "pump", "--to", "success"}, {"explain", "the pump failed"},
	{"whatif", "--decision", "use the pump a"}, {"search", "pump"}, {"advise", "the pump failed"}, {"patterns"}, {"antipatterns"},
	{"extract", "--ask", ".agents/sessions/a.md"}, {"correct", "a", "--outcome", "partial"}, {"forget", "b"},
	{"sources"}, {"extract", "--from", "all"}, {"share", "a"}, {"share", "a", "--dry-run"},
	{"graph", "update"}, {"graph", "rebuild"}, {"graph", "stats"}, {"graph", "export", "--format", "html"},
	{"loop", "history"}, {"loop", "reflections"}, {"loop", "retry", "ralph-x"}, {"loop", "--resume", "ralph-x"}, {"loop", "analyze"},
	{"version"}, {"help", "loop"}, {"completion", "bash"},
}

// calls are those that write, start or connect.
const calls = "openat,creat,mkdirat,mkdir,renameat,renameat2,rename,unlinkat,unlink,rmdir,linkat,link,symlinkat,symlink,mknodat,truncate,ftruncate," +
	"fchmodat,chmod,fchownat,chown,execve,execveat,socket,connect,kill,tkill,pidfd_send_signal"

var (
	opened = regexp.MustCompile(`openat\(.*\b(?:O_WRONLY|O_RDWR|O_CREAT|O_TRUNC)\b.*\) = \d+<([^>]*)>$`)
	inDir  = regexp.MustCompile(`^(?:mkdirat|renameat2?|unlinkat|linkat|symlinkat|mknodat|fchmodat|fchownat)\(`)
	where  = regexp.MustCompile(`(?:AT_FDCWD|\d+)<([^>]*)>, "([^"]*)"`)
	byFile = regexp.MustCompile(`^ftruncate\(\d+<([^>]*)>`)
	byPath = regexp.MustCompile(`^(?:creat|mkdir|rename|unlink|rmdir|link|symlink|truncate|chmod|chown)\(`)
	killed = regexp.MustCompile(`^tkill\((\d+)|^kill\((\d+)|^pidfd_send_signal\(`)
)

// traced runs one command under strace with some flags, with a folder for the user's
// configuration, and checks its calls.
func (w *hostileClone) traced(flags, args []string, config string) {
	t := w.t
	t.Helper()
	record := filepath.Join(t.TempDir(), "calls")
	cmd := exec.Command("strace", slices.Concat(flags, []string{"-y", "-qq", "-s", "4096", "-e", "trace=" + calls, "-e", "signal=none", "-o", record, os.Args[0]}, args)...)
	cmd.Dir, cmd.Env = w.repo, append(os.Environ(), asProgram+"=1", noRaceNap, "EPISODES_ROOT=", "HOME="+config, "XDG_CONFIG_HOME="+config)
	out, err := cmd.CombinedOutput()
	if _, ran := err.(*exec.ExitError); err != nil && !ran {
		t.Fatal(err)
	}
	trace := read(t, record)
	bad := func(line, why string) {
		t.Errorf("%q: %s: %s\n%s", args, why, line, bytes.TrimSpace(out))
	}
	started, threads := 0, map[string]bool{}
	for s := bufio.NewScanner(bytes.NewReader(trace)); s.Scan(); {
		pid, line, _ := strings.Cut(s.Text(), " ")
		line = strings.TrimSpace(line)
		threads[pid] = true
		if strings.Contains(line, " = -1 E") && !strings.HasPrefix(line, "connect") { // it did nothing
			continue
		}
		switch m := opened.FindStringSubmatch(line); {
		case m != nil:
			if !w.mayWrite(m[1], config) {
				bad(line, "opened to write")
			}
		case strings.HasPrefix(line, "execve"):
			if started++; started > 1 {
				bad(line, "started a process")
			}
		case strings.HasPrefix(line, "socket"), strings.HasPrefix(line, "connect"):
			bad(line, "a socket")
		case killed.MatchString(line):
			m := killed.FindStringSubmatch(line)
			if n, err := strconv.Atoi(m[1] + m[2]); err != nil || !threads[strconv.Itoa(n)] {
				bad(line, "a signal to another process")
			}
		case inDir.MatchString(line):
			for _, m := range where.FindAllStringSubmatch(line, -1) {
				path := m[2]
				if !filepath.IsAbs(path) {
					path = filepath.Join(m[1], path)
				}
				if !w.mayWrite(path, config) {
					bad(line, "changed")
				}
			}
		case byFile.MatchString(line):
			if !w.mayWrite(byFile.FindStringSubmatch(line)[1], config) {
				bad(line, "cut")
			}
		case byPath.MatchString(line):
			bad(line, "a call that follows links") // Go's own packages use the others
		}
	}
	if started == 0 {
		t.Fatalf("%q: nothing was recorded:\n%s", args, trace)
	}
	if hashOf(t, w.outside) != w.before {
		t.Errorf("%q changed what is outside:\n%s", args, out)
	}
}

// mayWrite reports whether path, whose folder is followed, is where the program may write.
func (w *hostileClone) mayWrite(path, config string) bool {
	path = strings.TrimSuffix(path, "(deleted)")
	if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		path = filepath.Join(dir, filepath.Base(path))
	}
	for _, root := range []string{w.repo, config} {
		if real, err := filepath.EvalSymlinks(root); err == nil && (path == real || strings.HasPrefix(path, real+"/")) {
			return true
		}
	}
	if strings.HasPrefix(path, filepath.Join(os.TempDir(), "episodes-git-")) { // where git is asked, apart from the clone
		return true
	}
	return path == "/dev/null" || strings.HasPrefix(path, "/proc/self/") || strings.HasPrefix(path, "/sys/kernel/mm/transparent_hugepage")
}
