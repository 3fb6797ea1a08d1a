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
//	file.go      reads and writes files: whole, with their mode, a copy beside them
//
// Where an agent has its settings, what is written for it and at which events it calls is in
// package agents.
//
// What is added is known by what it says, so no list of it is kept. To take it out is
// the exact inverse: what stood there before stands there again, and what the user wrote
// meanwhile stays. Settings of a repository may have come with a clone: nothing in them is
// run, and no link leads out of it.
//
// A JSON document is parsed for the offsets of its values. What is added goes to the end of its
// object or list, so cutting it out restores the old bytes. The backup copy next to a file is
// only used to know which empty objects existed before. All files of an agent are computed
// before the first one is written.
package setup
