// Package reflexion is the memory of trying again: records of attempts, the
// reflections made about failed ones, the sliding window Ω that decides which of
// them a next attempt sees, and the text that it sees.
//
// The three roles are those of Shinn et al. 2023 (Reflexion, NeurIPS): an actor
// acts, an evaluator verifies with tools (package evaluate), self-reflection says
// why it failed and what to do. Package loop runs them, package task keeps the
// history of attempts for agents that run by themselves, package memories keeps
// what outlives a task, package analyze says whether any of it helps.
//
// Read record.go (what is kept), window.go (which reflections are seen), retry.go
// (the text that an attempt gets), reflect.go (where reflections come from).
//
// Texts of models and tools are data. They are cleaned of terminal escapes when
// they are stored, are marked as quotations in prompts, and never name a file or
// a command.
package reflexion
