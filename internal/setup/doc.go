// Package setup wires this program into the settings of coding agents, and takes it out
// again.
//
//	lines.go     what is written: the lines, which never change
//	agents.go    which agents there are, and how it shows that one is used
//	setup.go     from a request to an answer; answer.go how it reads
//	plan.go      one file: what is in it, what it becomes, what is done
//	hooks.go     hooks in JSON; server.go servers in JSON, toml.go in TOML; agentsmd.go AGENTS.md
//	jsonedit.go  adds to a JSON document and takes out, and leaves every other byte; layout.go
//	             how that looks; block.go the same for a marked part of a text
//	earlier.go   what earlier versions wrote or asked for
//	own.go       the user's own configuration of this program
//	file.go      reads and writes whole files, keeps their mode, makes a backup next to them
//
// Added lines are recognised by their content, so no list of them is kept. Removing is the
// exact inverse of adding: every other byte is as before, and edits of the user since then
// stay. Settings of a repository may have come with a clone: nothing in them is
// run, and no link leads out of it.
//
// A JSON document is parsed for the offsets of its values. What is added goes to the end of its
// object or list, so cutting it out restores the old bytes.
package setup
