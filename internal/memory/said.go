package memory

import "episodes/internal/fsstore"

// The text of a transcript is what extract.MarshalSaid makes of it. It is kept because agents
// delete their transcripts, and only with private episodes: one in the shared part was shared on
// purpose.

// Said returns the text of the transcript of an episode; "" if none is kept or it cannot be read.
func (m *Memory) Said(id string) string {
	text, _ := saidOf.read(m.home(m.IsPrivate(id)), id, fsstore.MaxFile)
	return string(text)
}

// SaveSaid replaces the text of the transcript of an episode. private says in which part the
// episode is, or will be. The caller holds the lock.
func (m *Memory) SaveSaid(id string, text []byte, private bool) error {
	return m.save(saidOf, m.home(private), id, text)
}
