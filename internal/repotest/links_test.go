package repotest

import (
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// fence is a block of code, and link the target of an inline link outside of one.
var (
	fence = regexp.MustCompile("(?ms)^```.*?^```$")
	link  = regexp.MustCompile(`\]\(([^()\s]+)\)`)
)

// TestLinks checks that every relative link in the tracked documents leads to an existing file
// or folder and, if it has a fragment, to a heading.
func TestLinks(t *testing.T) {
	root := repoRoot(t)
	out, err := exec.Command("git", "-C", root, "ls-files", "--", "*.md", ":!:testdata", ":!:*/testdata/*").Output()
	if err != nil {
		t.Skipf("git cannot list the documents: %v", err)
	}
	links := 0
	for _, name := range strings.Fields(string(out)) {
		data, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Error(err)
			continue
		}
		for _, m := range link.FindAllStringSubmatch(fence.ReplaceAllString(string(data), ""), -1) {
			u, err := url.Parse(m[1])
			if err != nil || u.Scheme != "" {
				continue // another site
			}
			links++
			target := filepath.Join(root, filepath.Dir(name), filepath.FromSlash(u.Path))
			if u.Path == "" {
				target = filepath.Join(root, name)
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: the link %q leads nowhere", name, m[1])
			} else if u.Fragment != "" && !hasHeading(t, target, u.Fragment) {
				t.Errorf("%s: the link %q names no heading", name, m[1])
			}
		}
	}
	if links < 10 {
		t.Errorf("only %d links were found", links)
	}
}

// hasHeading reports whether a document has a heading with the anchor that renderers give it.
func hasHeading(t *testing.T, file, anchor string) bool {
	t.Helper()
	data, err := os.ReadFile(file)
	must(t, err)
	drop := regexp.MustCompile(`[^\p{L}\p{N} _-]`)
	for line := range strings.Lines(string(data)) {
		title, ok := strings.CutPrefix(strings.TrimLeft(line, "#"), " ")
		if !ok || !strings.HasPrefix(line, "#") {
			continue
		}
		title = drop.ReplaceAllString(strings.ToLower(strings.TrimSpace(title)), "")
		if strings.ReplaceAll(title, " ", "-") == anchor {
			return true
		}
	}
	return false
}
