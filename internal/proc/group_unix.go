//go:build unix

package proc

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// inGroup starts a command in a process group of its own.
func inGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
}

func killGroup(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }

func exitCode(s *os.ProcessState) int {
	if w, ok := s.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return 128 + int(w.Signal())
	}
	return s.ExitCode()
}

// isPipe reports whether a command closed its input before reading all of it.
func isPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }
