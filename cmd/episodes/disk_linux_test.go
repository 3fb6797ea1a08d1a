package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// inNamespace runs a test again as the superuser of a user namespace of its own, who
// may mount there.
func inNamespace(t *testing.T) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}}, GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}}}
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Skipf("neither the superuser nor allowed a user namespace: %v", err)
	}
	if err != nil {
		t.Errorf("%v:\n%s", err, out)
	}
}

// smallDisk mounts a file system of 16 MB, which only the superuser can.
func smallDisk(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("none", dir, "tmpfs", 0, "size=16m"); err != nil {
		t.Skipf("cannot mount a small disk: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// On a disk too full for the graph, writing it is refused with what to do about
// it; a question is answered all the same, from a graph in memory.
func TestSmallDisk(t *testing.T) {
	if os.Geteuid() != 0 {
		inNamespace(t)
		return
	}
	dir := smallDisk(t)
	sampleLogs(t, dir, 2)
	must(t, dir, "init", "--root", ".")
	must(t, dir, "extract", "--root", ".", "--no-graph", ".")
	run := func(args ...string) (out, errs string, code int) {
		var o, e bytes.Buffer
		cmd := program(dir, append(args, "--root", ".")...)
		cmd.Stdout, cmd.Stderr = &o, &e
		_ = cmd.Run()
		return o.String(), e.String(), cmd.ProcessState.ExitCode()
	}
	for _, args := range [][]string{{"extract", "--force", "."}, {"graph", "update"}, {"graph", "rebuild"}} {
		if out, errs, code := run(args...); code != codeFailed || out != "" || !strings.Contains(errs, "too little free space") || !strings.HasSuffix(errs, "hint: free some space on the disk\n") {
			t.Errorf("%q: exit %d, %s%s", args, code, out, errs)
		}
	}
	// Then not a byte is left.
	f, err := os.Create(filepath.Join(dir, "filler"))
	must0(t, err)
	for block := make([]byte, 1<<16); err == nil; {
		_, err = f.Write(block)
	}
	f.Close()
	if _, errs, code := run("graph", "rebuild"); code != codeFailed || !strings.Contains(errs, "too little free space") || !strings.HasSuffix(errs, "hint: free some space on the disk\n") {
		t.Errorf("rebuild on a full disk: exit %d, %s", code, errs)
	}
	out, errs, code := run("explain", "session-00#e001")
	if code != 0 || !strings.Contains(out, "LockTimeoutA: index is locked") || !strings.Contains(errs, "cannot be written, so the graph is built in memory") {
		t.Errorf("question: exit %d, %s%s", code, out, errs)
	}
}
