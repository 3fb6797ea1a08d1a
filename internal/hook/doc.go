// Package hook is the side of the program that coding agents call: at the moment when one
// of them acts, it prints what earlier sessions know about that, or nothing.
//
//	payload.go   bytes of any agent → one Event; response.go what a tool gave back
//	question.go  what is asked for an Event
//	hook.go      from payload to answer; nothing it meets makes it fail
//	delivered.go what a session got already
//	queue.go     transcripts to be taken in; worker.go takes them in, in a process of its own
//	reading.go   sessions that a reader is asked about in the background
//	sessionend.go an agent is asked to complete its session
//	log.go       a line for each trouble, since nothing is said anywhere else
//
// A hook never writes to a memory and waits for nobody: it asks package ask for answers from
// what is kept (ask.Options.AsItIs). What it keeps itself lies in the user's own state
// folder. A payload is untrusted: nothing of it becomes a path that is written, a
// command, or a line of the log.
//
// What an answer gives to a session is claimed first, under a lock, so that no fact is given
// twice. The end of a turn appends a file to the queue and starts "episodes hook run-queue" in
// the background, which extracts, updates graph and index, and ends when the queue is empty.
package hook

import "episodes/agents"

// Agents lists the names of the agents that call hooks.
func Agents() []string { return agents.Names(agents.HasHooks) }
