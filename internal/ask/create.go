package ask

import (
	"fmt"
	"slices"
	"strings"

	"episodes/graph/stores"
	"episodes/internal/capture"
	"episodes/internal/memory"
	"episodes/internal/term"
)

// Location says where a memory is, or would be.
type Location = memory.Location

// Locate finds the repository and its memory, which need not exist yet. root is the
// repository and dir the memory; "" looks them up from cwd. The error is ErrNoMemory,
// with the location that Create would use, when there is no repository around.
func Locate(root, dir, cwd string) (Location, error) {
	return memory.Locate(memory.Request{Root: root, Memory: dir, Cwd: cwd})
}

// KnownStore reports whether a URL is that of a kind of store that there is.
func KnownStore(url string) bool { return stores.Known(url) || IsTeam(url) }

// CreateAnswer says what was made.
type CreateAnswer struct {
	full
	Made      []string `json:"made"` // what was missing, relative to Memory
	Memory    string   `json:"memory"`
	Root      string   `json:"root"`
	IgnoredBy string   `json:"ignored_by,omitempty"` // the line that keeps the episodes out of git
	Logs      []string `json:"logs,omitempty"`       // what extract reads when no logs are named
	// Places may hold logs; extract reads them when they are named.
	Places []capture.LogPlace `json:"places,omitempty"`
}

// Create makes a memory where it is missing. What exists is left alone.
func Create(loc Location) (*CreateAnswer, error) {
	m, made, err := memory.Create(loc)
	if err != nil {
		return nil, err
	}
	m.Close()
	if made == nil {
		made = []string{}
	}
	a := &CreateAnswer{Made: made, Memory: loc.Dir, Root: loc.Root, IgnoredBy: loc.IgnoredBy()}
	if loc.Bare {
		return a, nil
	}
	if a.Logs, _, err = capture.Unnamed(loc); err != nil {
		return nil, err
	}
	a.Places = slices.DeleteFunc(capture.LookForLogs(loc), func(p capture.LogPlace) bool { return slices.Contains(a.Logs, p.Path) })
	return a, nil
}

// Text says what was made, and what to do next.
func (a *CreateAnswer) Text(tokens int) string {
	text := fmt.Sprintf("the memory %q is there already\n", a.Memory)
	if len(a.Made) > 0 {
		text = fmt.Sprintf("made %q: %s\n", a.Memory, strings.Join(a.Made, ", "))
	}
	next := "episodes extract LOG...   reads session logs, wherever they are"
	switch {
	case len(a.Logs) > 0:
		next = fmt.Sprintf("episodes extract   reads the logs of %s", strings.Join(a.Logs, ", "))
	case len(a.Places) > 0:
		next = readPlaces(a.Places) + "   reads them"
	}
	if len(a.Places) > 0 {
		text += "places that look like logs: " + listPlaces(a.Places) + "\n"
	}
	share := "git add .agents/memory   shares the episodes with everyone who clones"
	if a.IgnoredBy != "" {
		share = ignoredNote(a.IgnoredBy)
	}
	wire := "episodes setup   connects your coding agents to it"
	return term.Cut(text+"next: "+next+"\n      "+wire+"\n      "+share, tokens)
}

// mostPlaces is how many places with logs are named.
const mostPlaces = 8

// listPlaces names the places that seem to hold logs, with counts.
func listPlaces(list []capture.LogPlace) string {
	shown := list[:min(len(list), mostPlaces)]
	var out []string
	for _, p := range shown {
		out = append(out, fmt.Sprintf("%s (%d)", term.Line(p.Path), p.Logs))
	}
	if rest := list[len(shown):]; len(rest) > 0 {
		logs := 0
		for _, p := range rest {
			logs += p.Logs
		}
		out = append(out, fmt.Sprintf("and %d more (%d)", len(rest), logs))
	}
	return strings.Join(out, ", ")
}

// readPlaces is the command that reads the places named by listPlaces. Their names are the
// repository's, so a shell must not see anything in them.
func readPlaces(list []capture.LogPlace) string {
	command := "episodes extract"
	for _, p := range list[:min(len(list), mostPlaces)] {
		if name := p.Path; strings.Trim(name, plainInShell) == "" && !strings.HasPrefix(name, "-") {
			command += " " + name
		} else {
			command += " '" + strings.ReplaceAll(term.Line("./"+name), "'", `'\''`) + "'"
		}
	}
	return command
}

const plainInShell = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./"

// ignoredNote says that git does not see the episodes.
func ignoredNote(by string) string {
	return fmt.Sprintf("git ignores the memory (%s), so its episodes stay on this machine; to share them, remove that line",
		term.Line(by))
}
