// Package ledger keeps account of what agents were told: whether they followed it, whether
// the failure that it was about came back, and how that compares with sessions that met the
// failure without being told. It is one user's, on one machine, and is never shared.
//
//	ledger.go   what is kept: tellings, what followed, failures that were met
//	names.go    what a fact names that can be recognised in what an agent does
//	follow.go   the calls of a session → what followed each telling
//	figures.go  the ledger → counts, beside the control
//	verdict.go  counts → which facts go silent, and what the others are worth
//	store.go    files in the user's state folder
//
// A Ledger is a set: the same lines in any order, or more than once, make the same one. So
// hooks append lines, and nobody else waits for them.
//
// No text of a log, a command or a prompt is kept: ids of sessions, failures and names are
// hashes, facts are places in episodes.
//
// A hook appends what it gave (Store.Tell). When the transcript of that session is extracted,
// Compare finds the moment and what followed, and Store.Change writes the ledger and a summary.
// The summary is all that hooks and advice read: silenced facts are left out by hooks, and the
// others move in the ranking of package recall.
package ledger
