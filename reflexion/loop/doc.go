// Package loop runs an actor, verifiers and self-reflection until the verifiers pass,
// the iterations are used up, or the loop is stuck.
//
// The state of a loop is its records, one for each finished iteration, and the durable
// runs (internal/proc) of the current iteration. Every step first checks whether it was
// done already, so a loop continues after a kill -9 at any moment as if nothing had
// happened: nothing is lost and the actor is never started twice.
//
// Only the verifiers decide success, as this user ran them on this machine; claims of the
// actor do not count. The folder of a loop, or files in it, may have come with a
// repository. So the state is sealed (state.go), and a loop without the seal runs only
// with the explicit consent of the user.
//
//	DIR/loops/<loop-id>/loop.json      configuration, hashes of its records, how it ended
//	                    lock           held while the loop runs
//	                    log.md         the loop in words, the log of its episode; alone in git
//	DIR/reflections/<loop-id>/         the records
//	ASIDE/<loop-id>-…/                 the iteration under way, removed at the end (aside.go)
package loop
