package main

import (
	"bytes"

	"github.com/spf13/cobra"
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
		Args:                  takes(cobra.MatchAll(cobra.ExactArgs(1), cobra.OnlyValidArgs), "one of bash, zsh, fish and powershell"),
		Annotations:           exits(commonExits),
		RunE:                  func(cmd *cobra.Command, args []string) error { return a.completion(cmd, args[0]) },
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
