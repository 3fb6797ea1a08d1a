package reflexion

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
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

// Every row of the sources is shown by a script, with its number beside the command ("# G16") or above
// it ("# rows G1 G2"), or has a reason why there is nothing to show. Go tests name rows, too.
func TestRows(t *testing.T) {
	inScript, inTest := regexp.MustCompile(`#(?: rows)? ((?:[GRMAE]\d+\b[ ,]*)+)`), regexp.MustCompile(`(?m)^// Rows? ((?:[GRMAE]\d+\b[ ,]*)+)`)
	row := regexp.MustCompile(`[GRMAE]\d+`)
	shown, named := map[string]bool{}, map[string]bool{}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		script := filepath.Ext(path) == ".txtar"
		if err != nil || d.IsDir() || !script && !strings.HasSuffix(path, "_test.go") {
			return err
		}
		marks := inTest
		if script {
			marks = inScript
		}
		data, err := os.ReadFile(path)
		for _, m := range marks.FindAllStringSubmatch(string(data), -1) {
			for _, r := range row.FindAllString(m[1], -1) {
				named[r] = true
				shown[r] = shown[r] || script
			}
		}
		return err
	})
	must(t, err)
	for letter, n := range sourceRows {
		for i := 1; i <= n; i++ {
			r := fmt.Sprint(letter, i)
			if shown[r] == (nothingToBuild[r] != "") {
				t.Errorf("row %s: shown by a script: %v, reason why not: %q", r, shown[r], nothingToBuild[r])
			}
			delete(named, r)
		}
	}
	for r := range named {
		t.Errorf("the sources have no row %s", r)
	}
	list, err := os.ReadFile("../../shared/spec/reflexion-checklist.md")
	if err != nil {
		t.Skip("the list of rows is not here: ", err)
	}
	for _, m := range regexp.MustCompile(`(?m)^\| ([GRMAE])(\d+) \|`).FindAllSubmatch(list, -1) {
		if n, _ := strconv.Atoi(string(m[2])); n > sourceRows[string(m[1])] {
			t.Errorf("row %s%d of the list is not known here", m[1], n)
		}
	}
}
