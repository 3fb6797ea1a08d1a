// Package recall finds what a memory knows about a question: a pasted error, an
// action, a task, a choice. It works on documents and knows neither the store nor the
// program around it.
//
// The way of a question: Analyse weighs its lines and makes terms of them
// (question.go, words.go). Index.search ranks documents, which are the facts of
// episodes and passages of their logs (document.go, passages.go, index.go). What
// overlaps in a log is gathered into a place (gather.go). The best place has signs, and
// where they do not pass the gate nothing is said (gate.go). Else compose quotes what
// the places say, within a budget (answer.go, excerpt.go). Find lists what was ranked,
// without a gate.
//
// An Index is a list of segments (segment.go), of which a question reads only the
// postings of its terms and the texts of the best documents.
//
// An answer quotes the best place and the best fact near it in its log, usually the fix; other
// sessions add their facts. A place qualifies if a fact of it says what a result was or what to
// do, or if the log itself gives a reason. Copies of a session count once. Of equally good
// places the newest comes first; superseded facts, and those about files that no longer exist,
// come later and are marked.
package recall
