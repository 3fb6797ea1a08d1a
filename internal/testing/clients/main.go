//go:build unix

// Command clients runs real coding agents against a scripted model, and checks what this program does
// with them: what their hooks send, what of the answers reaches the model, what is read from their
// transcripts, and what setup leaves behind. `make clients` is the way to start it.
//
//	main.go      the stages: install, build, enter a network namespace with loopback only, run
//	install.go   pinned versions from npm, in a cache folder
//	client.go    how each agent is started
//	play.go      what the model does in a session, and the repository of it
//	session.go   one session in a home folder of its own, and the end of all its processes
//	record.go    the recorder that agents call in place of episodes
//	checks.go    the checks of two sessions; more.go and reading.go those of single situations
//	recordings.go  what a run records for testdata; summary.go the table
//
// Nothing of an agent is kept in this repository: recordings are payloads that a run of the script
// produced, without prompts of the agents themselves.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// options are the flags of the command.
type options struct {
	only, cache, work, real string
	situation               string
	keep, update            bool
	jobs                    int
	seconds                 int // for one session
}

func main() {
	if filepath.Base(os.Args[0]) == "episodes" {
		os.Exit(record(os.Args[1:]))
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	var o options
	flag.StringVar(&o.only, "only", "", "variants to run, separated by commas (default all)")
	flag.StringVar(&o.situation, "situation", "", "the one single situation to run, without the two sessions")
	flag.StringVar(&o.cache, "cache", filepath.Join(cache, "episodes-clients"), "where the agents are installed")
	flag.StringVar(&o.work, "work", "", "folder for homes and repositories (default a temporary one)")
	flag.StringVar(&o.real, "episodes", "", "the program to test (default: it is built)")
	flag.BoolVar(&o.keep, "keep", false, "keep the folder of the run")
	flag.BoolVar(&o.update, "update", false, "write the recordings of this run to testdata")
	flag.IntVar(&o.jobs, "jobs", min(2, runtime.NumCPU()), "variants that run at once")
	flag.IntVar(&o.seconds, "seconds", 180, "seconds that a session may take")
	flag.Parse()
	if err := run(o); err != nil {
		if s := (skipped)(""); errors.As(err, &s) {
			fmt.Println("skipped:", s)
			return
		}
		fmt.Fprintln(os.Stderr, "clients:", err)
		os.Exit(1)
	}
}

// skipped says why nothing can run here.
type skipped string

func (s skipped) Error() string { return string(s) }

// inside is set in the network namespace.
const inside = "EPISODES_CLIENTS_INSIDE"

func run(o options) error {
	chosen, err := choose(o.only)
	if err != nil {
		return err
	}
	if os.Getenv(inside) != "" {
		return runAll(o, chosen)
	}
	if err := needs(); err != nil {
		return err
	}
	start := time.Now()
	for _, c := range clientsOf(chosen) {
		if err := c.install(o.cache); err != nil {
			return err
		}
	}
	fmt.Printf("installed after %.0f s\n", time.Since(start).Seconds())
	if o.work == "" {
		if o.work, err = os.MkdirTemp("", "episodes-clients-"); err != nil {
			return err
		}
		if !o.keep {
			defer func() { _ = os.RemoveAll(o.work) }()
		}
	}
	if o.real == "" {
		o.real = filepath.Join(o.work, "real", "episodes")
		if out, err := exec.Command("go", "build", "-o", o.real, "./cmd/episodes").CombinedOutput(); err != nil {
			return fmt.Errorf("build: %s", out)
		}
	}
	return enter(o)
}

// needs returns a skipped error if a program is missing.
func needs() error {
	if runtime.GOOS != "linux" {
		return skipped("network namespaces need Linux")
	}
	for _, p := range []string{"npm", "node", "unshare", "ip", "git", "go", "sh"} {
		if _, err := exec.LookPath(p); err != nil {
			return skipped(p + " is not installed")
		}
	}
	if out, err := exec.Command("node", "-e", "process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)").CombinedOutput(); err != nil {
		return skipped("the agents need Node 20 or newer " + string(out))
	}
	if out, err := namespace(context.Background(), "true").CombinedOutput(); err != nil {
		return skipped("no network namespace can be made: " + string(bytes.TrimSpace(out)))
	}
	return nil
}

// namespace returns a command that runs another where the network is loopback only, and where all
// processes end with it.
func namespace(ctx context.Context, args ...string) *exec.Cmd {
	flags := []string{"-n", "-p", "-f", "--kill-child", "--mount-proc"}
	if os.Getuid() != 0 {
		flags = append(flags, "-r")
	}
	return exec.CommandContext(ctx, "unshare", append(append(flags, "--", "sh", "-c", `ip link set lo up && exec "$@"`, "sh"), args...)...)
}

// enter runs this program again, in the namespace.
func enter(o options) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	gocache, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	cmd := namespace(ctx, append([]string{self}, append(os.Args[1:], "-work", o.work, "-episodes", o.real, "-cache", o.cache)...)...)
	cmd.Env = append(os.Environ(), inside+"="+strings.TrimSpace(string(gocache)))
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Run(); err != nil {
		if e := (*exec.ExitError)(nil); errors.As(err, &e) {
			return errors.New("some checks failed")
		}
		return err
	}
	return nil
}
