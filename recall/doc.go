// Package recall retrieves what a memory knows about a question: a pasted error, an
// action, a task or a choice. It works on documents and depends on no store.
//
// Analyse weights the lines of a question and splits them into terms (question.go, words.go).
// Index.search ranks documents by BM25: facts of episodes, passages of their logs, and questions
// of readers, which lead to what they are about (document.go, passages.go, index.go). Ask gives
// the passages that these are from, each place and each text once (ask.go). List gives all that
// fits, with filters, and completes the word being typed (find.go). Advise gives few lines, or none: measured ways out of the very
// error (direct.go), then quotations of passages that are about the question for certain
// (advise.go).
//
// An Index is a list of immutable segments (segment.go). A query reads only the posting
// lists of its terms and the texts of the best documents. Copies of a session count once.
// Other programs use package episodes: only that is a promise.
package recall
