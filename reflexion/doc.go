// Package reflexion stores records of attempts and the reflections on failed ones,
// selects with the sliding window Ω the reflections for the next attempt, and builds
// its prompt.
//
// The three roles are those of Shinn et al. 2023 (Reflexion, NeurIPS): an actor acts, an
// evaluator verifies with tools (package evaluate), and self-reflection explains why the
// attempt failed and what to do next. Package loop runs them, package history keeps the
// attempts of agents that run by themselves, and package analyze measures whether any of it
// helps.
//
// Start with record.go (what is stored), window.go (which reflections are selected),
// retry.go (the prompt of the next attempt), and prompt.go, answer.go and rules.go (where
// reflections come from).
//
// Texts of models, tools and records are untrusted. They are cleaned when they are stored
// and when they are read, quoted in prompts (quotation.go), and never used as a file name
// or a command.
// Other programs use package episodes: only that is a promise.
package reflexion
