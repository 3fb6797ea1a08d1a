// Package pgkv is an engine over SQL, for a memory that a team shares: PostgreSQL and
// what speaks its protocol and its SQL. One table of keys and values holds the graphs of
// all projects.
//
// A transaction of the engine is one of the server's. What it writes is kept here and
// sent when it commits, in one round trip, and what it reads it reads once. A generation
// opened for reading is one transaction with a snapshot, so neither an update nor a
// rebuild disturbs it. A rebuild works in a folder of this machine and is copied at its end.
//
// One writer at a time works on a project: it holds an advisory lock of its session. A
// session can be lost and its lock with it, so each transaction that writes also locks the
// row of the project and compares the number that the last holder of the lock left there:
// who lost the lock cannot write any more.
package pgkv
