package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// The commands of the program stay few enough to be known. Those that a redesign of what loops
// learn will replace are not counted.
const (
	mostCommands  = 54
	mostFlags     = 166
	mostLoopFlags = 18
)

var uncounted = []string{"reflections"}

func TestCommandsStayFew(t *testing.T) {
	all, commands, flags := allCommands(), 0, 0
	for _, c := range all {
		if slices.ContainsFunc(strings.Fields(c.CommandPath()), func(name string) bool { return slices.Contains(uncounted, name) }) {
			continue
		}
		own := count(c.LocalNonPersistentFlags())
		commands, flags = commands+1, flags+own
		t.Logf("%s: %d flags", c.CommandPath(), own)
		if c.CommandPath() == "episodes loop" && own > mostLoopFlags {
			t.Errorf("loop has %d flags, more than %d", own, mostLoopFlags)
		}
	}
	flags += count(all[0].Root().PersistentFlags())
	t.Logf("%d commands, %d flag positions", commands, flags)
	if commands > mostCommands || flags > mostFlags {
		t.Errorf("%d commands and %d flag positions, more than %d and %d", commands, flags, mostCommands, mostFlags)
	}
}

// allCommands are the commands of the program, each after its parent.
func allCommands() (out []*cobra.Command) {
	var walk func(*cobra.Command)
	walk = func(parent *cobra.Command) {
		for _, c := range parent.Commands() {
			out = append(out, c)
			walk(c)
		}
	}
	walk((&app{environment: environment{getenv: func(string) string { return "" }}}).command())
	return out
}

func count(flags *pflag.FlagSet) (n int) {
	flags.VisitAll(func(*pflag.Flag) { n++ })
	return n
}
