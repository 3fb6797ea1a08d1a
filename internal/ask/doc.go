// Package ask answers questions about one memory. Each question is a method of
// Memory that takes one typed request and gives one typed answer. An answer
// marshals to the data of the --json envelope and renders itself as text within
// a budget of tokens. The command line asks here, and so does every other reader
// of a memory: they never open a graph or an episode file themselves.
//
// A command fills a request from its flags. The request's Check refuses what cannot be answered.
// The method brings the graph up to date if it needs one, takes the kept statistics or
// computes them, and asks package query or recall. Errors are returned as they are; the
// command line gives them an exit code and a hint. Every answer leaves through Memory.Render,
// which redacts and filters its text and data once more.
//
// Where to read: ask.go has Memory and Options, source.go the interface behind which a memory
// is asked: local.go (a folder), asitis.go (what is kept of it, for hooks), shared.go (its
// shared part), teamproject.go (a team's store). There is one file for each question, and one
// for each change (write.go). errors.go lists what a caller can decide on.
//
// To add a question, copy passages.go with its test, and cmd/episodes/ask.go.
package ask
