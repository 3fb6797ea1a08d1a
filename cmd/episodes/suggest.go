package main

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"episodes/internal/term"
)

// meant lists commands for words that people try, where the spelling does not lead there.
var meant = map[string][]string{
	"add":        {"extract"},
	"cat":        {"show"},
	"check":      {"doctor"},
	"delete":     {"forget"},
	"errors":     {"search", "list --outcome failure"},
	"find":       {"ask", "search"},
	"fix":        {"advise", "doctor --fix"},
	"grep":       {"search"},
	"history":    {"list", "loop history"},
	"info":       {"doctor", "graph stats"},
	"lessons":    {"search --kind lesson", "show EPISODE"},
	"log":        {"list"},
	"ls":         {"list"},
	"import":     {"extract"},
	"query":      {"ask"},
	"recall":     {"ask"},
	"statistics": {"graph stats"},
	"rm":         {"forget"},
	"search":     {"explain", "list --task"},
	"status":     {"doctor", "graph stats"},
	"view":       {"show"},
	"why":        {"explain"},
}

// unknownCommand refuses words that are no command, and names those that may be meant.
func unknownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := seeHelp(cmd)
	if near := commandsNear(cmd, args[0]); len(near) > 0 {
		hint = "did you mean " + strings.Join(near, " or ") + "?"
	}
	return usage(hint, "no command %q", strings.TrimSpace(strings.TrimPrefix(cmd.CommandPath()+" "+args[0], "episodes ")))
}

// commandsNear returns what a word that is no command of a group may mean: what the table
// says, a command of that name in another group, or one that is spelled nearly so.
func commandsNear(cmd *cobra.Command, word string) (near []string) {
	for _, line := range meant[strings.ToLower(word)] {
		if found, _, err := cmd.Root().Find(strings.Fields(line)[:1]); err == nil && found.HasParent() {
			near = append(near, line)
		}
	}
	if len(near) > 0 && !cmd.HasParent() {
		return near
	}
	for _, group := range cmd.Root().Commands() {
		for _, c := range group.Commands() {
			if c.Name() == word && !group.Hidden {
				near = append(near, name(c))
			}
		}
	}
	if len(near) > 0 && !cmd.HasParent() {
		return near
	}
	var names []string
	for _, c := range cmd.Commands() {
		names = append(names, c.Name())
	}
	return term.Near(word, names, 3)
}

// flagRefused says what is wrong with a flag, and which may be meant.
func flagRefused(cmd *cobra.Command, err error) error {
	if bad, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		return usage(seeHelp(cmd), "--%s %q: not %s", bad.GetFlag().Name, bad.GetValue(), valueOf(bad.GetFlag()))
	}
	hint := seeHelp(cmd)
	if cmd.Annotations[aboutText] != "" {
		hint = "put -- before words that begin with a dash; " + hint
	}
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		near := term.Near(unknown.GetSpecifiedName(), names, 3)
		near = slices.DeleteFunc(near, func(n string) bool { return n == "help" })
		if len(near) > 0 {
			hint = "did you mean --" + strings.Join(near, " or --") + "? " + hint + " lists all"
		}
	}
	return usage(hint, "%s", lower(err.Error()))
}
