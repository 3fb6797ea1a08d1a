//go:build !unix

package pgtest

import (
	"os"
	"os/exec"
)

var quit = os.Kill

func as(*exec.Cmd) {}
