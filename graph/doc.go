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
// interface and pass the same tests.
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
// A generation holds two things, written in one transaction so that they cannot
// part:
//
//   - Cayley's quads: who says what. Each is labelled with its episode, which is
//     the provenance of the graph, and is only ever added or removed with that
//     episode (vocabulary.go).
//   - Records of our own under keys that begin with '@': per episode what it
//     says, per node and edge the counts, words to nodes, decision points to
//     their uses (key.go, record.go). They hold whole numbers only; weights and
//     rates are computed from them when they are read.
//
// # Processes
//
// Any number of processes may read and write. Writers take turns; readers are
// kept out only while a writer has the current generation open. Every wait is
// bounded by Options.LockTimeout and ends in a *lock.TimeoutError that names the
// holder. Reading needs no right to write.
//
// # Where to start
//
// graph.go (what callers use), update.go and rebuild.go (from a set to a store),
// batch.go (one transaction), delta.go (counts), read.go (questions), export.go.
package graph
