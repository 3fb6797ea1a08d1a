package main

import (
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"episodes/reflexion"
)

// windowFlags say which reflections an attempt sees.
type windowFlags struct{ omega string }

func (f *windowFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.omega, "omega", "",
		"show an attempt this `WINDOW` of reflections: how many, 1 to 10, and after a comma the policy fifo, recency or relevance_weighted; default: by the kind of verification")
}

// window is what --omega says.
type window struct {
	omega   int // how many reflections; 0: not said
	dynamic bool
	policy  reflexion.Policy
}

// window reads --omega: words between commas, each a number, "dynamic" or a policy.
func (f *windowFlags) window() (w window, err error) {
	if f.omega == "" {
		return w, nil
	}
	for _, word := range strings.Split(f.omega, ",") {
		n, notNumber := strconv.Atoi(word)
		switch {
		case notNumber == nil && n >= reflexion.MinOmega && n <= reflexion.MaxOmega:
			w.omega = n
		case word == "dynamic":
			w.dynamic = true
		case slices.Contains(reflexion.Policies(), reflexion.Policy(word)):
			w.policy = reflexion.Policy(word)
		default:
			return w, usage("",
				"--omega %q: must be %d to %d or dynamic, and a policy: fifo, recency or relevance_weighted",
				f.omega, reflexion.MinOmega, reflexion.MaxOmega)
		}
	}
	return w, nil
}
