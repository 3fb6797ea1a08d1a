// Package infer draws causal conclusions from many sessions: which facts influence
// which others, how probable success is with an option, what works where, and how
// certain each conclusion is.
//
// It works on plain records (Record): what one session decided and saw, in which
// order, and its outcome. A Study is a pure function of the set of records. It
// counts in integers and computes every figure from them in sorted order, so that
// neither the order of sessions, nor duplicates, nor a rebuild change a bit of any
// answer.
//
// The rules, each measured on simulated worlds whose truth is known
// (internal/testing/causalbench):
//
//   - The exposure is that a fact is present, never that it came first: order only
//     decides which direction is tested (edge.go).
//   - Claims are made under false-discovery control (Edges, Claims); choices and
//     probabilities are posterior means (WhatIf). The two must not be mixed:
//     choosing by significance wastes evidence.
//   - The unit of evidence is the instance, the one thing that was worked on, and not the
//     session (cluster.go).
//   - The average of like sessions and one very thing are two questions (model.go, posterior.go).
//   - Choices that follow what is logged may follow what is not (selection.go).
//   - The adjustment set is what was known before the decision: the task, and the events
//     seen by then that predict the outcome. Nothing later is in it.
//   - Old counts are not discounted: a half-life was measured and gains less than
//     testing whether outcomes changed (drift.go).
//   - An outcome that was not measured is no evidence. An option that nobody tried has
//     no answer. For a single past session there are bounds, never a point estimate.
//
// The package knows no store, no files and no printed text.
// Other programs use package episodes: only that is a promise.
package infer
