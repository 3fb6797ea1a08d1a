package ask

import (
	"regexp"
	"strings"

	"episodes/internal/fsstore"
	"episodes/recall"
)

// manifests are the files at the root of a project that name the packages it uses.
var manifests = []string{"package.json", "pyproject.toml", "requirements.txt", "Pipfile", "setup.py", "setup.cfg", "go.mod", "Cargo.toml", "Gemfile", "deno.json"}

const maxManifest = 1 << 20 // bytes

// inManifest reports whether a manifest of the repository names a package. A version does not matter.
func (m *Memory) inManifest(name string) bool {
	if at := strings.LastIndexByte(name, '@'); at > 0 {
		name = name[:at]
	}
	root, err := fsstore.Open(m.Location.Root)
	if err != nil || m.Location.Bare {
		return false
	}
	defer root.Close()
	named := regexp.MustCompile(`(?m)(^|[^\w@/.-])` + regexp.QuoteMeta(name) + `($|[^\w/.-])`)
	for _, file := range manifests {
		if data, err := root.ReadLarge(file, maxManifest); err == nil && named.Match(data) {
			return true
		}
	}
	return false
}

// RunsFetched reports whether a text has a command that runs what it fetches or unpacks.
func (m *Memory) RunsFetched(text string) bool { return recall.RunsFetched(text, m.inManifest) }
