package ask

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"episodes/internal/fsstore"
	"episodes/internal/memory"
	"episodes/internal/sources"
	"episodes/internal/term"
	"episodes/internal/track"
)

// Agents lists the agents whose transcripts can be found. "all" means all of them.
func Agents() []string { return sources.Agents() }

// SourcesRequest asks what agents left on this machine of work on the repository.
type SourcesRequest struct {
	Agents    []string // none: all
	MovedFrom []string // folders in which the repository was before; absolute
	Home      string   // of the user; "": nothing is looked for
	copy      bool     // what is in git is copied
	Getenv    func(string) string
}

func (r SourcesRequest) environment() sources.Environment {
	return sources.Environment{Home: r.Home, Getenv: r.Getenv}
}

// SourcesAnswer says what was found.
type SourcesAnswer struct {
	Sources []Source `json:"sources"`
	// Folders are those in which work counts as work on this repository.
	Folders []string `json:"folders"`
}

// Source is what one agent left. New and Changed compare with the last extraction here;
// Old are sessions that the user's own retention leaves out.
type Source struct {
	Agent    string   `json:"agent"`
	Folders  []string `json:"folders"`
	Sessions int      `json:"sessions"` // of this repository
	New      int      `json:"new"`
	Changed  int      `json:"changed"`
	Old      int      `json:"old,omitempty"`
	Bytes    int64    `json:"bytes"`
	Others   int      `json:"others"`             // sessions of other folders
	Unplaced int      `json:"unplaced,omitempty"` // sessions that do not say where they worked
	Note     string   `json:"note,omitempty"`     // why they cannot be read

	transcripts []sources.Session // that are not old, and can be read
}

// Check refuses a request that cannot be answered.
func (r SourcesRequest) Check() error {
	for _, name := range r.Agents {
		if name != sources.All && !slices.Contains(Agents(), name) {
			return badParam("from", name, "must be all or one of "+strings.Join(Agents(), ", "))
		}
	}
	for _, dir := range r.MovedFrom {
		if !filepath.IsAbs(dir) {
			return badParam("moved-from", dir, "must be an absolute path")
		}
	}
	return nil
}

// Sources lists what lies on this machine of work on the repository, and writes nothing.
// There need be no memory.
func Sources(ctx context.Context, o Options, r SourcesRequest) (*SourcesAnswer, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	if o.Location.Bare {
		return nil, fmt.Errorf("%w: there is no repository around %q, to which a transcript could belong",
			ErrNoMemory, o.Location.Root)
	}
	config, err := ReadUserConfig()
	if err != nil {
		return nil, err
	}
	a := &SourcesAnswer{Sources: []Source{}}
	here := sources.NewHere(o.Location.Root, r.MovedFrom...)
	a.Folders = here.Roots()
	if r.Home == "" {
		return a, nil
	}
	if len(r.Agents) == 0 {
		r.Agents = []string{sources.All}
	}
	seen := map[string]track.Log{}
	m, err := memory.Open(o.Location)
	switch {
	case err == nil:
		seen = track.Load(m).Logs
		m.Close()
	case !errors.Is(err, memory.ErrNone):
		return nil, err
	}
	defer o.working("looking for transcripts")()
	env := r.environment()
	all := sources.Find(env, here, r.Agents...)
	if slices.Contains(r.Agents, sources.All) || slices.Contains(r.Agents, sources.Entire) {
		all = append(all, sources.InGit(ctx, env, o.Location.Root, r.copy)...)
	}
	for _, f := range all {
		a.Sources = append(a.Sources, sourceOf(f, seen, config.cutoff(o.now())))
	}
	return a, nil
}

// cutoff is the time before which sessions are too old to be kept; zero: none is.
func (c UserConfig) cutoff(now time.Time) time.Time {
	if c.PrivateDays == 0 {
		return time.Time{}
	}
	return now.AddDate(0, 0, -c.PrivateDays)
}

func sourceOf(f sources.Found, seen map[string]track.Log, cutoff time.Time) Source {
	s := Source{Agent: f.Agent, Folders: f.Folders, Sessions: len(f.Sessions), Others: f.Others, Unplaced: f.Unplaced, Note: f.Note}
	for _, x := range f.Sessions {
		s.Bytes += x.Size
		if !cutoff.IsZero() && x.Modified < cutoff.UnixNano() {
			s.Old++
			continue
		}
		switch known, ok := seen[fsstore.Real(x.Path)]; {
		case !ok:
			s.New++
		case known.Stat != x.Stat:
			s.Changed++
		}
		if s.Note == "" {
			s.transcripts = append(s.transcripts, x)
		}
	}
	return s
}

// transcripts are all that can be read.
func (a *SourcesAnswer) transcripts() (out []sources.Session) {
	for _, s := range a.Sources {
		out = append(out, s.transcripts...)
	}
	return out
}

// waiting is what there is to take in, by agent; "" if nothing is.
func (a *SourcesAnswer) waiting() string {
	if a == nil {
		return ""
	}
	var parts []string
	for _, s := range a.Sources {
		if n := s.New + s.Changed; n > 0 && s.Note == "" {
			parts = append(parts, fmt.Sprintf("%s %d", s.Agent, n))
		}
	}
	return strings.Join(parts, ", ")
}

// Text is one agent a line.
func (a *SourcesAnswer) Text(tokens int) string {
	var b strings.Builder
	for _, s := range a.Sources {
		fmt.Fprintf(&b, "%-9s %s, %d new, %d changed", s.Agent, term.Plural(s.Sessions, "session"), s.New, s.Changed)
		if s.Old > 0 {
			fmt.Fprintf(&b, ", %d older than private_days", s.Old)
		}
		fmt.Fprintf(&b, ", %s; of other folders %d", size(s.Bytes), s.Others)
		if s.Unplaced > 0 {
			fmt.Fprintf(&b, ", of unknown ones %d", s.Unplaced)
		}
		fmt.Fprintf(&b, "\n          in %s\n", strings.Join(s.Folders, ", "))
		if s.Note != "" {
			fmt.Fprintf(&b, "          %s\n", s.Note)
		}
	}
	switch {
	case len(a.Sources) == 0:
		b.WriteString("no agent's folder was found on this machine\n")
	case a.waiting() != "":
		b.WriteString("next: episodes extract --from all\n")
	}
	return term.Cut(term.Lines(b.String()), tokens)
}

func size(n int64) string {
	if n < 1<<20 {
		return fmt.Sprintf("%d KB", (n+1023)>>10)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
}

// Empty reports whether there is no session of this repository.
func (a *SourcesAnswer) Empty() bool {
	return !slices.ContainsFunc(a.Sources, func(s Source) bool { return s.Sessions > 0 })
}
