package main

import (
	"io"
	"os"
	"runtime/debug"
	"time"
)

// environment is all that a command takes from the process around it.
type environment struct {
	args   []string
	stdin  io.Reader
	stdout io.Writer
	stderr io.Writer
	getenv func(string) string
	cwd    string
	home   string // of the user; "": not known
	now    func() time.Time
	free   func(dir string) (uint64, bool) // space on a disk; nil: as the system says
}

// process sets the process up for a short command and describes it.
func process() environment {
	debug.SetMemoryLimit(768 << 20)
	cwd, err := os.Getwd()
	if err != nil {
		cwd = "."
	}
	home, _ := os.UserHomeDir() // without one no transcripts are looked for
	return environment{args: os.Args[1:], stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr,
		getenv: os.Getenv, cwd: cwd, home: home, now: time.Now}
}

// holdLittle keeps the memory of a command small that holds what others print while it
// waits for them.
func holdLittle() {
	debug.SetGCPercent(50)
	debug.SetMemoryLimit(64 << 20)
}

// terminal reports whether w writes to a screen.
func terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
