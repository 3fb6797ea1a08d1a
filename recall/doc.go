// Package recall retrieves what a memory knows about a question: a pasted error, an
// action, a task or a choice. It works on documents and depends on no store.
//
// A query runs in these steps. Analyse weights the lines of the question and splits
// them into terms (question.go, words.go). Index.search ranks documents, which are facts
// of episodes and passages of their logs, by BM25 (document.go, passages.go, index.go).
// Documents that overlap in a log are merged into places (gather.go). If the features
// of the best place do not pass a threshold, the search is repeated with the words of questions
// that readers wrote (asked.go), and without a match there is no answer (gate.go); otherwise
// compose quotes the best places within a byte budget (answer.go, excerpt.go). Find
// lists the ranked documents without a threshold.
//
// An Index is a list of immutable segments (segment.go). A query reads only the posting
// lists of its terms and the texts of the best documents.
//
// An answer quotes the best place and the best fact of its section, usually the fix; other
// sessions add their facts. Copies of a session count once. Of places with the same score the newest
// comes first; superseded facts, and those about files that no longer exist, come later.
// Other programs use package episodes: only that is a promise.
package recall
