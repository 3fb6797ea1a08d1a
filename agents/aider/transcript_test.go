package aider

import (
	"testing"

	"episodes/internal/testing/turnstest"
)

func TestGolden(t *testing.T) { turnstest.Golden(t, *Agent.Format, "*.md") }

func TestDetect(t *testing.T) {
	for head, want := range map[string]bool{
		"\n# aider chat started at 2026-01-02 03:04:05\n\n> aider  \n":                                                          true,
		"# Notes\n\n# aider chat started at 2026-01-02 03:04:05\n":                                                              false,
		"# Chat\n\n#### go on  \n\nI do.\n\n> Tokens: 1k sent, 9 received.  \n> Applied edit to a.go  \n> Commit 1234567 a  \n": true,
		"# Log\n\n#### go on  \n\n```\n> Tokens: 1k sent, 9 received.  \n> Applied edit to a.go  \n> Commit 1234567 a  \n```\n": false,
		"> Tokens: 1k sent, 9 received.  \n> Applied edit to a.go  \n> Commit 1234567 a  \n":                                    false,
	} {
		if got := Agent.Format.Detect([]byte(head)); got != want {
			t.Errorf("Detect(%q) = %v", head, got)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("# aider chat started at 2026-01-02 03:04:05\n\n> Aider v1  \n\n#### go  \n\na.go\n```go\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n```\n\n> Applied edit to a.go  \n> Commit 1234567 x  \n"))
	f.Add([]byte("# aider chat started at 2026-01-02 03:04:05\n\n> # Fix any errors below, if possible.  \n>  \n> ## Running: ruff a.py  \n> F401  \n> Attempt to fix lint errors? (Y)es/(N)o [Yes]: y  \n"))
	f.Add([]byte("> $ aider a.go  \n\n#### /run go test\n\n> ```  \n> FAIL  \n> ```  \n\n#### mend it\n\nI do\n\n> Applied edit to a.go  \n> Commit 1234567 x\n>\n> ^C again to exit\n\n# aider chat started at 2026-01-02 03:04:05\n"))
	turnstest.Fuzz(f, *Agent.Format)
}
