package reflexion

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// sourceRows are the numbers of rows of each source document.
var sourceRows = map[string]int{"G": 43, "R": 17, "M": 25, "A": 27, "E": 20}

// In docs/reflexion-checklist.md every row of the sources is there once, and the files,
// tests and scripts that it names exist.
func TestDocumentedRows(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "docs", "reflexion-checklist.md"))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for _, m := range regexp.MustCompile(`(?m)^\| ([GRMAE])(\d+)(?:-[GRMAE](\d+))? \| (.+) \|$`).FindAllStringSubmatch(string(data), -1) {
		var from, to int
		fmt.Sscan(m[2], &from)
		if to = from; m[3] != "" {
			fmt.Sscan(m[3], &to)
		}
		for i := from; i <= to; i++ {
			seen[fmt.Sprint(m[1], i)]++
		}
	}
	for letter, n := range sourceRows {
		for i := 1; i <= n; i++ {
			if row := fmt.Sprint(letter, i); seen[row] != 1 {
				t.Errorf("row %s is there %d times", row, seen[row])
			}
		}
	}
	for _, m := range regexp.MustCompile("`([\\w/]+)\\.((?:Test|Benchmark|Fuzz)\\w+)`").FindAllStringSubmatch(string(data), -1) {
		dir := m[1]
		if dir == "reflexion" {
			dir = "."
		} else if _, err := os.Stat(dir); err != nil { // a package outside reflexion
			dir = filepath.Join("..", filepath.FromSlash(dir))
		}
		if !declares(t, dir, m[2]) {
			t.Errorf("%s.%s is no test", m[1], m[2])
		}
	}
	for _, m := range regexp.MustCompile("`([\\w/.-]+(?:/|\\.go|\\.json))`").FindAllStringSubmatch(string(data), -1) {
		if _, err := os.Stat(filepath.Join("..", filepath.FromSlash(m[1]))); err != nil && m[1] != ".aiwg/" {
			t.Error(err)
		}
	}
	for _, m := range regexp.MustCompile("script `(\\w+\\.txtar)`").FindAllStringSubmatch(string(data), -1) {
		if _, err := os.Stat(filepath.Join("..", "cmd", "episodes", "testdata", "script", m[1])); err != nil {
			t.Error(err)
		}
	}
}

func declares(t *testing.T, dir, test string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(data), "\nfunc "+test+"(") {
			return true
		}
	}
	return false
}
