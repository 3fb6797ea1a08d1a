// Package graph keeps the causal graph of a set of episodes, in Cayley over a
// key-value engine, and answers what package query asks of it.
//
// The contract: a graph is a pure function of the set of episodes. Update brings
// a store to exactly that set, in any order and any batches, and leaves the same
// graph as Rebuild does, byte for byte in its exports. A removed episode leaves
// nothing behind. A process that dies at any moment leaves the graph of a set
// between the old and the new, and the next Update goes on from there; no repair
// step exists. Nothing here is truth: a store can be deleted at any time.
//
// # How to read the code, bottom-up
//
//	engine/        what a database must do to keep a graph; enginetest checks it
//	badgerkv/      the engine for a folder on disk, over Badger
//	memkv/         the engine in memory
//	stores/        URLs of stores; the one place that names the engines
//	transaction.go one transaction for Cayley's quads and our records
//	cayley.go, vocabulary.go   quads: who says what
//	key.go, record.go, digest.go   the layout below
//	store.go       Format and its history; opening
//	contribution.go, source.go     an episode, prepared: what it says, as it is stored
//	delta.go       changes, added up
//	votes.go       which episodes count: the episodes of one session are one vote
//	batch.go       one delta into one transaction: sums.go (nodes and edges),
//	               labels.go, edges.go, words.go
//	writer.go      many changes, in transactions of a size that fits
//	update.go, entry.go, change.go  from a set to a store
//	rebuild.go     the same in a new generation
//	read.go, mention.go, stored.go, view.go   questions
//	verify.go, verifyquads.go      everything against everything else
//	graphtest/     the laws above, to be run on every engine
//
// # The way of an episode into the graph
//
// Source.Load reads it; contribute turns it into what it adds (causal.Contribute)
// and encodes that, on all processors. Changes come in batches: newDelta adds them
// up, batch.plan reads the nodes and edges that they touch and computes the new
// sums, batch.write writes Cayley's quads and our records, and one commit makes
// both last. Update does so in the current generation, Rebuild in a new one. An
// episode too large for one transaction of the engine makes Update rebuild: in a
// generation that nobody sees it may take several.
//
// # Stores and processes
//
// A store is named by a URL (package stores). It holds generations, of which one is
// current; package engine says what may be seen of them and when. Writers take turns.
// Readers are kept out only while a writer has the current generation open. Every wait
// ends after Options.LockTimeout in a *lock.TimeoutError that names the holder. Reading
// needs no right to write, and changes no byte unless a writer has died.
//
// # The layout of a generation
//
// Format is its version; the history is in store.go. A store with an older format,
// or made with other key rules (keys.Version), is rebuilt by Update; a newer one is
// refused with ErrVersion.
//
// Cayley's quads say who says what. Each is labelled with its episode, which is
// the provenance of the graph, and is only ever added or removed with that
// episode (vocabulary.go):
//
//	<n0123456789ab> <mentioned:success> "d001" <episode-x>
//	<n0123456789ab> <causes> <nba9876543210> <episode-x>
//	<n0123456789ab> <causes:implied> <nba9876543210> <episode-x>
//
// Their one index is (subject, predicate, object, label).
//
// Records of our own have keys that begin with '@' (key.go). Values are CBOR
// (record.go) unless noted otherwise; ids of nodes are 6 bytes.
//
//	@m                         the figures of the whole graph, the format, the digest of the set
//	@e id                      hash of an episode file, as it is
//	@c id                      what the episode says: its records at nodes, its links
//	@u id                      its decisions
//	@p mark id                 nothing: the episode has the mark (causal.Mark)
//	@d id                      of one that does not count: the id of the one that counts for its session
//	@n node                    type, key, best label, frequency, outcomes, number of edges
//	@x node hash               a label of the node, and how many episodes use it
//	@o source target type      how many episodes state and imply the edge, as varints
//	@i target type source      the same, and the frequency of the source (edges.go)
//	@w word 0 node             nothing: the label of the node has the word
//
// They hold whole numbers only. The episodes of one session are one vote: @e, @c and @u have
// them all, sums and quads only the one that counts (votes.go).
//
// Links of unknown types are left out. An episode of more than a megabyte, or with a label of
// more than 100 000 bytes, is skipped (ErrTooLarge).
//
// Options.View hides edges of little weight or support from whoever opens the store (view.go).
//
// # What takes the time
//
// Tables are compressed with Snappy, because zstd
// took four times as long for tables a sixth smaller. An episode needs about 14 quads.
// Other programs use package episodes: only that is a promise.
package graph
