package main

import (
	"errors"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"episodes/internal/hook"
	"episodes/internal/proc"
)

// neverFails annotates a command that always exits with 0 and prints no errors, because its
// caller would read any output as an answer.
const neverFails = "never fails"

// rest is how long a transcript has to be unchanged before it is read in the background.
const rest = 200 * time.Millisecond

// gcPercent is how far memory grows before garbage is collected: a hook ends before that pays. It took 36.8 ms of CPU
// for an answer of 45 MB of logs at Go's 100, and 28.9 at 400.
const gcPercent = 400

func (a *app) hookCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "hook AGENT EVENT",
		Short: "Answer a coding agent's hook with what earlier sessions know about its action",
		Example: `  episodes hook claude PostToolUseFailure < payload.json
  echo '{"session_id":"s1","cwd":"'$PWD'","tool_name":"Bash","tool_input":{"command":"go test ./..."},
         "error":"Exit code 1\n--- FAIL: TestLock (0.01s)"}' | episodes hook claude PostToolUseFailure`,
		Long: `Agents run this command; episodes setup writes it into their settings.
AGENT is ` + oneOf(hook.Agents()) + `, EVENT the agent's own name of the event.
The payload is JSON on standard input. The answer is JSON in the form that the agent expects,
or nothing.

The first prompt of a session is answered with the brief (episodes brief). After it a failed command,
a prompt, and an edit or command before it is made are answered with one line, as by episodes advise
--moment, or not at all: at most ten in a session. After a compaction the answer is the session's own
state and the brief. At the end of a turn or session a background process reads its transcript
into the private part of the memory.

Without a memory there is no answer. A hook only reads the memory. After an error the exit code
is 0 and nothing is printed; a line in a log describes the error, and episodes doctor shows
where the log is. EPISODES_OFF=1 silences all hooks.`,
		Args:        cobra.ArbitraryArgs,
		ValidArgs:   hook.Agents(),
		Annotations: map[string]string{"exits": "0    always", neverFails: "yes"},
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) == 0:
				return cmd.Help()
			case len(args) == 1 && args[0] == hook.RunQueue:
				proc.Background()
				hook.Work(cmd.Context(), hook.WorkerOptions{Home: a.home, Getenv: a.getenv, Now: a.now, Rest: rest})
				return nil
			case len(args) != 2:
				return errors.New("hook takes an agent and an event")
			}
			debug.SetGCPercent(gcPercent)
			answer := hook.Run(cmd.Context(), a.hookOptions(args[0], args[1]))
			if answer != nil {
				_, _ = a.stdout.Write(append(answer, '\n')) // who closed it wants no answer
			}
			return nil
		},
	}
}

// oneOf is a list of names for a sentence: "a, b or c".
func oneOf(names []string) string {
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

func (a *app) hookOptions(agent, event string) hook.Options {
	return hook.Options{Agent: agent, Event: event, Stdin: a.stdin, Getenv: a.getenv, Home: a.home, Cwd: a.cwd,
		Root: a.flags.root, Memory: a.flags.memory, Store: a.flags.store, Now: a.now}
}

// logTrouble writes what is wrong with the command line of a hook to its log.
func (a *app) logTrouble(cmd *cobra.Command, err error) {
	args := append(cmd.Flags().Args(), "-", "-")
	hook.Trouble(a.hookOptions(args[0], args[1]), err)
}
