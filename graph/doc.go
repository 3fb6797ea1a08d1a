// Package graph keeps the causal graph of a set of episodes, in Cayley over
// Badger, and answers what package query asks of it.
//
// The contract: a graph is a pure function of the set of episodes. Update brings
// a store to exactly that set, in any order and any batches, and leaves the same
// graph as Rebuild does, byte for byte in its export. A removed episode leaves
// nothing behind. A process that dies at any moment leaves the graph of a set
// between the old and the new, and the next Update goes on from there; no repair
// step exists. Nothing here is truth: the folder can be deleted at any time.
//
// # Stores
//
// A store is named by a URL: "badger:DIR" is a folder on disk, "mem:NAME" lives
// as long as the process. Both run the same code over Cayley's key-value
// interface and keep the laws of package graphtest, which any other engine has to
// keep too.
//
// # On disk
//
// The folder holds generations, each a Badger database, and the name of the
// current one (see folder). A rebuild writes a new generation beside the current
// one, while readers go on, and switches by renaming a file. Format is the
// version of what stands in a generation; its history is in store.go. A store
// with an older format, or made with other key rules (keys.Version), is rebuilt
// by Update; a newer one is refused with ErrVersion.
//
// A generation holds two things. An update writes them in one transaction, so that
// they cannot part.
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
// (record.go) unless said otherwise; ids of nodes are 6 bytes, of points 8.
//
//	@m                         the figures of the whole graph, the format, the digest of the set
//	@d part                    digest of a 256th of the set
//	@e part id                 hash of an episode file, raw
//	@c id                      what the episode says: its records at nodes, its links, its decisions
//	@n node                    type, key, wordings, frequency, outcomes, number of edges
//	@x node hash               one of more than 8 wordings, and how many episodes use it
//	@o source target type      how many episodes state and imply the edge, as varints
//	@i target type source      the same, and the frequency of the source (carry.go)
//	@w word 0 batch            ids of the nodes whose label has the word; all batches together count
//	@p point                   a decision point: its key, how many decisions, the words of these
//	@y point hash              one of more than 512 words, and how many decisions have it
//	@q word 0 batch            ids of the points, as with @w
//	@u point episode record    a decision
//
// They hold whole numbers only; weights and rates are computed from them when they
// are read. An episode counts once for each node and edge, however many of its
// records stand there.
//
// What the format cannot hold: links of unknown types are left out; an episode
// that comes to more than a megabyte, or has a label of more than 100 000 bytes,
// is skipped (ErrTooLarge); two keys whose SHA-256 begin with the same 48 bits
// would be one node.
//
// A new generation is written in one go, in the order of the keys and straight into
// tables, Cayley's keys too (loader.go); nobody sees it before it is whole. An update
// goes through Badger's log, batch by batch.
//
// # What is shown
//
// Options.View hides edges of little weight or support from whoever opens the
// store (view.go). It is no part of the store. Episodes that are out of view are
// simply not in the set that a Source lists.
//
// # Processes
//
// Any number of processes may read and write. Writers take turns; readers are
// kept out only while a writer has the current generation open, some milliseconds
// for one episode, and never by a rebuild; a reader keeps such a writer out as long
// as its Graph is open. Every wait is bounded by Options.LockTimeout and ends in a
// *lock.TimeoutError that names the holder. Reading needs no right to write, and
// changes no byte, unless a writer has died: the next to open the store finishes
// what that one had committed.
//
// # Where to start
//
// graph.go (what callers use); saying.go (what one episode says), delta.go (what
// changes add up to), batch.go and writer.go (one transaction), loader.go and what
// begins so (a whole generation), update.go and rebuild.go (from a set to a store);
// read.go and mention.go (questions), export.go; drawings in dot.go, mermaid.go and
// graphml.go; store.go, folder.go and memory.go (places, generations, locks); cayley.go.
package graph
