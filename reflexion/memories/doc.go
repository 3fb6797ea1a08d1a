// Package memories keeps what outlives a task: what happened (episodic), recurring
// lessons (semantic), steps that worked (procedural), learning progress (meta), and
// what people said (feedback).
//
//	DIR/memories/<type>/<id>.json   one file for each memory: the truth
//	             audit.jsonl        every write, read into a prompt, and deletion
//	             trash/             what cleanup and consolidation removed, for undo
//	             INDEX.md           summaries for people, rewritten by every update
//
// All but feedback is derived from the records of loops. Update derives it again, and
// keeps what is stored in a memory only (access counts, the private mark). A private
// memory is in no prompt and no index.
//
// Source: reflexion-framework-design, "Memory System Interfaces" and "Memory
// Management".
package memories
