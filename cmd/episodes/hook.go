package main

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"episodes/internal/hook"
	"episodes/internal/proc"
)

// neverFails annotates a command that always exits with 0 and prints no errors, because its
// caller would read any output as an answer.
const neverFails = "never fails"

func (a *app) hookCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "hook AGENT EVENT",
		Short: "Answer a coding agent's hook: tell it what earlier sessions know, at the moment when it acts",
		Example: `  episodes hook claude PostToolUseFailure < payload.json
  echo '{"session_id":"s1","cwd":"'$PWD'","tool_name":"Bash","tool_input":{"command":"go test ./..."},
         "error":"Exit code 1\n--- FAIL: TestLock (0.01s)"}' | episodes hook claude PostToolUseFailure`,
		Long: `This is the line that stands in an agent's settings.
AGENT is ` + oneOf(hook.Agents()) + `, EVENT the agent's own name of the event.
The agent's JSON is read on standard input, and the answer is JSON as the agent takes it, or
nothing.

A failing command, an edit or a command that is about to be made, and a prompt are asked about
as episodes advise does it: what is known well enough is told in at most 180 tokens, once in a
session, as a quotation with its source. At the start of a session only what earlier ones left
open on the branch is told. At the end of a turn or a session its transcript is taken into the
private part of the memory, by a run of its own that does not keep the agent waiting.

Nothing is told where there is no memory. The memory is only read, as it is. Whatever goes
wrong, the exit code is 0 and nothing is printed; a line in a log says what it was, which
episodes doctor names. EPISODES_OFF=1 silences all hooks.`,
		Args:        cobra.ArbitraryArgs,
		ValidArgs:   hook.Agents(),
		Annotations: map[string]string{"exits": "0    always", neverFails: "yes"},
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) == 0:
				return cmd.Help()
			case len(args) == 1 && args[0] == hook.RunQueue:
				proc.Background()
				hook.Work(cmd.Context(), hook.WorkerOptions{Home: a.home, Getenv: a.getenv, Now: a.now})
				return nil
			case len(args) != 2:
				return errors.New("hook takes an agent and an event")
			}
			answer := hook.Run(cmd.Context(), a.hookOptions(args[0], args[1]))
			if answer != nil {
				_, _ = a.stdout.Write(append(answer, '\n')) // who closed it wants no answer
			}
			return nil
		},
	}
	return cmd
}

// oneOf is a list of names for a sentence: "a, b or c".
func oneOf(names []string) string {
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

func (a *app) hookOptions(agent, event string) hook.Options {
	return hook.Options{Agent: agent, Event: event, Stdin: a.stdin, Getenv: a.getenv, Cwd: a.cwd,
		Root: a.flags.root, Memory: a.flags.memory, Store: a.flags.store, Now: a.now}
}

// logTrouble writes what is wrong with the command line of a hook to its log.
func (a *app) logTrouble(cmd *cobra.Command, err error) {
	args := append(cmd.Flags().Args(), "-", "-")
	hook.Trouble(a.hookOptions(args[0], args[1]), err)
}
