package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"episodes/internal/ask"
)

// version is the version of the program and of its plugins; a release is tagged v and this.
const version = "0.1.0"

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version of the program and of its formats",
		Example: "  episodes version\n  episodes version --json",
		Args:    takesNothing,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.version(cmd) },
	}
}

func (a *app) version(cmd *cobra.Command) error {
	b := thisBuild()
	platform := runtime.GOOS + "/" + runtime.GOARCH
	f := ask.FormatVersions()
	return a.answer(cmd, result{
		data: map[string]any{"version": version, "commit": b.Commit, "date": b.Date, "go": runtime.Version(), "platform": platform, "formats": f},
		text: a.budgeted(fmt.Sprintf("episodes %s%s\n%s %s\nepisode schema 1, extraction rules %s, key rules %d, graph format %d, logs: %s",
			version, b, runtime.Version(), platform, f.Extractor, f.Keys, f.Graph, strings.Join(f.Logs, ", "))),
	})
}

// build says from which commit a program was built, as far as the build knew.
type build struct{ Commit, Date string }

func thisBuild() (b build) {
	info, _ := debug.ReadBuildInfo()
	if info == nil {
		return b
	}
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			b.Commit = s.Value
		case s.Key == "vcs.time":
			b.Date, _, _ = strings.Cut(s.Value, "T")
		case s.Key == "vcs.modified" && s.Value == "true":
			b.Commit += "-modified"
		}
	}
	return b
}

// String is "", or " (commit 2eecfa5d, 2026-11-26)".
func (b build) String() string {
	if b.Commit == "" {
		return ""
	}
	commit, modified := strings.CutSuffix(b.Commit, "-modified")
	commit = commit[:min(len(commit), 8)]
	if modified {
		commit += ", modified"
	}
	return fmt.Sprintf(" (commit %s, %s)", commit, b.Date)
}
