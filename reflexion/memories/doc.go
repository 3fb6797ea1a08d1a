// Package memories keeps what outlives a task: what happened (episodic), lessons
// that recur (semantic), steps that worked (procedural), what is known of the
// learning itself (meta), and what people said (feedback).
//
//	DIR/memories/<type>/<id>.json   one file a memory: the truth
//	             audit.jsonl        every write, read into a prompt, and deletion
//	             trash/             what cleanup and consolidation took away, until it is undone
//	             INDEX.md           summaries for people, made anew by every update
//
// All but feedback is derived from the records of loops: Update brings it to what
// they show now, and keeps what only a memory knows (how often it was read, that
// it is private). A private memory stands in no prompt and no index.
//
// Source: reflexion-framework-design, "Memory System Interfaces" and "Memory
// Management".
package memories
