// Package loop runs an actor, verifiers and self-reflection until the verifiers pass,
// the iterations are used up, or the loop is stuck.
//
// The state of a loop is its records, one for each finished iteration, and the durable
// runs (internal/proc) of the current iteration. Every step first checks whether it was
// done already, so a loop continues after a kill -9 at any moment as if nothing had
// happened: nothing is lost and the actor is never started twice.
//
// Only the verifiers decide success, as this user ran them on this machine; claims of the
// actor do not count. So the state of a loop is not in the repository.
//
//	TOP/reflections/<loop-id>/         the records
//	TOP/loops/<loop-id>/log.md         the loop in words, the log of its episode
//	ASIDE/<loop-id>-…/loop.json        configuration, hashes of the records, how it ended
//	                  lock             held while the loop runs
//	                  steps/, …        the iteration under way, removed at the end
package loop
