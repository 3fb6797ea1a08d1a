package main

import (
	"slices"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// The commands of the program stay few enough to be known. Those that a redesign of what loops
// learn will replace are not counted.
const (
	mostCommands  = 51
	mostFlags     = 147
	mostLoopFlags = 18
)

var uncounted = []string{"reflections"}

func TestCommandsStayFew(t *testing.T) {
	root := (&app{environment: environment{getenv: func(string) string { return "" }}}).command()
	commands, flags := 0, count(root.PersistentFlags())
	var walk func(*cobra.Command)
	walk = func(parent *cobra.Command) {
		for _, c := range parent.Commands() {
			if slices.Contains(uncounted, c.Name()) {
				continue
			}
			own := count(c.LocalNonPersistentFlags())
			commands, flags = commands+1, flags+own
			t.Logf("%s: %d flags", c.CommandPath(), own)
			if c.CommandPath() == "episodes loop" && own > mostLoopFlags {
				t.Errorf("loop has %d flags, more than %d", own, mostLoopFlags)
			}
			walk(c)
		}
	}
	walk(root)
	t.Logf("%d commands, %d flag positions", commands, flags)
	if commands > mostCommands || flags > mostFlags {
		t.Errorf("%d commands and %d flag positions, more than %d and %d", commands, flags, mostCommands, mostFlags)
	}
}

func count(flags *pflag.FlagSet) (n int) {
	flags.VisitAll(func(*pflag.Flag) { n++ })
	return n
}
