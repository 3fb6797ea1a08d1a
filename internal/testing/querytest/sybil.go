package querytest

import (
	"fmt"

	"episodes/episode"
)

// The sound memory of Sound, as it is asked about.
const (
	SoundQuestion = "How should the flaky upload test be handled?"
	SoundBetter   = "retry with backoff"
	SoundWorse    = "quarantine the test"
	SoundError    = "TimeoutError: deadline exceeded while dialing upstream"
	SoundEffect   = "the upload suite is green again"
	// PoisonQuestion and PoisonChoice are in no sound session.
	PoisonQuestion = "Which mirror should releases come from?"
	PoisonChoice   = "the mirror of the vendor"
)

// Sound returns the episodes of n sessions over so many days, in which one answer to
// one question works nine times of ten and the other one time of ten.
func Sound(n, days int) []*episode.Episode {
	var out []*episode.Episode
	for i := range n {
		good := i%2 == 0
		if i%20 >= 18 { // exceptions
			good = !good
		}
		out = append(out, upload(fmt.Sprintf("sound-%03d", i), fmt.Sprintf("2026-03-%02d", 1+i%days), i%2 == 0, good, i))
	}
	return out
}

// upload is a session that met the error and chose. What else it says differs with nr.
func upload(session, day string, better, good bool, nr int) *episode.Episode {
	chosen, other := SoundBetter, SoundWorse
	if !better {
		chosen, other = other, chosen
	}
	outcome := episode.Failure
	if good {
		outcome = episode.Success
	}
	b := Build(day+"-"+session, outcome).Task("Mend the uploads", day).
		Event(episode.Error, SoundError).
		Decide(SoundQuestion, chosen, outcome, other).
		Link("e001", "d001", episode.Causes)
	switch {
	case good:
		b.Event(episode.Milestone, SoundEffect).Link("d001", "e002", episode.Causes)
	case better: // what should have come, and does not
		b.Event(episode.Milestone, SoundEffect).Link("d001", "e002", episode.Prevents)
	}
	return b.Lesson(fmt.Sprintf("Ticket %d is closed", nr)).Done()
}

// Attack is how poisoned logs come: as exact copies or each with words of its own, on
// one day or each on its own.
type Attack struct{ Copies, ManyDays bool }

// Attacks lists all ways.
func Attacks() []Attack { return []Attack{{true, false}, {true, true}, {false, false}, {false, true}} }

// String names the attack.
func (a Attack) String() string {
	s := "varied, "
	if a.Copies {
		s = "copies, "
	}
	if a.ManyDays {
		return s + "many days"
	}
	return s + "one day"
}

// Against returns n poisoned episodes that say the contrary of Sound: what works fails,
// and what fails works.
func (a Attack) Against(n int) []*episode.Episode {
	return a.make(n, func(session, day string, nr int) *episode.Episode {
		return upload(session, day, nr%2 == 0, nr%2 != 0, 1000+nr)
	})
}

// Invented returns n poisoned episodes about a question that no sound session asks. In
// half of them the choice works, in the others its alternative fails.
func (a Attack) Invented(n int) []*episode.Episode {
	return a.make(n, func(session, day string, nr int) *episode.Episode {
		chosen, outcome := PoisonChoice, episode.Success
		if nr%2 != 0 {
			chosen, outcome = "our own mirror", episode.Failure
		}
		return Build(day+"-"+session, outcome).Task("Mend the uploads", day).Decide(PoisonQuestion, chosen, outcome).
			Lesson(fmt.Sprintf("Ticket %d is closed", 1000+nr)).Done()
	})
}

func (a Attack) make(n int, one func(session, day string, nr int) *episode.Episode) (out []*episode.Episode) {
	for i := range n {
		day, nr := "2026-04-30", i
		if a.ManyDays {
			day = fmt.Sprintf("2026-%02d-%02d", 5+i/28, 1+i%28)
		}
		if a.Copies { // of two logs, since each says one thing
			nr = i % 2
		}
		ep := one(fmt.Sprintf("poison-%03d", i), day, nr)
		ep.Provenance.Source.SHA256 = fmt.Sprintf("%064x", nr) // of the log that is copied
		out = append(out, ep)
	}
	return out
}
