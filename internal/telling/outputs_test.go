package telling_test

import (
	"os"
	"strings"
	"testing"

	"episodes/internal/telling"
)

// TestOutputs: of what programs printed when they failed, the line is found that a person would name.
func TestOutputs(t *testing.T) {
	data, err := os.ReadFile("testdata/outputs.txt")
	if err != nil {
		t.Fatal(err)
	}
	rows, right := strings.Split(string(data), "\n#### ")[1:], 0
	for _, row := range rows {
		name, rest, _ := strings.Cut(row, "\n")
		want, output, found := strings.Cut(rest, "\n---\n")
		output = strings.ReplaceAll(output, `\e`, "\x1b")
		if !found {
			t.Fatalf("%s has no line or no output", name)
		}
		switch got, open := telling.In(output), strings.HasSuffix(name, "(open)"); {
		case got == want && open:
			t.Errorf("%s: the line is found, it is open no more", name)
		case got == want:
			right++
		case !open:
			t.Errorf("%s:\n got %q\nwant %q", name, got, want)
		}
	}
	t.Logf("%d of %d", right, len(rows))
}
