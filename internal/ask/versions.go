package ask

import (
	"episodes/extract"
	"episodes/graph"
	"episodes/keys"
)

// Versions name the formats and rules that answers depend on.
type Versions struct {
	Episode   string   `json:"episode"`   // the schema of episode files
	Extractor string   `json:"extractor"` // the rules of extraction
	Graph     int      `json:"graph"`     // the format of the graph
	Keys      int      `json:"keys"`      // the rules by which facts of different sessions meet
	Logs      []string `json:"logs"`      // the formats of logs that can be read
}

// FormatVersions are those of this program.
func FormatVersions() Versions {
	return Versions{"urn:episodes:schema:episode:1", extract.Version, graph.Format, keys.Version, Formats()}
}
