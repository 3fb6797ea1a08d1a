//go:build unix

package proc

import (
	"os/exec"
	"syscall"
)

func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// niceness is how far work in the background stands back behind what a person waits for.
const niceness = 10

// Background makes this process stand back behind others. That it cannot is no error.
func Background() { _ = syscall.Setpriority(syscall.PRIO_PROCESS, 0, niceness) }
