package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/spf13/cobra"

	"episodes/internal/ask"
	"episodes/internal/setup"
)

// setupFlags are the flags of setup.
type setupFlags struct {
	all, check, remove, print, user, project, server bool
	own                                              ownFlags
}

func (a *app) setupCommand() *cobra.Command {
	var f setupFlags
	cmd := &cobra.Command{
		Use:   "setup [AGENT]...",
		Short: "Add hooks and the MCP server to the settings of coding agents, or remove them",
		Example: `  episodes setup                       # which agents were found, and the state of their settings
  episodes setup claude --print        # what would be written
  episodes setup claude                # into your own settings, for all repositories
  episodes setup claude --project      # into this repository's, for all who clone it
  episodes setup agents-md             # a section of AGENTS.md, for any agent
  episodes setup --all --check
  episodes setup claude --remove
  episodes setup claude --reader --dry-run   # what it would cost to let it complete sessions
  episodes setup claude --reader
  episodes setup --reader='some-agent --print' --remove`,
		Long: `AGENT is ` + strings.Join(setup.Agents(), ", ") + `; agents-md is the section of AGENTS.md. At a failed
command, an edit or a prompt hooks give an agent what earlier sessions know, and they extract
its transcripts.

The default is your own settings: they affect nobody else, and a hook is silent in a repository
without a memory. With --project hooks do nothing for users without episodes.

Before its first change a file is copied to a backup next to it. Only the lines of episodes are
added, and --remove deletes exactly these; your own edits stay.
` + fmt.Sprintf(ownHelp, strings.Join(setup.Readers(), ", ")),
		ValidArgs:   append(setup.Agents(), setup.AgentsMD),
		Annotations: exits("0    done; --check: all is well\n1    failed; --check: something is wrong, or an agent that was named is not wired\n2    the command line is wrong\n3    some agents could not be wired, the others are\n130  interrupted"),
		RunE:        func(cmd *cobra.Command, args []string) error { return a.setup(cmd, args, f) },
	}
	fl := cmd.Flags()
	fl.BoolVar(&f.all, "all", false, "all agents that are found on this machine or in this repository")
	fl.BoolVar(&f.check, "check", false, "show the state of the settings, write nothing")
	fl.BoolVar(&f.remove, "remove", false, "remove what was added")
	fl.BoolVar(&f.print, "print", false, "show what would be written, write nothing")
	fl.BoolVar(&f.user, "user", false, "your own settings (default)")
	fl.BoolVar(&f.project, "project", false, "the settings in this repository")
	f.own.add(fl)
	fl.BoolVar(&f.server, "mcp", false, "with the MCP server, or --mcp=false: without; default: with, but not with --project")
	return cmd
}

func (a *app) setup(cmd *cobra.Command, args []string, f setupFlags) error {
	switch {
	case f.user && f.project:
		return usage("", "--user and --project do not go together")
	case f.check && (f.remove || f.print || f.own.askAtEnd || cmd.Flags().Changed("reader")):
		return usage("", "--check writes nothing and goes with nothing that does")
	}
	own, ownText, err := a.own(cmd, f.own, &args, setup.OwnRequest{Remove: f.remove, DryRun: f.print})
	if err != nil {
		return err
	}
	if ownText != "" && len(args) == 0 && !f.all {
		return a.answer(cmd, result{data: setupData{ownData: own}, text: ownText})
	}
	loc, err := a.location()
	if err != nil && !errors.Is(err, ask.ErrNoMemory) {
		return err
	}
	r := setup.Request{Agents: args, All: f.all, Action: setup.Wire, DryRun: f.print}
	if err == nil && !loc.Bare {
		r.Root = loc.WorkTree()
	}
	switch {
	case f.check || len(args) == 0 && !f.all && !f.remove && !f.print:
		r.Action = setup.Check
	case f.remove:
		r.Action = setup.Remove
	}
	switch {
	case f.user:
		r.Scope = setup.User
	case f.project:
		r.Scope = setup.Project
	}
	if cmd.Flags().Changed("mcp") {
		r.Server = &f.server
	}
	answer, err := setup.Run(a.setupEnvironment(), r)
	if err != nil {
		return setupRefused(err)
	}
	return a.showSetup(cmd, setupData{Answer: answer, ownData: own}, ownText, r, f.check)
}

func (a *app) setupEnvironment() setup.Environment {
	self, err := os.Executable()
	if err != nil {
		self = "episodes"
	}
	return setup.Environment{Home: a.home, Getenv: a.getenv, LookPath: exec.LookPath, Self: self}
}

func setupRefused(err error) error {
	if wrong, ok := errors.AsType[*setup.UsageError](err); ok {
		return usage(wrong.Advice, "%w", wrong)
	}
	return err
}

// setupData is the data of setup.
type setupData struct {
	*setup.Answer
	ownData
	History *ask.FindingsAnswer `json:"history,omitempty"`
}

// showSetup prints the state of the settings, and after wiring also the errors that occurred in
// several sessions.
func (a *app) showSetup(cmd *cobra.Command, data setupData, before string, r setup.Request, check bool) error {
	answer := data.Answer
	text := before + answer.Text(a.flags.maxTokens)
	wrong := answer.Err()
	if wrong != nil && answer.Done() == 0 {
		return wrong
	}
	if r.Action == setup.Wire && !r.DryRun {
		if data.History = a.history(cmd); data.History != nil {
			text += "\n" + data.History.Text(a.flags.maxTokens)
		}
	}
	if check && answer.Wrong() {
		return a.wrong(text, failure{err: errors.New("something is wrong"), hint: "episodes setup AGENT mends what it can", data: data})
	}
	if err := a.answer(cmd, result{data: data, text: text, empty: answer.Empty()}); err != nil || wrong == nil {
		return err
	}
	return &failure{code: codePartly, err: wrong}
}

// history is what the memory knows of errors that came back. That it cannot be asked is no
// failure of what was done.
func (a *app) history(cmd *cobra.Command) *ask.FindingsAnswer {
	o, err := a.options(cmd)
	if err != nil && !errors.Is(err, ask.ErrNoMemory) {
		return nil
	}
	if errors.Is(err, ask.ErrNoMemory) {
		o.Location.Bare = true
	}
	const most = 5
	found, err := ask.Findings(cmd.Context(), o, ask.FindingsRequest{Most: most}, a.sources())
	if err != nil {
		a.note(fmt.Sprintf("the history cannot be read now: %v", err))
		return nil
	}
	return found
}
