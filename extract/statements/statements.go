// Package statements marks what was said in a session that matters after it: what a person set for the work to come,
// said against the agent and picked, what the agent concluded, and what is left open. It marks whole sentences and
// items with their lines, and judges nothing else.
//
//	people.go    turns of a transcript: what is whose, and what follows what
//	sentences.go sentences of a person, without what was pasted
//	document.go  blocks of a log: items under headings that say what they are
package statements

import (
	"cmp"
	"slices"

	"episodes/episode"
	"episodes/keys"
)

// Kind is what a statement does.
type Kind string

// The kinds.
const (
	Rule       Kind = "rule"       // sets something for work to come
	Correction Kind = "correction" // a person's words against what the agent said or did
	Decision   Kind = "decision"   // settles on one way
	Conclusion Kind = "conclusion" // an agent's closing words, or a cause or lesson that is stated
	Open       Kind = "open"       // is left to do
)

// Statement is a sentence, an item or a whole reply.
type Statement struct {
	Kind    Kind
	Who     string       // "user", "agent", or "" for the writer of a log
	At      episode.Span // in the unit of the format
	Time    string       // RFC 3339; "" if not recorded
	Text    string       // as it was said; of a log without its marks
	Against string       // what it answers: the agent's question or proposal, or what a correction is said against
	Options []string     // of a decision: what there was to pick from
	Ended   episode.Span // of an open matter: where the same log ends it; {0, 0} if nowhere
	// Left: the log says, by a heading or label, that it is left to do; a box that nobody ticked does not.
	Left bool
}

// ordered sorts statements by their first lines.
func ordered(list []Statement) []Statement {
	slices.SortStableFunc(list, func(a, b Statement) int { return cmp.Compare(a.At[0], b.At[0]) })
	return list
}

// ends marks open matters as ended that a text, at a place behind them, says is done.
func ends(list []Statement, text string, at episode.Span) {
	const reach = 64 // statements, so that the time for a long log is linear
	list = list[max(0, len(list)-reach):]
	for i := range list {
		if s := &list[i]; s.Kind == Open && s.Ended[0] == 0 && s.At != at && keys.Similarity(s.Text, text) >= .5 {
			s.Ended = at
		}
	}
}
