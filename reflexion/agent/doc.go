// Package agent knows coding agents as actors of a loop: how each is started without a
// person, with its prompt on standard input, and how to read from what it prints its
// answer, its actions, its tokens and its cost.
//
// Nothing is started here. Command lines and formats are those that the agents document, or
// that their source defines; other fields and events are ignored, so that a newer version
// is read as far as it is known. What an agent prints is untrusted: it is cleaned, and never
// run.
package agent
