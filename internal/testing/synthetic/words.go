package synthetic

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"episodes/episode"
)

var (
	verbs  = strings.Fields("retry pin cache drop rename split merge bump revert mock stub rewrite isolate batch stream lock index vendor inline extract guard defer sort trim widen narrow rotate quarantine document validate")
	things = strings.Fields("lockfile fixture migration manifest tokenizer scheduler renderer linker sandbox registry snapshot journal ledger router broker cursor parser channel worker session handler schema policy bundle adapter replica segment buffer gateway resolver checksum deadline quota cookie header webhook shard")
	places = strings.Fields("staging release nightly windows arm64 postgres redis frontend backend mobile billing search upload export import login sync report archive console installer updater crawler mailer proxy dashboard editor terminal")
	errs   = strings.Fields("TimeoutError AssertionError PermissionError SQLITE_BUSY ECONNRESET ENOSPC EACCES KeyError TypeError ImportError ValueError ConnectionError NullReferenceException IndexOutOfBoundsException")

	decisionTypes = []episode.DecisionType{episode.Design, episode.Implementation, episode.Testing, episode.Recovery}
)

// wording generates the text of a fact. The fact itself comes from Rand; what differs
// from wording to wording, and is masked in keys, from vary.
type wording struct {
	*rand.Rand
	vary *rand.Rand
}

func (t *wording) word(list []string) string { return list[t.IntN(len(list))] }

func (t *wording) phrase() string {
	return fmt.Sprintf("%s the %s %s of the %s %s", t.word(verbs), t.word(places), t.word(things), t.word(places), t.word(things))
}

func (t *wording) question() string {
	return fmt.Sprintf("How should the %s %s of the %s %s be handled?", t.word(places), t.word(things), t.word(places), t.word(things))
}

func (t *wording) path() string {
	return fmt.Sprintf("src/%s/%s.go:%d", places[t.vary.IntN(len(places))], things[t.vary.IntN(len(things))], 1+t.vary.IntN(900))
}

func (t *wording) event() (episode.EventType, string) {
	switch n := t.IntN(100); {
	case n < 30:
		return episode.Error, fmt.Sprintf("%s: cannot %s after %d ms in %s", t.word(errs), t.phrase(), t.vary.IntN(5000), t.path())
	case n < 47:
		return episode.Test, fmt.Sprintf("tests of %s %s and %s %s pass in %d s", t.word(places), t.word(things), t.word(places), t.word(things), t.vary.IntN(300))
	case n < 60:
		return episode.Commit, fmt.Sprintf("Commit %07x: %s", t.vary.Uint32()>>4, t.phrase())
	case n < 63:
		return episode.Handoff, "Next: " + t.phrase()
	default:
		return episode.Milestone, fmt.Sprintf("%s in %s", t.phrase(), t.path())
	}
}
