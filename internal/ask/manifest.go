package ask

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"episodes/internal/fsstore"
	"episodes/internal/risk"
)

// manifests are the files at the root of a project that name the packages it uses, besides that of npm.
var manifests = []string{"pyproject.toml", "requirements.txt", "Pipfile", "setup.py", "setup.cfg", "go.mod", "Cargo.toml", "Gemfile", "deno.json"}

// programs are those that packages of other names on npm have.
var programs = map[string]string{
	"tsc": "typescript", "tsserver": "typescript", "playwright": "@playwright/test", "webpack": "webpack-cli", "ng": "@angular/cli",
	"nest": "@nestjs/cli", "babel": "@babel/cli", "biome": "@biomejs/biome", "changeset": "@changesets/cli", "commitlint": "@commitlint/cli",
	"cap": "@capacitor/cli", "tailwindcss": "@tailwindcss/cli", "svelte-kit": "@sveltejs/kit", "graphql-codegen": "@graphql-codegen/cli",
	"vue-cli-service": "@vue/cli-service", "remix": "@remix-run/dev", "sb": "storybook",
}

const maxManifest = 1 << 20 // bytes

// inManifest reports whether a manifest of the repository names a package. A version does not matter, but
// another source does.
func (m *Memory) inManifest(name string) bool {
	name = strings.TrimRight(name, ".")
	if at := strings.LastIndexByte(name, '@'); at > 0 && !strings.Contains(name, ":") {
		name = name[:at]
	}
	root, err := fsstore.Open(m.Location.Root)
	if err != nil || m.Location.Bare {
		return false
	}
	defer root.Close()
	var npm struct{ Dependencies, DevDependencies, OptionalDependencies, PeerDependencies map[string]any }
	data, _ := root.ReadLarge("package.json", maxManifest)
	_ = json.Unmarshal(data, &npm)
	for _, list := range []map[string]any{npm.Dependencies, npm.DevDependencies, npm.OptionalDependencies, npm.PeerDependencies} {
		if list[name] != nil || list[programs[name]] != nil {
			return true
		}
	}
	named := regexp.MustCompile(`(?m)(^|[^\w@/.-])` + regexp.QuoteMeta(name) + `($|[^\w/.-])`)
	return slices.ContainsFunc(manifests, func(file string) bool {
		data, err := root.ReadLarge(file, maxManifest)
		return err == nil && named.Match(data)
	})
}

// Risk returns the remark on a text with a command that nobody should run because a log says so, or "".
func (m *Memory) Risk(text string) string { return risk.Of(text, m.inManifest) }
