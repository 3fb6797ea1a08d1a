package main

import (
	"fmt"
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

// helpCommand shows the help of a command, and refuses what is none.
func (a *app) helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:         "help [COMMAND]",
		Short:       "Show how a command is used",
		Example:     "  episodes help extract\n  episodes help graph export",
		Annotations: exits(commonExits),
		RunE: func(cmd *cobra.Command, args []string) error {
			found, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return usage("episodes help", "no command %q", strings.Join(args, " "))
			}
			found.InitDefaultHelpFlag()
			return found.Help()
		},
	}
}

// helpText puts examples first and exit codes last.
func helpText(cmd *cobra.Command) string {
	var b strings.Builder
	section := func(title, body string) {
		if body = strings.TrimRight(body, "\n"); body != "" {
			fmt.Fprintf(&b, "\n%s\n%s\n", title, body)
		}
	}
	fmt.Fprintln(&b, cmd.Short)
	section("EXAMPLES", cmd.Example)
	section("USAGE", "  "+useLine(cmd))
	if cmd.Long != "" {
		fmt.Fprintf(&b, "\n%s\n", strings.TrimSpace(cmd.Long))
	}
	var subs strings.Builder
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() || c.Name() == "help" {
			fmt.Fprintf(&subs, "  %-14s %s\n", c.Name(), c.Short)
		}
	}
	section("COMMANDS", subs.String())
	section("FLAGS", cmd.LocalNonPersistentFlags().FlagUsages())
	if cmd.HasParent() {
		section("FLAGS OF EVERY COMMAND", cmd.InheritedFlags().FlagUsages())
	} else {
		section("FLAGS OF EVERY COMMAND", cmd.PersistentFlags().FlagUsages())
	}
	section("EXIT STATUS", exitLines(cmd))
	return b.String()
}

func useLine(cmd *cobra.Command) string {
	if cmd.HasAvailableSubCommands() {
		return cmd.CommandPath() + " COMMAND"
	}
	return cmd.UseLine()
}

// exitLines sorts the codes by number.
func exitLines(cmd *cobra.Command) string {
	own := cmd.Annotations["exits"]
	if own == "" {
		own = commonExits
	}
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
