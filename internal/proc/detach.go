package proc

import "os/exec"

// StartDetached starts a program that outlives this process and whoever started that: it
// is in a session and group of processes of its own, and has no standard input or output.
// Nobody waits for it.
func StartDetached(cmd *exec.Cmd) error {
	cmd.Stdin, cmd.Stdout, cmd.Stderr = nil, nil, nil
	detach(cmd)
	if err := cmd.Start(); err != nil {
		return err
	}
	return cmd.Process.Release()
}
