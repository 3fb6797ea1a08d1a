package main

import (
	"fmt"
	"runtime"
	"slices"

	"github.com/spf13/cobra"

	"episodes/extract"
	"episodes/internal/capture"
)

func (a *app) extractCommand() *cobra.Command {
	o := capture.Options{}
	cmd := &cobra.Command{
		Use:   "extract [PATH|DIR|GLOB|-]...",
		Short: "Take session logs into the memory: logs, episodes, graph",
		Example: `  episodes extract                                   # the new or changed logs of .agents/sessions/
  episodes extract notes/2026-01-12-session-2.md
  episodes extract 'archive/2026-01-*.md' docs/postmortems
  some-agent --print-log | episodes extract - --session 2026-01-12-night-run
  episodes extract --dry-run --verbose LOG.md        # which line was taken for what, and why`,
		Long: `A folder is searched for .md and .markdown files. A log is named after its file; two
different logs with one file name both get a name with a hash of their place.
An episode is written anew when its log or the rules of extraction changed. One that
was edited by hand, or that another tool wrote, is left alone and reported, unless
--preserve or --force says what to do with it.`,
		Annotations: exits(graphExits + "\n1    failed; also: every log failed\n3    some logs failed, the others are done"),
		RunE:        func(cmd *cobra.Command, args []string) error { return a.extract(cmd, args, o) },
	}
	f := cmd.Flags()
	f.StringVar(&o.Format, "format", "auto", "`FORMAT` of the logs: auto or "+extract.FormatMarkdown)
	f.StringVar(&o.Session, "session", "", "`NAME` of the session on standard input; default: stdin- and a hash of its content")
	f.BoolVar(&o.DryRun, "dry-run", false, "write nothing and say what would be written")
	f.BoolVar(&o.NoGraph, "no-graph", false, "leave the graph as it is")
	f.BoolVar(&o.Force, "force", false, "replace edited episodes, and read unchanged logs again")
	f.BoolVar(&o.Preserve, "preserve", false, "merge into edited episodes: keep what they say, add what the log says")
	f.IntVar(&o.Jobs, "jobs", 0, "read `N` logs at once; default: one for each processor")
	return cmd
}

func (a *app) extract(cmd *cobra.Command, args []string, o capture.Options) error {
	if err := a.checkExtract(cmd, &o, args); err != nil {
		return err
	}
	loc, err := a.location()
	if err != nil {
		return err
	}
	if o.Args = args; len(args) == 0 {
		o.Args = a.defaultLogs(loc)
	}
	o.Location, o.Create = loc, a.flags.memory != ""
	o.Cwd, o.Stdin, o.Now, o.Free, o.Note = a.cwd, a.stdin, a.now, a.free, a.note
	o.Graph = a.graphOptions(cmd, loc)
	o.Explain = o.DryRun && a.flags.verbose
	o.Progress = a.showProgress("logs read")
	rep, err := capture.Run(cmd.Context(), o)
	if err != nil {
		return a.afterWriting(rep, err)
	}
	if len(rep.Episodes) == 0 {
		a.note("no logs found")
	}
	a.tellFailures(rep)
	failed := rep.Count(capture.Failed)
	if failed > 0 && failed == len(rep.Episodes) {
		return &failure{code: codeFailed, err: fmt.Errorf("%s failed", plural(failed, "log")), data: rep, told: true}
	}
	if err := a.answer(cmd, result{data: rep, text: a.captureText(rep), empty: len(rep.Episodes) == 0}); err != nil {
		return err
	}
	if failed > 0 {
		return &failure{code: codePartly, err: fmt.Errorf("%d of %s failed", failed, plural(len(rep.Episodes), "log")), told: true}
	}
	return nil
}

func (a *app) checkExtract(cmd *cobra.Command, o *capture.Options, args []string) error {
	switch {
	case o.Force && o.Preserve:
		return usage("--force replaces, --preserve merges: take one", "--force and --preserve together say two things")
	case !slices.Contains([]string{"auto", extract.FormatMarkdown}, o.Format):
		return usage("", "--format %q: must be auto or %s", o.Format, extract.FormatMarkdown)
	case o.Jobs < 0:
		return usage("", "--jobs %d: must not be negative", o.Jobs)
	case cmd.Flags().Changed("session") && o.Session == "":
		return usage("letters, digits, '.', '_' and '-'", "--session \"\": a session needs a name")
	case o.Session != "" && !slices.Contains(args, capture.Stdin):
		return usage("episodes extract - --session NAME", "--session names the log on standard input, but it is not read")
	case o.Session != "" && !capture.SafeSession(o.Session):
		return usage("letters, digits, '.', '_' and '-'", "--session %q cannot be a file's name", o.Session)
	}
	if o.Jobs == 0 {
		o.Jobs = runtime.GOMAXPROCS(0)
	}
	return nil
}

// afterWriting adds to an error that came after some episodes were written that
// they are safe.
func (a *app) afterWriting(rep *capture.Report, err error) error {
	f := *a.classify(err)
	if rep != nil {
		if n := rep.Count(capture.Written); n > 0 && f.code != codeInterrupted {
			f.err = fmt.Errorf("%w (%s written and kept)", f.err, plural(n, "episode"))
		} else if n > 0 {
			f.err = fmt.Errorf("%w: %s written and kept, the graph follows with the next command", f.err, plural(n, "episode"))
		}
	}
	return &f
}
