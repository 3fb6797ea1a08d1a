package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra/doc"
)

// TestManPages makes the manual pages, one for each command. A release keeps them: it names
// their folder in EPISODES_MAN.
func TestManPages(t *testing.T) {
	dir := os.Getenv("EPISODES_MAN")
	if dir == "" {
		dir = t.TempDir()
	}
	root := (&app{}).command()
	must0(t, doc.GenManTree(root, &doc.GenManHeader{Section: "1", Source: "episodes " + version, Manual: "episodes"}, dir))
	for _, cmd := range root.Commands() {
		if cmd.Hidden || cmd.Name() == "help" {
			continue
		}
		page, err := os.ReadFile(filepath.Join(dir, "episodes-"+cmd.Name()+".1"))
		if err != nil || !strings.Contains(string(page), cmd.Short) {
			t.Errorf("the page of %s: %v", cmd.Name(), err)
		}
	}
}

// The change log has a section for the version that is released next.
func TestChangelog(t *testing.T) {
	text, err := os.ReadFile("../../CHANGELOG.md")
	if err != nil || !strings.Contains(string(text), "\n## "+version+"\n") {
		t.Errorf("CHANGELOG.md has no section %s: %v", version, err)
	}
}
