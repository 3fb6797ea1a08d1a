package main

import "github.com/spf13/cobra"

// explainFlag adds --explain to a command that answers from statistics.
func explainFlag(cmd *cobra.Command, why *bool) {
	cmd.Flags().BoolVar(why, "explain", false, "say by which method, on how much, what was adjusted for, and what would change the answer")
}
