// Package actions turns the actions of an agent, the turns of a transcript in any format,
// into facts. A transcript proves what a summary only claims, so only the results of calls
// count as evidence: exit codes, failing output, the edit, the same check passing.
//
// Each call is joined with its result and judged at once. Little of a step is kept afterwards. At
// the end the failures are compared with what happened later: a fix is the first step in which
// the same check passes. Loops and transcripts share the parsers of reflexion/evaluate.
//
//	builder.go    turns → steps: each call with its result, and the words between
//	shell.go      what the commands of a shell line are
//	checks.go     what a command checks
//	judge.go      whether a call failed, and what its output shows
//	proof.go      whether a run shows that its check passes or fails
//	ways.go       how a failure ended; samework.go: whether a later call does the same thing; difference.go, edits.go: what differs
//	statements.go sentences that settle on one way; corrections.go: sentences that correct
//	names.go      what words and calls name, by which the one proves the other
//	choices.go    decisions and corrections, in the words of agent and user; picks.go: what the user picks
//	outcome.go    steps → signs for the outcome of the session
//	facts.go      steps → facts
//	acts.go       steps → what was done, for the ledger
//	rendering.go  steps → what a reader of the session is shown
package actions

import (
	"episodes/episode"
	"episodes/internal/turns"
)

// step is one call with its result, or one utterance.
type step struct {
	at    episode.Span // of the call or the words
	done  episode.Span // of the result; {0,0}: none came
	time  string
	lines []int // of the file, for each line of the words; nil: not known
	// until is the time of the result.
	until string
	sub   string

	role     turns.Role      // User, Agent, Call or Stop
	text     string          // of an utterance
	answers  *turns.ToolCall // the agent's question that it answers, or nil
	refused  bool            // they are why the human refused a call
	corrects string          // words that say what is wrong, or ""

	call   turns.ToolCall
	result turns.ToolResult
	ended  bool // a result came that is the last
	line   shellLine
	gone   []string // the first lines that an edit takes away and puts in
	fresh  []string
	patch  bool // it is given as a patch
	misuse int8 // see misused; 0: not asked yet
	// tellsToo are lines of a failing output beside verdict.tells.
	tellsToo []string
	names    []uint32 // hashes of what a change names, in order
	verdict
}

// shows returns the span that shows the result of a step, or the step itself if it has none.
func (s *step) shows() episode.Span {
	if s.done[0] == 0 {
		return s.at
	}
	return s.done
}
