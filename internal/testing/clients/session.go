//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"episodes/internal/testing/model"
)

// place is where one client works: a home, a repository, a model of its own.
type place struct {
	options
	v               *variant
	dir, home, repo string
	url             string
	model           *model.Server
	files           map[string]string // of the home, before setup
}

// newPlace makes a home and a repository with a memory below the folder of the run.
func newPlace(o options, v *variant, name string) (*place, error) {
	dir := filepath.Join(o.work, v.name, strings.ReplaceAll(name, " ", "-"))
	p := &place{options: o, v: v, dir: dir, home: filepath.Join(dir, "home"), repo: filepath.Join(dir, "tides")}
	p.model = &model.Server{Dir: p.repo, Scripts: scripts}
	var err error
	if p.url, err = p.model.Start(); err != nil {
		return nil, err
	}
	p.files = v.files(p.url)
	for _, name := range v.client.shared {
		if err := share(filepath.Join(v.client.prefix(o.cache), "shared", name), filepath.Join(p.home, name)); err != nil {
			return nil, err
		}
	}
	path := "export PATH='" + p.path() + "'\n" // a login shell sets its own
	for _, err := range []error{
		write(p.home, p.files), write(p.home, map[string]string{".bash_profile": path, ".profile": path}),
		write(p.repo, repository), p.recorder(),
	} {
		if err != nil {
			return nil, err
		}
	}
	for _, args := range [][]string{
		{"git", "init", "-q", "-b", "main"}, {"git", "config", "user.name", "t"}, {"git", "config", "user.email", "t@example.org"},
		{o.real, "init"}, {"git", "add", "-A"}, {"git", "commit", "-qm", "A table"},
	} {
		if out, code := p.run(args...); code != 0 {
			return nil, fmt.Errorf("%s: %s", strings.Join(args, " "), out)
		}
	}
	return p, nil
}

// close ends the model and every process that still works in the home.
func (p *place) close() {
	p.model.Close()
	p.settle(5 * time.Second)
}

// recorder puts this program in place of episodes on the path.
func (p *place) recorder() error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	if err := write(filepath.Join(p.dir, "bin"), map[string]string{realFile: p.real}); err != nil {
		return err
	}
	program, err := os.ReadFile(self) // a copy: the recorder finds its files next to itself
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(p.dir, "bin", "episodes"), program, 0o755)
}

// share makes a folder appear in a home.
func share(folder, at string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		return err
	}
	return os.Symlink(folder, at)
}

func write(dir string, files map[string]string) error {
	for name, text := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

func (p *place) path() string {
	dirs := []string{filepath.Join(p.dir, "bin"), p.v.client.binary(p.cache)}
	for _, program := range []string{"go", "node", "git"} {
		if at, err := exec.LookPath(program); err == nil {
			dirs = append(dirs, filepath.Dir(at))
		}
	}
	return strings.Join(append(dirs, "/usr/bin", "/bin"), ":")
}

// command returns a command in the repository, with an environment that has nothing of this machine's.
func (p *place) command(env []string, args ...string) *exec.Cmd {
	name := args[0]
	for _, dir := range strings.Split(p.path(), ":") {
		if at := filepath.Join(dir, name); !filepath.IsAbs(name) {
			if _, err := os.Stat(at); err == nil {
				name = at
			}
		}
	}
	cmd := exec.Command(name, args[1:]...)
	cmd.Dir = p.repo
	cmd.Env = append([]string{
		"HOME=" + p.home, "PATH=" + p.path(), "TERM=dumb", "LANG=C.UTF-8", "SHELL=/bin/bash", "USER=tester",
		"GOCACHE=" + os.Getenv(inside), "GOPATH=" + filepath.Join(p.work, "gopath"), "GOTOOLCHAIN=local", "GOFLAGS=-mod=mod", "GOTELEMETRY=off",
		"GIT_CONFIG_NOSYSTEM=1", "NO_UPDATE_NOTIFIER=1", "DO_NOT_TRACK=1",
	}, env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return cmd
}

// run runs a command to its end, or to that of its time, and returns what it printed and its exit code.
func (p *place) run(args ...string) (string, int) { return p.runIn(nil, args...) }

// runIn is run with more variables.
func (p *place) runIn(env []string, args ...string) (string, int) {
	var out bytes.Buffer
	cmd := p.command(env, args...)
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Start()
	if err == nil {
		late := p.late(cmd)
		err = cmd.Wait()
		late.Stop()
	}
	if e := (*exec.ExitError)(nil); errors.As(err, &e) {
		return out.String(), e.ExitCode()
	} else if err != nil {
		return out.String() + err.Error(), -1
	}
	return out.String(), 0
}

func end(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }

// limit is how long a session may take, and the work that its hooks left behind.
func (p *place) limit() time.Duration { return time.Duration(p.seconds) * time.Second }

// late ends a command, with all that it started in its group, when its time is up.
func (p *place) late(cmd *exec.Cmd) *time.Timer {
	return time.AfterFunc(p.limit(), func() { end(cmd) })
}

// ask runs the program that is tested, not recorded.
func (p *place) ask(args ...string) (string, int) { return p.run(append([]string{p.real}, args...)...) }

// request is one of the model's.
type request = model.Request

// played is one session of a client.
type played struct {
	hooks    []callRecord
	requests []request
	rec      string
	code     int
}

// how changes the way in which a session runs.
type how struct {
	without []string // arguments and variables that are left out
	kill    bool     // kill -9 when the model waits
}

// play runs the client with a script and waits for all that it started. The record is in a folder with
// a name of its own below the place.
func (p *place) play(rec, script, words string, h how) played {
	out := played{rec: filepath.Join(p.dir, rec)}
	_ = write(out.rec, map[string]string{"script": script})
	_ = write(filepath.Join(p.dir, "bin"), map[string]string{recordFile: out.rec})
	p.model.Requests()
	out.code = p.start(rec, script, words, h)
	p.settle(p.limit())
	out.hooks, out.requests = hooksOf(out.rec), p.model.Requests()
	var log bytes.Buffer
	for _, r := range out.requests {
		fmt.Fprintf(&log, "%s %s %v answered with %q\n%s\n", r.Path, r.Script, r.Tools, r.Answer, r.Body)
	}
	_ = write(out.rec, map[string]string{"requests": log.String()})
	return out
}

// afresh plays a session in the repository as it was at first.
func (p *place) afresh(rec, script, words string, h how) played {
	_, _ = p.run("git", "checkout", "-q", "--", "table")
	return p.play(rec, script, words, h)
}

// left are arguments or variables of the client, but for some, with the address of the model.
func (p *place) left(list, without []string) (out []string) {
	for _, s := range list {
		if !slices.Contains(without, s) {
			out = append(out, strings.ReplaceAll(s, "{URL}", p.url))
		}
	}
	return out
}

// start runs the client until its end, its time, or its kill.
func (p *place) start(rec, script, words string, h how) int {
	c := p.v.client
	args := append(append([]string{c.program}, p.left(c.args, h.without)...), "play:"+script+"\n"+words)
	cmd := p.command(p.left(c.env, h.without), args...)
	out, err := os.Create(filepath.Join(p.dir, rec, "output"))
	if err != nil {
		return -1
	}
	defer func() { _ = out.Close() }()
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		return -1
	}
	if p.model.Waits = nil; h.kill {
		p.model.Waits = func() { end(cmd) }
	}
	defer p.late(cmd).Stop()
	if err := cmd.Wait(); err != nil {
		return cmd.ProcessState.ExitCode()
	}
	return 0
}

// settle waits until no process has the home of this place, and ends those that are left by their id.
func (p *place) settle(limit time.Duration) {
	for end := time.Now().Add(limit); ; time.Sleep(50 * time.Millisecond) {
		left := p.processes()
		if len(left) == 0 {
			return
		}
		if time.Now().After(end) {
			for _, pid := range left {
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
			return
		}
	}
}

// processes are those with the home of this place in their environment.
func (p *place) processes() (pids []int) {
	entries, _ := os.ReadDir("/proc")
	want := []byte("HOME=" + p.home)
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || pid == os.Getpid() {
			continue
		}
		env, _ := os.ReadFile(filepath.Join("/proc", e.Name(), "environ"))
		for v := range bytes.SplitSeq(env, []byte{0}) {
			if bytes.Equal(v, want) {
				pids = append(pids, pid)
				break
			}
		}
	}
	return pids
}

// knowsMCP reports whether a request offers a tool of the MCP server, or names it as one to be loaded.
func knowsMCP(r model.Request) bool {
	return strings.Contains(string(r.Body), "mcp__episodes") || offers(r, "whatif")
}

// offers reports whether a request has a tool, or names it as one of the MCP server to be loaded.
func offers(r model.Request, tool string) bool {
	return strings.Contains(strings.Join(r.Tools, " "), tool) || strings.Contains(string(r.Body), "episodes/"+tool) || strings.Contains(string(r.Body), "mcp__episodes__"+tool)
}
