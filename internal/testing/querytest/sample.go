package querytest

import (
	"fmt"

	"episodes/episode"
)

// Sample returns a small set of episodes about one invented project, enough for
// every kind of answer: a migration job that times out on a lock and how it was
// fixed, flaky upload tests, and one choice that was made often enough for its
// results to differ clearly.
func Sample() []*episode.Episode {
	const (
		timeout = "migrate: acquire advisory lock: canceling statement due to lock timeout"
		busy    = "SQLITE_BUSY: database is locked"
		jobs    = "How should the migration job handle the lock?"
		uploads = "What to do about flaky upload tests?"
	)
	eps := []*episode.Episode{
		Build("2026-01-12-session-02-lock-timeout", episode.Failure).Task("Get the migrate-pg job green again", "2026-01-12").
			Event(episode.Error, timeout).
			Decide(jobs, "Raise the lock timeout", episode.Failure, "Release the lock before the index build").Because("smallest possible change before the deploy window").
			Event(episode.Error, "nightly deploy cancelled").
			Lesson("A timeout hides how long the work under the lock takes").
			Link("e001", "d001", episode.Causes).Link("d001", "e002", episode.Causes).Link("e002", episode.OutcomeRef, episode.Causes).Done(),
		Build("2026-02-03-session-14-lock-release", episode.Success).Task("Fix the migration lock for good", "2026-02-03").
			Event(episode.Error, timeout).
			Decide(jobs, "Release the lock before the index build", episode.Success, "Raise the lock timeout").
			Event(episode.Test, "pipeline 9012 green with three replicas").
			Link("e001", "d001", episode.Causes).Link("d001", "e002", episode.Enables).Link("e002", episode.OutcomeRef, episode.Causes).
			Link("d001", "e001", episode.Prevents).Implied().Done(),
		Build("2026-02-20-session-21-lock-again", episode.Unknown).Task("Look at the lock once more", "2026-02-20").
			Event(episode.Error, timeout).
			Decide(jobs, "Raise the lock timeout", episode.Unknown).
			Link("e001", "d001", episode.Causes).Link("d001", "e001", episode.Correlates).Done(),
		Build("2026-03-17-session-31-upload-tests", episode.Partial).Task("Make the upload tests reliable", "2026-03-17").
			Event(episode.Error, busy).
			Decide("", "Keep the check optional", episode.Unknown, "Make the check required").
			Event(episode.Milestone, "upload tests run in CI").
			Link("e001", "d001", episode.Causes).Link("e002", "e001", episode.Correlates).Done(),
		Build("2026-03-19-session-33-required-check", episode.Failure).Task("Require the upload check", "2026-03-19").
			Decide("", "Make the check required", episode.Failure).Done(),
	}
	// One choice, made in many sessions: the busy timeout works, the retry loop does not.
	for i := range 22 {
		out, option, other := episode.Success, "Set a busy timeout on every connection", "Wrap the upload in a retry loop"
		if i%2 == 1 {
			out, option, other = episode.Failure, other, option
		}
		if i == 8 || i == 9 { // an exception to each
			out = map[episode.Outcome]episode.Outcome{episode.Success: episode.Failure, episode.Failure: episode.Success}[out]
		}
		eps = append(eps, Build(fmt.Sprintf("2026-04-%02d-session-%02d-uploads", i+1, i+40), out).Task("Upload tests are red again", fmt.Sprintf("2026-04-%02d", i+1)).
			Event(episode.Error, busy).
			Decide(uploads, option, out, other).
			Link("e001", "d001", episode.Causes).Link("d001", episode.OutcomeRef, episode.Causes).Done())
	}
	return eps
}
