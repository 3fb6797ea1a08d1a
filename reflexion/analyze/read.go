package analyze

import (
	"bytes"
	"fmt"

	"episodes/reflexion"
)

// Arm is a set of records that were made in one way, such as with one kind of
// memory.
type Arm struct {
	Name    string
	Records []*reflexion.Record
}

// Read reads records from JSON lines. Invalid lines are left out and returned in bad,
// contradictions in records, which are kept, in doubts, both with file and line.
func Read(name string, data []byte) (found []*reflexion.Record, bad, doubts []error) {
	for i, line := range bytes.Split(data, []byte{'\n'}) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		rec, err := reflexion.Parse(line)
		if err != nil {
			bad = append(bad, fmt.Errorf("%s:%d: %w", name, i+1, err))
			continue
		}
		for _, p := range rec.Check() {
			doubts = append(doubts, fmt.Errorf("%s:%d: %s", name, i+1, p))
		}
		found = append(found, rec)
	}
	return found, bad, doubts
}
