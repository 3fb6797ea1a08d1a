package reflexion

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// sourceRows are the numbers of rows of each source document: the reflection memory guide (G) and
// schema (R), the reflexion framework design (M), ADR-038 (A), the episodic memory schema (E).
var sourceRows = map[string]int{"G": 43, "R": 17, "M": 25, "A": 27, "E": 20}

// nothingToBuild are the rows for which there is nothing to build, and why.
var nothingToBuild = map[string]string{
	"G3":  "results of the paper, not of this program; the tables of its runs are analyzed (TestPublished)",
	"G5":  "the actor is a command line; how it reasons cannot be seen from outside",
	"G31": "evidence of the paper for the sizes of the window",
	"M2":  "names of components: packages evaluate, loop, analyze, and the command line",
	"M16": "durations depend on the model; each command has a time limit (TestVerdicts)",
	"M25": "functions of a library: episodes loop and episodes whatif; a sequence of tasks is a shell loop",
	"A23": "the size of an episode depends on its log",
	"A27": "claims about other programs",
	"E1":  "describes the source document itself",
	"E20": "a claim of the paper",
}

// Every row of the sources is named by a test or a script that checks it ("Rows G1 G2" in a
// comment), or has a reason why there is none.
func TestRows(t *testing.T) {
	marks, row := regexp.MustCompile(`(?m)^\s*(?://|#) [Rr]ows? ((?:[GRMAE]\d+\b[ ,]*)+)`), regexp.MustCompile(`[GRMAE]\d+`)
	seen := map[string]bool{}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") && filepath.Ext(path) != ".txtar" {
			return err
		}
		data, err := os.ReadFile(path)
		for _, m := range marks.FindAllStringSubmatch(string(data), -1) {
			for _, r := range row.FindAllString(m[1], -1) {
				seen[r] = true
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for letter, n := range sourceRows {
		for i := 1; i <= n; i++ {
			if r := fmt.Sprint(letter, i); !seen[r] && nothingToBuild[r] == "" {
				t.Errorf("no test is about row %s", r)
			}
			delete(seen, fmt.Sprint(letter, i))
		}
	}
	for r := range seen {
		t.Errorf("the sources have no row %s", r)
	}
}
