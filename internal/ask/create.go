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
	// Logs are what the project's file says that extract reads, and Places hold other logs that it reads.
	Logs   []string           `json:"logs,omitempty"`
	Places []capture.LogPlace `json:"places,omitempty"`
	// Sources are the transcripts that it reads as well; nil if nobody looked.
	Sources *SourcesAnswer `json:"sources,omitempty"`
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
	a.Places = capture.LookForLogs(loc)
	a.Logs = slices.DeleteFunc(a.Logs, func(path string) bool {
		return slices.ContainsFunc(a.Places, func(p capture.LogPlace) bool { return p.Path == path })
	})
	return a, nil
}

// Text says what was made, and what to do next.
func (a *CreateAnswer) Text(tokens int) string {
	text := fmt.Sprintf("the memory %q is there already\n", a.Memory)
	if len(a.Made) > 0 {
		text = fmt.Sprintf("made %q: %s\n", a.Memory, strings.Join(a.Made, ", "))
	}
	next := "episodes extract LOG...   reads session logs, wherever they are"
	if logs := strings.Join(append(listPlaces(a.Places), a.Logs...), ", "); logs != "" {
		text += "logs in this repository: " + logs + "\n"
		next = "episodes extract   reads them"
	}
	if waiting := a.Sources.waiting(); waiting != "" {
		text += "transcripts of your agents: " + waiting + "\n"
		next = "episodes extract   reads them; the transcripts for you alone"
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

// listPlaces names the places that hold logs, with counts.
func listPlaces(list []capture.LogPlace) (out []string) {
	shown := list[:min(len(list), mostPlaces)]
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
	return out
}

// ignoredNote says that git does not see the episodes.
func ignoredNote(by string) string {
	return fmt.Sprintf("git ignores the memory (%s), so its episodes stay on this machine; to share them, remove that line",
		term.Line(by))
}
