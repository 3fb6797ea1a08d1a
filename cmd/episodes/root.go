package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"episodes/internal/ask"
	"episodes/internal/plain"
)

// command builds the command tree.
func (a *app) command() *cobra.Command {
	root := group(&cobra.Command{
		Use:   "episodes",
		Short: "A causal memory for coding agents: from session logs to answers",
		Example: `  episodes init                              # make a memory in this repository
  episodes extract                           # take in the logs of .agents/sessions/
  go test ./... 2>&1 | episodes ask -        # what other sessions know about this error
  episodes search "lock timeout"
  episodes whatif --decision "retry with backoff"
  episodes patterns                          # what works here
  episodes explain failure                   # on which lines of which logs it rests`,
		SilenceUsage:      true,
		SilenceErrors:     true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			if err := a.checkGlobals(); err != nil {
				return err
			}
			return a.checkTeam(cmd)
		},
	})
	root.AddCommand(a.initCommand(), a.extractCommand(), a.searchCommand(), a.askCommand(), a.adviseCommand(), a.briefCommand(), a.showCommand(),
		a.listCommand(), a.pathCommand(), a.whatIfCommand(),
		a.patternsCommand(), a.explainCommand(), a.loopCommand(), a.graphCommand(), a.doctorCommand(),
		a.similarCommand(), a.sourcesCommand(), a.recordCommand(), a.correctCommand(), a.shareCommand(),
		a.forgetCommand(), a.pushCommand(), a.pullCommand(), a.storeCommand(),
		a.hookCommand(), a.switchCommand("off"), a.switchCommand("on"), a.statsCommand(), a.serveCommand(), a.mcpCommand(), a.setupCommand(), a.trustCommand(),
		a.versionCommand(), a.completionCommand())
	a.globalFlags(root)
	root.SetFlagErrorFunc(flagRefused)
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { fmt.Fprint(a.stdout, a.helpText(cmd)) })
	root.SetHelpCommand(a.helpCommand())
	root.InitDefaultHelpCmd()
	var wantsVersion bool
	root.Flags().BoolVar(&wantsVersion, "version", false, "print the version of the program and of its formats")
	help := root.RunE
	root.RunE = func(cmd *cobra.Command, args []string) error {
		if wantsVersion {
			return a.version(cmd)
		}
		return help(cmd, args)
	}
	return root
}

func (a *app) globalFlags(root *cobra.Command) {
	f := root.PersistentFlags()
	f.StringVar(&a.flags.root, "root", "",
		"`DIR` of the repository (EPISODES_ROOT); default: nearest folder upwards with .agents or .git")
	f.StringVar(&a.flags.memory, "memory", "", "`DIR` of the memory; default: ROOT/.agents/memory")
	f.StringVar(&a.flags.store, "store", "",
		"`URL` of the graph, or of a team's store (EPISODES_STORE); default: badger:MEMORY/causality/graph")
	f.BoolVar(&a.flags.org, "org", false, "ask all projects of the team's store")
	f.BoolVar(&a.flags.json, "json", false, "print one JSON envelope")
	f.BoolVarP(&a.flags.emptyFails, "empty-fails", "e", false, "exit 1 when nothing is found")
	f.IntVar(&a.flags.limit, "limit", 0, "list at most `N`; 0: the command's own limit")
	f.IntVar(&a.flags.maxTokens, "max-tokens", 0, "cut the text to `N` tokens of 4 bytes, best first; 0: the command's own budget")
	f.DurationVar(&a.flags.lockTimeout, "lock-timeout", 10*time.Second, "`TIME` to wait for another process")
	f.BoolVarP(&a.flags.quiet, "quiet", "q", false, "print results and errors only")
	f.BoolVarP(&a.flags.verbose, "verbose", "v", false, "print more")
	f.StringVar(&a.flags.color, "color", "auto", "colour the output: `WHEN` is auto, always or never (NO_COLOR)")
	completeValues(root, "color", "auto", "always", "never")
}

const storeHint = "a store is badger:DIR, or postgres://HOST/DATABASE of a team"

// checkGlobals completes the flags from the environment and refuses values that
// no command can use.
func (a *app) checkGlobals() error {
	if a.flags.root == "" {
		a.flags.root = a.getenv("EPISODES_ROOT")
	}
	if a.flags.store == "" {
		a.flags.store = a.getenv("EPISODES_STORE")
	}
	switch {
	case a.flags.store != "" && !ask.KnownStore(a.flags.store):
		scheme, _, _ := strings.Cut(a.flags.store, ":") // what follows may hold a password
		return usage(storeHint, "--store %q: not the URL of a graph store", plain.Cut(scheme, 20)+":…")
	case !slices.Contains([]string{"auto", "always", "never"}, a.flags.color):
		return usage("", "--color %q: must be auto, always or never", a.flags.color)
	case a.flags.limit < 0:
		return usage("", "--limit %d: must not be negative", a.flags.limit)
	case a.flags.maxTokens < 0:
		return usage("", "--max-tokens %d: must not be negative", a.flags.maxTokens)
	case a.flags.lockTimeout < 0:
		return usage("", "--lock-timeout %s: must not be negative", a.flags.lockTimeout)
	}
	return nil
}

// group is a command that only has others below it, and shows its help.
func group(cmd *cobra.Command, below ...*cobra.Command) *cobra.Command {
	cmd.Args = unknownCommand
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	cmd.AddCommand(below...)
	return cmd
}

// valueOf says what a flag takes.
func valueOf(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "int":
		return "a whole number"
	case "float64":
		return "a number"
	case "duration":
		return "a time such as 10s"
	case "bool":
		return "true or false"
	}
	return "a value it takes"
}

// takes makes a number-of-arguments check say what it wanted.
func takes(check cobra.PositionalArgs, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if check(cmd, args) != nil {
			if len(args) == 0 {
				return usage(seeHelp(cmd), "%s needs %s", name(cmd), what)
			}
			return usage(seeHelp(cmd), "%s takes %s, got %d", name(cmd), what, len(args))
		}
		return nil
	}
}

var takesNothing = takes(cobra.NoArgs, "no arguments")

func seeHelp(cmd *cobra.Command) string {
	if cmd.HasParent() {
		return "episodes help " + name(cmd)
	}
	return "episodes help"
}

func lower(s string) string {
	if s == "" {
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
}
