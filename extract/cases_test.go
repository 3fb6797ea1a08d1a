package extract

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const casesDir = "testdata/cases"

// The cases are short logs, each about a kind of statement that was once read as the
// reverse of what it says; beside each stands what is read in it.
func TestCases(t *testing.T) {
	for _, l := range logsIn(t, casesDir) {
		t.Run(l.name, func(t *testing.T) {
			res := read(t, Source{Path: l.name + ".md"}, l.data)
			sound(t, res, l.data)
			ep := res.Episode
			got := "task: " + ep.Task + "\n" + strings.Join(factLines(ep), "\n") + "\n"
			path := filepath.Join(casesDir, l.name+".golden")
			if *update {
				if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("facts differ from %s (-want +got):\n%s", path, diff)
			}
		})
	}
}
