package main

import (
	"bytes"

	"github.com/spf13/cobra"

	"episodes/internal/ask"
)

func (a *app) completionCommand() *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use:   "completion bash|zsh|fish|powershell",
		Short: "Print a script that completes commands and flags in a shell",
		Example: `  source <(episodes completion bash)
  episodes completion zsh >"${fpath[1]}/_episodes"
  episodes completion fish >~/.config/fish/completions/episodes.fish`,
		ValidArgs:             shells,
		DisableFlagsInUseLine: true,
		Args: takes(cobra.MatchAll(cobra.ExactArgs(1), cobra.OnlyValidArgs),
			"one of bash, zsh, fish and powershell"),
		RunE: func(cmd *cobra.Command, args []string) error { return a.completion(cmd, args[0]) },
	}
}

func (a *app) completion(cmd *cobra.Command, shell string) error {
	var b bytes.Buffer
	var err error
	switch root := cmd.Root(); shell {
	case "bash":
		err = root.GenBashCompletionV2(&b, true)
	case "zsh":
		err = root.GenZshCompletion(&b)
	case "fish":
		err = root.GenFishCompletion(&b, true)
	case "powershell":
		err = root.GenPowerShellCompletionWithDesc(&b)
	}
	if err != nil {
		return err
	}
	return a.answer(cmd, result{data: map[string]string{"shell": shell, "script": b.String()}, text: b.String()})
}

// mostCompleted is how many ids a shell is offered.
const mostCompleted = 200

// completeIDs completes the ids of episodes and, after #, those of records, for the first
// so many arguments; 0: for all.
func (a *app) completeIDs(most int) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		const directive = cobra.ShellCompDirectiveNoFileComp
		if most > 0 && len(args) >= most || a.checkGlobals() != nil {
			return nil, directive
		}
		o, err := a.options(cmd)
		if err != nil {
			return nil, directive
		}
		o.Note, o.Warn = nil, nil
		m, err := ask.Open(o)
		if err != nil {
			return nil, directive
		}
		defer m.Close()
		if r, ok := ask.RecordRequestOf(word); ok {
			return m.Records(r), directive
		}
		ids, err := m.IDs(word)
		if err != nil {
			return nil, directive
		}
		return ids[:min(len(ids), mostCompleted)], directive
	}
}

// completeValues completes the values of a flag.
func completeValues(cmd *cobra.Command, flag string, values ...string) {
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}
