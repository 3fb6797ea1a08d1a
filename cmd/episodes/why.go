package main

import (
	"github.com/spf13/cobra"

	"episodes/infer"
	"episodes/query/text"
)

// explainFlag adds --explain to a command that answers from statistics.
func explainFlag(cmd *cobra.Command, why *bool) {
	cmd.Flags().BoolVar(why, "explain", false, "say by which method, on how much, and what would change the answer")
}

// why is what --explain adds to an answer.
func (a *app) why(s *infer.Study, wanted bool) string {
	if !wanted {
		return ""
	}
	return text.Why(s.Health())
}
