package infer

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"testing"

	"episodes/internal/testing/golden"
	"episodes/internal/testing/synthetic"
	"episodes/keys"
)

// Records are kept, so whoever changes what FromEpisode makes of an episode has to
// change RecordVersion (or keys.Version) with it.
func TestRecordVersion(t *testing.T) {
	h := sha256.New()
	for i := range 200 {
		if err := json.NewEncoder(h).Encode(FromEpisode(synthetic.Memory{Seed: 1}.Episode(i))); err != nil {
			t.Fatal(err)
		}
	}
	golden.Is(t, "testdata/records.golden", fmt.Sprintf("version %d keys %d: %x\n", RecordVersion, keys.Version, h.Sum(nil)))
}
