// Serve starts a throw-away PostgreSQL server, runs a command with its URL in EPISODES_STORE,
// and stops the server when the command ends.
//
//	serve COMMAND [ARG...]
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"

	"episodes/internal/testing/pgtest"
)

func main() {
	code, err := run(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "serve:", err)
		code = max(code, 1)
	}
	os.Exit(code)
}

func run(command []string) (code int, err error) {
	if len(command) == 0 {
		return 2, errors.New("usage: serve COMMAND [ARG...]")
	}
	server, err := pgtest.New()
	if err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, server.Stop()) }()
	signal.Ignore(os.Interrupt) // the command gets it too, and the server is stopped after it
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Env = append(os.Environ(), "EPISODES_STORE="+server.URL("postgres"))
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err = cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return max(exit.ExitCode(), 1), nil
	}
	return 0, err
}
