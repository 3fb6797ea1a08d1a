// Package wild draws episodes for property tests, such as no log gives but a hand or
// another tool might write.
package wild

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"

	"episodes/episode"
)

// Episode draws an episode from few words, so that everything meets, and with
// what only a hand or another tool would write: records of one name, links to
// nothing, zero bytes, texts longer than a key, words that never end.
func Episode(t *rapid.T, id string) *episode.Episode {
	long := strings.Repeat("question ", 40)
	text := rapid.SampledFrom([]string{
		"retry the upload", "retry the upload 3 times", "drop the cache", "pin the linker", "Pin the linker!", "pin a linker",
		"pin linker 1", "pin linker 2", "pin linker 22", "pin linker 333", "pin linker 4444", "pin linker 55555", "pin linker 6", "pin linker 7",
		"TimeoutError: no answer from 10.0.0.1:80", "", "?", "naïve Ünïcode wörds", long + "a", long + "b", long, strings.Repeat("x", 300), strings.Repeat("é", 200) + " y",
		"tab\tand\nline", "\x1b[31mred\x1b[0m \"quoted\" \\ <b>",
	})
	key := rapid.SampledFrom([]string{"", "", "", "shared key", "k\x00z", "k\x00", "k", long + "1", long + "2"})
	outcome := rapid.SampledFrom(append(episode.Outcomes(), ""))
	ep := &episode.Episode{
		ID: id, Session: strings.TrimPrefix(id, "episode-"),
		Timestamp:     rapid.SampledFrom([]string{"", "2026-01-02T03:04:05Z", "2026-01-02T05:04:05+02:00", "2027-01-01T00:00:00Z", "soon"}).Draw(t, "time"),
		Outcome:       outcome.Draw(t, "outcome"),
		OutcomeSource: rapid.SampledFrom([]episode.OutcomeSource{episode.Measured, episode.Default, ""}).Draw(t, "source"),
	}
	if rapid.Bool().Draw(t, "provenance") {
		ep.Provenance.Source.SHA256 = rapid.StringMatching("[0-9a-f]{2}").Draw(t, "log")
		ep.Provenance.Source.Session = rapid.SampledFrom([]string{"", "", "", "s", "t"}).Draw(t, "session id")
	}
	var ids []string
	name := func(id string) string {
		id = rapid.SampledFrom([]string{id, id, id, id, "d001", ""}).Draw(t, "record")
		ids = append(ids, id)
		return id
	}
	for i := range rapid.IntRange(0, 4).Draw(t, "decisions") {
		d := episode.Decision{ID: name(episode.DecisionID(i + 1)), Context: text.Draw(t, "context"), Chosen: text.Draw(t, "chosen"), Outcome: outcome.Draw(t, "outcome"), Key: key.Draw(t, "key")}
		for range rapid.IntRange(0, 2).Draw(t, "options") {
			d.Options = append(d.Options, text.Draw(t, "option"))
		}
		ep.Decisions = append(ep.Decisions, d)
	}
	for i := range rapid.SampledFrom([]int{0, 0, 0, 7, 8, 9}).Draw(t, "facts") { // near copies share them
		ep.Events = append(ep.Events, episode.Event{ID: name(episode.EventID(i + 1)), Type: episode.Milestone, Content: "step number " + fmt.Sprint(i) + " is done"})
	}
	for i := range rapid.IntRange(0, 5).Draw(t, "events") {
		ep.Events = append(ep.Events, episode.Event{ID: name(episode.EventID(i + 10)), Type: episode.Milestone, Content: text.Draw(t, "content"), Key: key.Draw(t, "key")})
	}
	ref := rapid.SampledFrom(append(ids, episode.OutcomeRef, "e999"))
	for range rapid.IntRange(0, 5).Draw(t, "links") {
		ep.Links = append(ep.Links, episode.Link{Source: ref.Draw(t, "source"), Target: ref.Draw(t, "target"),
			Type: rapid.SampledFrom(episode.LinkTypes()).Draw(t, "type"), Explicit: rapid.Bool().Draw(t, "explicit")})
	}
	return ep
}
