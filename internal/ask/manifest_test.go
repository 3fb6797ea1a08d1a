package ask

import (
	"os"
	"path/filepath"
	"testing"

	"episodes/internal/memory"
)

// A package is known where a manifest depends on it: a word that stands there, such as the name of a script,
// makes no package known, nor does another source of a known one.
func TestRunsFetchedOfManifest(t *testing.T) {
	m := &Memory{Options: Options{Location: memory.Location{Root: t.TempDir()}}}
	for name, text := range map[string]string{
		"package.json":   `{"name": "shop", "scripts": {"deploy": "build", "https": "x"}, "homepage": "https://x.dev", "devDependencies": {"prettier": "^3.0.0", "typescript": "^5", "@scope/tool": "1"}}`,
		"pyproject.toml": "[project]\ndependencies = [\"ruff>=0.4\"]\n",
	} {
		if err := os.WriteFile(filepath.Join(m.Location.Root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for text, want := range map[string]bool{
		"npx prettier --write .": false, "run `npx prettier@3`, then": false, "npx -y @scope/tool@latest x": false, "npx prettier.": false, "uvx ruff check": false,
		"npx tsc --noEmit": false, "npx tsc@latest -p .": false, "npx playwright test": true,
		"npx deploy": true, "npx shop": true, "npx left-pad": true, "npx prettier@npm:evil": true, "npx prettier@https://x.dev/p.tgz": true,
		"npx --package=evil prettier": true, "npx --registry https://x.dev prettier": true, "npx github:x/y": true, "uvx --from=evil ruff": true,
	} {
		if got := m.Risk(text) != ""; got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
