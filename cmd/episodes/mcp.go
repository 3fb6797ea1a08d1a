package main

import (
	"github.com/spf13/cobra"

	"episodes/internal/ask"
	"episodes/internal/hook"
	"episodes/internal/mcpserver"
)

func (a *app) mcpCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "mcp",
		Short:   "Answer an agent over the Model Context Protocol, on standard input and output",
		Example: `  claude mcp add episodes -- episodes mcp`,
		Long: `The tools ask, show, path, whatif, patterns and record are the commands of these names,
and so are advise and search, which are not listed; episodes are resources. complete_session
lets an agent complete what is kept of its own session. The memory is that of the folder the
server was started in, or of the client's root where it has exactly one; --root and --memory
name another. It is opened for each call and closed again. With EPISODES_OFF=1 there are no
tools. The server ends when its input does.`,
		Args: takesNothing,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return mcpserver.Serve(cmd.Context(), a.serverOptions(cmd), a.stdin, a.stdout)
		},
	}
}

func (a *app) serverOptions(cmd *cobra.Command) mcpserver.Options {
	return mcpserver.Options{
		Version: version,
		Cwd:     a.cwd,
		Sources: a.sources(),
		Off:     hook.Off(a.getenv),
		Roots:   a.flags.root == "" && a.flags.memory == "",
		Memory: func(cwd string) (ask.Options, error) {
			loc, err := ask.Locate(a.flags.root, a.flags.memory, cwd)
			return ask.Options{Location: loc, Store: a.flags.store, LockTimeout: a.flags.lockTimeout,
				Who: "episodes mcp", Now: a.now, Home: a.home, Getenv: a.getenv, NameAuthors: true}, err
		},
		Explain: a.explain(cmd),
		Trouble: a.say,
	}
}
