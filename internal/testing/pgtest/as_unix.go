//go:build unix

package pgtest

import (
	"os"
	"os/exec"
	"syscall"
)

const quit = syscall.SIGQUIT // which a server answers without tidying up

// as lets somebody else than root run a program.
func as(cmd *exec.Cmd) {
	if os.Getuid() != 0 {
		return
	}
	if uid, gid, err := servant(); err == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
	}
}
