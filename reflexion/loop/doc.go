// Package loop runs an actor, verifiers and self-reflection until the verifiers pass,
// the iterations are used up, or the loop is stuck.
//
// The state of a loop is its records, one for each finished iteration, and the durable
// runs (internal/proc) of the current iteration. Every step first checks whether it was
// done already, so a loop continues after a kill -9 at any moment as if nothing had
// happened: nothing is lost and the actor is never started twice. Only the verifiers
// decide success, whatever the actor claims.
//
//	DIR/loops/<loop-id>/loop.json      the configuration
//	                    steps/         runs of the iterations, local
//	                    end.json       how it ended
//	                    log.md         the loop in words, the log of its episode
//	DIR/reflections/<loop-id>/         the records
package loop
