// Package pg is the database of a memory that a team shares: how it is reached, what its
// tables are, who may do what in it, and what its errors mean. Package team keeps the
// episodes in it.
//
// It keeps to the SQL that PostgreSQL, CockroachDB and YugabyteDB share. Messages contain no
// password: neither URLs nor the errors of pgx about them are quoted.
package pg
