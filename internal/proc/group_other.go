//go:build !unix

package proc

import (
	"os"
	"os/exec"
)

func inGroup(*exec.Cmd) {}

func killGroup(p *os.Process) { _ = p.Kill() }

func exitCode(s *os.ProcessState) int { return s.ExitCode() }

func isPipe(error) bool { return false }
