// Package ledger keeps account of what agents were told, and of what came of it: whether they followed it, and
// whether the failure that it was about came back in that session. It is local to one user and is never shared.
//
//	ledger.go   the records: what was told (Delivery), and what followed (After)
//	names.go    the parts of a fact that can be recognised in an agent's actions
//	follow.go   the calls of a session → what followed each delivery
//	figures.go  the ledger → counts, and which facts are told no more
//	store.go    the file in the user's state folder
//	readers.go  what readers were asked, and the tokens that this has cost
//
// A Ledger is a set of lines: order and repetition do not matter. Lines are only appended, but for what is forgotten.
//
// No text of a log, a command or a prompt is stored: sessions, failures and names are
// hashes, and facts are places in episodes.
// Other programs use package episodes: only that is a promise.
package ledger
