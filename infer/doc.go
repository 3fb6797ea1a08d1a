// Package infer draws causal conclusions from many sessions: which facts bear on
// which others, how probably an option ends well, what works where, and how sure
// of each one may be.
//
// It works on plain records (Record): what one session decided and saw, in which
// order, and what it came to. A Study is a pure function of the set of records. It
// counts in whole numbers and computes every figure from them in sorted order, so
// that the order in which sessions came, a repeated one, or a rebuild change no
// bit of any answer.
//
// The rules, each measured on simulated worlds whose truth is known
// (internal/causalbench):
//
//   - Presence is the exposure, never "came before": order only decides which
//     direction is asked about (edge.go).
//   - Claims stand under false-discovery control (Edges, Patterns); choices and
//     probabilities are posterior means (WhatIf, Advise). The two must not be mixed:
//     choosing by significance costs what the evidence could have gained.
//   - What is adjusted for was known before the decision: the task, and the events
//     seen by then that predict the outcome. Nothing later is.
//   - Counts do not fade with age: a half-life was measured and gains less than asking
//     whether outcomes changed (drift.go).
//   - An outcome that was not measured is no evidence. An option nobody tried has
//     no answer. A single past session has bounds, never a point.
//
// The room knows no store, no file and no text for people.
package infer
