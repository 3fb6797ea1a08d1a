package aider

import (
	"strings"
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

// The architect hands its answer to the editor as a prompt; and aider makes a prompt of comments in files. Of these
// only what the human wrote is theirs.
func TestOnlyTheHuman(t *testing.T) {
	log := `
# aider chat started at 2026-01-02 03:04:05

> Aider v0.80.0  
> Tokens: 1k sent, 9 received.  

#### mend the pump  

Which file holds the pump? Add it to the chat and I go on.

> pump.go  
> Add file to the chat? (Y)es/(N)o [Yes]: y  

Change the pump so that it starts by itself.

1) pump.go
   - Start it in New.

> Tokens: 1k sent, 9 received.  

#### Change the pump so that it starts by itself.  
####  
#### 1) pump.go  
####   - Start it in New.  

I start it.

> Tokens: 1k sent, 9 received.  

#### Change the pump so that it stops  

It stops.

> Tokens: 1k sent, 9 received.  

#### The 'ai' comments below (marked with █) can be found in the code files I've shared with you.  
####  
#### pump.go:  
#### │func New() *Pump {  
#### █// never start it twice ai!  
#### │}  

It starts once.
`
	for _, want := range []string{"[7 7] user text=\"mend the pump\"\n", "[30 30] user text=\"Change the pump so that it stops\"\n", "[36 41] user text=\"// never start it twice ai!\"\n"} {
		got := turnstest.Dump(t, *Agent.Format, []byte(log))
		if !strings.Contains(got, want) || strings.Count(got, " user ") != 3 {
			t.Errorf("%q is not among three prompts in\n%s", want, got)
		}
	}
}

// On some systems aider writes an empty line behind each line of a prompt, and no blanks at its end.
func TestLinesApart(t *testing.T) {
	log := `
# aider chat started at 2026-01-02 03:04:05

> Aider v0.50.0  

#### Mend the pump,

#### but never touch the hull.

#### /clear

#### Paint the tank.

I paint it.

> Tokens: 1k sent, 9 received.
`
	want := "[6 8] user text=\"Mend the pump,\\nbut never touch the hull.\"\n[12 12] user text=\"Paint the tank.\"\n[14 14] agent text=\"I paint it.\""
	if got := turnstest.Dump(t, *Agent.Format, []byte(log)); !strings.Contains(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestSkippedEdits(t *testing.T) {
	log := "\n# aider chat started at 2026-01-02 03:04:05\n\n> Aider v0.50.0  \n\n#### Mend the pump  \n\npump.go\n```go\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n```\n\n" +
		"> Tokens: 1k sent, 9 received.  \n> Allow edits to pump.go which was not previously added to chat? n  \n> Skipping edits to pump.go  \n"
	got := turnstest.Dump(t, *Agent.Format, []byte(log))
	for _, want := range []string{`files="pump.go"`, "refused"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
}
