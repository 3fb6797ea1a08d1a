package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// exits annotates a command with the exit codes that are its own.
func exits(lines string) map[string]string { return map[string]string{"exits": lines} }

const commonExits = `0    done, also when nothing was found
1    failed
2    the command line is wrong
130  interrupted`

// Exit codes of commands that need a memory, and of those that need its graph.
const (
	memoryExits = "10   no memory here\n" + commonExits
	graphExits  = memoryExits + "\n11   locked by another process for longer than --lock-timeout\n12   the graph is damaged or of another version: episodes graph rebuild"
)

// front are the commands that help shows, in the order in which they are needed. Help
// --all shows the others too.
var front = []string{"init", "extract", "ask", "search", "advise", "show", "list", "path", "whatif", "patterns",
	"explain", "loop", "graph", "doctor"}

// helpCommand shows the help of a command. The error for an unknown command is a usage error.
func (a *app) helpCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "help [COMMAND]",
		Short:   "Show how a command is used",
		Example: "  episodes help extract\n  episodes help graph export\n  episodes help --all",
		RunE: func(cmd *cobra.Command, args []string) error {
			found, rest, err := cmd.Root().Find(args)
			if err != nil {
				return unknownCommand(cmd.Root(), args)
			}
			if len(rest) > 0 {
				return unknownCommand(found, rest)
			}
			found.InitDefaultHelpFlag()
			return found.Help()
		},
	}
	cmd.Flags().BoolVar(&a.allCommands, "all", false, "list every command")
	return cmd
}

// helpText puts examples first and exit codes last.
func (a *app) helpText(cmd *cobra.Command) string {
	var b strings.Builder
	section := func(title, body string) {
		if body = strings.TrimRight(body, "\n"); body != "" {
			fmt.Fprintf(&b, "\n%s\n%s\n", title, body)
		}
	}
	fmt.Fprintln(&b, cmd.Short)
	section("EXAMPLES", cmd.Example)
	section("USAGE", useLines(cmd))
	if cmd.Long != "" {
		fmt.Fprintf(&b, "\n%s\n", strings.TrimSpace(cmd.Long))
	}
	if cmd.HasParent() {
		section("COMMANDS", commandLines(cmd.Commands(), available))
	} else {
		a.rootCommands(cmd, section)
	}
	section("FLAGS", cmd.LocalNonPersistentFlags().FlagUsages())
	if cmd.HasParent() {
		section("FLAGS OF EVERY COMMAND", cmd.InheritedFlags().FlagUsages())
	} else {
		section("FLAGS OF EVERY COMMAND", cmd.PersistentFlags().FlagUsages())
	}
	section("EXIT STATUS", exitLines(cmd))
	return b.String()
}

// rootCommands lists the front, and all others only where they are asked for.
func (a *app) rootCommands(root *cobra.Command, section func(title, body string)) {
	var first []*cobra.Command
	for _, name := range front {
		if c, _, err := root.Find([]string{name}); err == nil && c != root {
			first = append(first, c)
		}
	}
	inFront := func(c *cobra.Command) bool { return slices.Contains(front, c.Name()) }
	lines := commandLines(first, available)
	if !a.allCommands {
		lines += "\n  episodes help COMMAND shows how one is used, episodes help --all lists the others\n"
	}
	section("COMMANDS", lines)
	if a.allCommands {
		section("MORE COMMANDS", commandLines(root.Commands(), func(c *cobra.Command) bool { return available(c) && !inFront(c) }))
		section("OTHER NAMES",
			commandLines(root.Commands(), func(c *cobra.Command) bool { return c.Hidden })+aliasLines(root.Commands()))
	}
}

// aliasLines is a line for each other name of a command.
func aliasLines(cmds []*cobra.Command) string {
	var b strings.Builder
	for _, c := range cmds {
		for _, alias := range c.Aliases {
			fmt.Fprintf(&b, "  %-14s another name, see episodes help %s\n", alias, c.Name())
		}
	}
	return b.String()
}

func available(c *cobra.Command) bool { return c.IsAvailableCommand() || c.Name() == "help" }

// commandLines is a line for each command that is wanted.
func commandLines(cmds []*cobra.Command, wanted func(*cobra.Command) bool) string {
	var b strings.Builder
	for _, c := range cmds {
		if wanted(c) {
			fmt.Fprintf(&b, "  %-14s %s\n", c.Name(), c.Short)
		}
	}
	return b.String()
}

// useLines says how a command is called: by itself, with a command below it, or both.
func useLines(cmd *cobra.Command) string {
	below := "  " + cmd.CommandPath() + " COMMAND"
	switch {
	case !cmd.HasAvailableSubCommands():
		return "  " + cmd.UseLine()
	case cmd.Annotations[alone] != "":
		return "  " + cmd.UseLine() + "\n" + below
	}
	return below
}

// alone annotates a command that does something by itself although it has commands below.
const alone = "alone"

// exitLines sorts the codes by number.
func exitLines(cmd *cobra.Command) string {
	own := cmp.Or(cmd.Annotations["exits"], commonExits)
	lines := map[int]string{}
	var last int
	for line := range strings.Lines(own) {
		var code int
		if _, err := fmt.Sscanf(line, "%d", &code); err == nil {
			lines[code] = "  " + strings.TrimRight(line, "\n")
			last = max(last, code)
		}
	}
	var b strings.Builder
	for code := 0; code <= last; code++ {
		if l, ok := lines[code]; ok {
			fmt.Fprintln(&b, l)
		}
	}
	return b.String()
}
