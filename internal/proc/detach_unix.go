//go:build unix

package proc

import (
	"os/exec"
	"syscall"
)

func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// niceness is the nice value of work in the background.
const niceness = 10

// Background lowers the priority of this process. Failure to do so is ignored.
func Background() { _ = syscall.Setpriority(syscall.PRIO_PROCESS, 0, niceness) }
