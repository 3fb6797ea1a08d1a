package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"episodes/internal/ask"
	"episodes/internal/term"
)

func (a *app) extractCommand() *cobra.Command {
	var r ask.ExtractRequest
	var reader readerFlags
	cmd := &cobra.Command{
		Use:   "extract [PATH|DIR|GLOB|-]...",
		Short: "Read session logs into the memory and update the graph",
		Example: `  episodes extract                                   # the new or changed logs of .agents/sessions/
  episodes extract notes/2026-01-12-session-2.md
  episodes extract 'archive/2026-01-*.md' docs/postmortems
  episodes extract --from claude                     # this repository's sessions on this machine
  some-agent --print-log | episodes extract - --session 2026-01-12-night-run
  episodes extract --dry-run --verbose LOG.md        # which line was taken for what, and why
  episodes extract --ask LOG.md > order.txt          # for a reader; its answer goes to:
  episodes extract --answer answer.txt LOG.md
  episodes extract --reader 'some-agent --print'     # both, for each log
  episodes extract --from all --reader config --since 30d --budget 200k --jobs 4`,
		Long: `Logs are Markdown, or the older JSON logs; transcripts are what agents write by themselves
(` + inLines(ask.TranscriptTitles()) + `).
The content tells which it is. Without a path it reads what init lists, and, unless a reader is
named, what --from all reads; what git does not track is for you alone. A folder is searched for
.md, .markdown, .json, .jsonl, .ndjson and .traj files. A transcript is named after its session, a log
after its file. What a link in a folder or pattern leads to is read only inside that repository or
folder. An episode that was edited by hand, or that another tool wrote, is kept and reported with the
correction that keeps it.

--from reads what an agent left in its own folder on this machine of sessions in this
repository; episodes sources lists it. Their episodes go to the private part of the memory: git
ignores it, answers draw on it and say so, exports leave it out. episodes share moves an episode to
the shared part; share = true in config.toml of your own configuration does so for all,
private_days = N removes what is older. A transcript that is named as a path goes to the shared part.
` + readerHelp,
		Annotations: exits(graphExits + "\n1    failed; also: every log failed\n3    some logs failed, the others are done"),
		RunE:        func(cmd *cobra.Command, args []string) error { return a.extract(cmd, args, r, &reader) },
	}
	f := cmd.Flags()
	f.StringVar(&r.Format, "format", "auto", "`FORMAT` of the logs: auto or "+strings.Join(ask.Formats(), ", "))
	f.StringSliceVar(&r.From, "from", nil,
		"this repository's transcripts of `AGENT` on this machine: all, "+strings.Join(ask.Agents(), ", "))
	f.StringArrayVar(&r.Sources.MovedFrom, "moved-from", nil, "the repository was in `DIR` before; may be given again")
	f.StringVar(&r.Session, "session", "", "`NAME` of the session on standard input; default: stdin- and a hash of its content")
	f.BoolVar(&r.DryRun, "dry-run", false, "write nothing and say what would be written")
	f.BoolVar(&r.NoGraph, "no-graph", false, "leave the graph as it is")
	f.BoolVar(&r.Force, "force", false, "replace edited episodes, and read unchanged logs again")
	f.StringVar(&r.Since, "since", "", "leave out sessions that began before `WHEN`: yesterday, an age (36h, 7d, 2w), a date or a time")
	f.IntVar(&r.Jobs, "jobs", 0, "read `N` logs at once; default: one for each processor")
	completeValues(cmd, "format", append([]string{"auto"}, ask.Formats()...)...)
	completeValues(cmd, "from", append([]string{"all"}, ask.Agents()...)...)
	reader.add(cmd)
	return cmd
}

// inLines is a list of names on lines of at most 90 bytes.
func inLines(names []string) string {
	const most = 90
	var b strings.Builder
	width := 0
	for i, name := range names {
		if i < len(names)-1 {
			name += ","
		}
		switch {
		case i == 0:
		case width+1+len(name) > most:
			b.WriteByte('\n')
			width = 0
		default:
			b.WriteByte(' ')
			width++
		}
		b.WriteString(name)
		width += len(name)
	}
	return b.String()
}

func (a *app) extract(cmd *cobra.Command, logs []string, r ask.ExtractRequest, reader *readerFlags) (err error) {
	if cmd.Flags().Changed("session") && r.Session == "" {
		return usage("letters, digits, '.', '_' and '-'", "--session \"\": a session needs a name")
	}
	r.Logs, r.Cwd, r.Stdin, r.Free = logs, a.cwd, a.stdin, a.free
	r.Sources.Home, r.Sources.Getenv = a.home, a.getenv
	r.Create, r.Explain = a.flags.memory != "", a.flags.verbose
	if r.Reader, err = reader.request(a, cmd); err != nil {
		return err
	}
	if err := r.Check(); err != nil {
		return err
	}
	if reader.ask {
		return a.order(cmd, r)
	}
	o, err := a.options(cmd)
	if err != nil {
		return err
	}
	rep, err := ask.Extract(cmd.Context(), o, r)
	if err != nil {
		return a.afterWriting(cmd, rep, err)
	}
	a.reportFailures(rep)
	all, failed := len(rep.Episodes), rep.Failed()
	if failed > 0 && failed == all {
		return &failure{code: codeFailed, err: fmt.Errorf("%s failed", term.Plural(failed, "log")), data: rep, reported: true}
	}
	readErr := a.afterReading(rep, r.Reader != nil && r.Reader.Answer != nil)
	if f, ok := errors.AsType[*failure](readErr); ok && f.code == codeFailed {
		for _, it := range rep.Episodes {
			for _, d := range it.Diagnostics {
				a.say(d.String())
			}
		}
		return f
	}
	if err := a.answer(cmd, result{data: rep, text: a.captureText(rep), empty: all == 0}); err != nil {
		return err
	}
	if failed > 0 {
		return partly("%d of %s failed", failed, term.Plural(all, "log"))
	}
	return readErr
}

// afterWriting adds to an error that came after some episodes were written that
// they are safe.
func (a *app) afterWriting(cmd *cobra.Command, rep *ask.ExtractAnswer, err error) error {
	f := *a.classify(cmd, err)
	if rep != nil {
		if n := rep.Written(); n > 0 && f.code != codeInterrupted {
			f.err = fmt.Errorf("%w (%s written and kept)", f.err, term.Plural(n, "episode"))
		} else if n > 0 {
			f.err = fmt.Errorf("%w: %s written and kept, the graph follows with the next command", f.err, term.Plural(n, "episode"))
		}
	}
	return &f
}
