// Package ledger measures the effect of the advice that agents receive: whether they followed
// it, whether the failure returned, and how that compares with a control group of sessions
// that met the failure without advice. It is local to one user and is never shared.
//
//	ledger.go   the records: deliveries of advice (Delivery), what followed, failures
//	names.go    the parts of a fact that can be recognised in an agent's actions
//	follow.go   the calls of a session → what followed each delivery
//	figures.go  the ledger → counts, with those of the control group
//	verdict.go  counts → which facts are silenced, and the ranking weight of the others
//	store.go    files in the user's state folder
//	readers.go  what readers were asked, and the tokens that this has cost
//
// A Ledger is a set of lines: order and repetition do not matter. Hooks only append lines and
// wait for one another for no longer than one line takes.
//
// No text of a log, a command or a prompt is stored: sessions, failures and names are
// hashes, and facts are places in episodes.
//
// Hooks and advice read only the summary: silenced facts are left out by hooks, and the others
// move in the ranking of package recall.
// Other programs use package episodes: only that is a promise.
package ledger
