// Command trial measures what episodes tells coding agents, on a history of sessions: it plays the hooks of Claude Code
// to the installed program, as that agent's client would, in a home folder and a git repository of its own. README.md
// says how to run it. Of this module only package episodes is for other programs: only that is a promise.
//
//	session.go  a transcript or log → the hook events of its session
//	client.go   a home, a repository, and the hooks that setup wrote there
//	replay.go   sessions one after the other, each against the memory of those before; what was told, held against labels
//	dry.go      what is told before the first edit of a task
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

var errUsage = errors.New(`usage: trial replay DIR [--bin episodes] [--json]
       trial dry TASK... [--bin episodes] [--json]`)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "trial:", err)
		os.Exit(1)
	}
}

// report is what a command found.
type report interface{ text(w io.Writer) }

func run(args []string, out io.Writer) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = p.(failure).error // anything else goes on as a panic
		}
	}()
	flags := flag.NewFlagSet("trial", flag.ContinueOnError)
	bin := flags.String("bin", "episodes", "the `PROGRAM` that is measured")
	asJSON := flags.Bool("json", false, "print JSON")
	var words []string
	for rest := args; ; rest = flags.Args()[1:] { // flags may follow folders
		if check(flags.Parse(rest)); flags.NArg() == 0 {
			break
		}
		words = append(words, flags.Arg(0))
	}
	var r report
	switch {
	case len(words) == 2 && words[0] == "replay":
		r = replay(*bin, words[1])
	case len(words) > 1 && words[0] == "dry":
		r = dry(*bin, words[1:])
	default:
		return errUsage
	}
	if !*asJSON {
		r.text(out)
		return nil
	}
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	return e.Encode(r)
}

// failure ends a run: check panics with it, and run returns its error.
type failure struct{ error }

func check(err error) {
	if err != nil {
		panic(failure{err})
	}
}

// must is a value that came without an error.
func must[T any](v T, err error) T {
	check(err)
	return v
}
