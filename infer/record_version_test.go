package infer

import (
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"testing"

	"episodes/internal/testing/synthetic"
	"episodes/keys"
)

var update = flag.Bool("update", false, "write the golden file")

// Records are kept, so whoever changes what FromEpisode makes of an episode has to
// change RecordVersion (or keys.Version) with it.
func TestRecordVersion(t *testing.T) {
	h := sha256.New()
	for i := range 200 {
		if err := json.NewEncoder(h).Encode(FromEpisode(synthetic.Memory{Seed: 1}.Episode(i))); err != nil {
			t.Fatal(err)
		}
	}
	got := fmt.Sprintf("version %d keys %d: %x\n", RecordVersion, keys.Version, h.Sum(nil))
	const golden = "testdata/records.golden"
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("records are made in another way; go test ./infer -run RecordVersion -update, after RecordVersion was raised:\n%s%s", want, got)
	}
}
