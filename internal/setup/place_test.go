package setup

import (
	"errors"
	"strings"
	"testing"
)

// What npx runs is deleted by npm, so no settings of the user call it; those of a repository call it by its name.
func TestProgramOfPackage(t *testing.T) {
	e, root := environment(t), t.TempDir()
	e.Self = "/home/ann/.npm/_npx/1/node_modules/@episodes/x/bin/episodes"
	for path, refused := range map[string]bool{"/home/ann/.npm/_npx/1/node_modules/.bin/episodes": true, "": true, "/usr/local/bin/episodes": false} {
		e.LookPath = func(string) (string, error) {
			if path == "" {
				return "", errors.New("not found")
			}
			return path, nil
		}
		_, err := Run(e, Request{Agents: []string{"claude"}, Action: Wire, DryRun: true})
		if (err != nil) != refused || refused && !strings.Contains(err.Error(), "npm install --global") {
			t.Errorf("%q: %v", path, err)
		}
		for _, r := range []Request{{Agents: []string{"claude"}, Action: Check}, {Agents: []string{AgentsMD}, Action: Wire, Root: root}, request("claude", Wire, root)} {
			if _, err := Run(e, r); err != nil {
				t.Errorf("%q, %+v: %v", path, r, err)
			}
		}
	}
}
