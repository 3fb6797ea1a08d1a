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
// is asked, in one of four ways: local.go (a folder, with graph.go, recallindex.go and notes.go),
// asitis.go (what is kept of it, for hooks), shared.go (its shared part), teamproject.go (a
// team's store). cache.go keeps what is expensive to compute. Then there is one file for each
// question: path.go, whatif.go, patterns.go, explain.go, episode.go, list.go, stats.go,
// export.go, search.go, advise.go, branch.go; and one for each change (write.go): extract.go,
// update.go, prune.go, pin.go, correct.go, state.go, push.go, pull.go. unasked.go sets an answer
// off for one who did not ask. errors.go lists what a caller can decide on.
//
// To add a question, copy similar.go with its test, and cmd/episodes/similar.go, and call the latter in
// root.go. The examples in its help test what all commands promise.
package ask
