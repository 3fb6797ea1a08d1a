// Package loop runs an actor, verifiers and self-reflection until the verifiers
// are content, the iterations are used up, or it is stuck.
//
// The state of a loop is its records, one for each finished iteration, and the
// durable runs (internal/proc) of the iteration that is under way. Every step
// asks first whether it was taken already, so that going on after a kill -9 at
// any moment is the same as going on: nothing is lost and no command is begun
// twice. Only the verifiers and the actor decide nothing by themselves: an actor
// that claims success has none until the verifiers pass.
//
//	DIR/loops/<loop-id>/loop.json      what is to be done, and how
//	                    steps/         runs of the iterations, local
//	                    end.json       how it ended
//	                    log.md         the loop in words, the log of its episode
//	DIR/reflections/<loop-id>/         the records
package loop
