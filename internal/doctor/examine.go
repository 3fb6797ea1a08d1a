package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"episodes/causal"
	"episodes/episode"
	"episodes/extract"
	"episodes/internal/corrections"
	"episodes/internal/lock"
	"episodes/internal/memory"
	"episodes/internal/track"
	"episodes/internal/validate"
)

// patient is a memory that is being checked.
type patient struct {
	Options
	m        *memory.Memory
	locked   bool     // another process writes
	foreign  []string // names of what was not made here
	findings []Finding
	mend     bool // Fix has something to do
	rebuild  bool // the graph is to be written from scratch
}

func examine(ctx context.Context, o Options) (*patient, error) {
	m, err := memory.Open(o.Location)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	p := &patient{Options: o, m: m}
	for _, check := range []func(context.Context) error{p.folder, p.episodes, p.origins, p.corrections, p.additions, p.store, p.lock, p.disk, p.leftovers} {
		if err := errors.Join(check(ctx), ctx.Err()); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func (p *patient) add(s State, check, todo, format string, args ...any) {
	p.findings = append(p.findings, Finding{Check: check, State: s, Text: fmt.Sprintf(format, args...), Todo: todo, kind: format})
}

func (p *patient) folder(context.Context) error {
	before := len(p.findings)
	if !p.m.Ignored() {
		p.mend = true
		p.add(Problem, "memory", p.Command("doctor --fix"),
			"%q has no .gitignore of ours, so git could take the graph for a source", p.m.DerivedDir())
	}
	if by := p.Location.IgnoredBy(); by != "" {
		p.add(Note, "memory", "remove that line to share the episodes with others", "git ignores the episodes: %s", by)
	}
	if err := p.local(); err != nil {
		return err
	}
	if private, ok := errors.AsType[*memory.PrivateError](p.m.PrivateError()); ok {
		p.add(Problem, "memory", private.Hint(), "%v", private)
	}
	if len(p.findings) == before {
		p.add(OK, "memory", "", "%s", p.m.Dir)
	}
	return nil
}

// local says what of the derived files is not of this user's own making. Their names may
// be of anybody's, and there may be any number: they are counted.
func (p *patient) local() error {
	if why, ok := errors.AsType[*memory.NotKeptError](p.m.Local()); ok {
		state := Note
		if why.Tracked != "" {
			state = Problem
		}
		p.add(state, "memory", why.Hint(), "%v", why)
	}
	var err error
	if p.foreign, err = p.m.Foreign(); err != nil {
		return err
	}
	if n := len(p.foreign); n > 0 {
		p.mend = true
		p.add(Note, "memory", p.Command("doctor --fix"),
			"%d of the names in %q were not made here, and are not read; the next writer drops them", n,
			p.m.DerivedDir())
	}
	if path := p.m.Aside(); path != "" {
		p.add(Note, "memory", "remove it; "+p.Command("graph prune")+" sets a view",
			"%q is a view that was not set here, moved aside", path)
	}
	return nil
}

// episodes checks every episode file by itself, and against the others.
func (p *patient) episodes(ctx context.Context) error {
	const check = "episodes"
	files, strange, err := p.m.Files()
	if err != nil {
		return err
	}
	before := len(p.findings)
	p.strange(strange)
	older, olderRules, newerRules := 0, 0, 0
	var edited []*episode.Episode
	foreign := 0 // files of other tools that follow our schema
	byLog := map[string][]string{}
	prints := map[string]causal.Print{}
	for _, f := range files {
		data, err := p.m.Read(f.ID)
		if err != nil {
			todo := "see why it cannot be read"
			if errors.Is(err, fs.ErrPermission) {
				todo = "make it readable"
			}
			p.add(Problem, check, todo, "%v", err)
			continue
		}
		ep, err := p.m.Parse(f.ID, data)
		isOlder := err == nil && causal.OfOlderTool(ep)
		if isOlder {
			older++ // it follows no schema of ours
		} else if err := p.valid(f.ID, data); err != nil {
			return err
		}
		if ep, err = episode.Parse(data); err != nil {
			continue // reported by valid
		}
		switch {
		case isOlder || !corrections.Edited(data):
		case ep.Provenance.Seal == "":
			foreign++
		default:
			edited = append(edited, ep)
		}
		switch n := extract.Number(ep.Provenance.Extractor); {
		case extract.Newer(ep.Provenance.Extractor):
			newerRules++
		case n > 0 && n < extract.Number(extract.Version):
			olderRules++
		}
		prints[f.ID] = causal.PrintOf(ep)
		if src := ep.Provenance.Source; strings.Contains(src.Path, "/") {
			byLog[src.Path+" "+src.Session] = append(byLog[src.Path+" "+src.Session], f.ID)
		} else if src.SHA256 != "" { // logs of different folders have the same base name
			byLog[src.Path+src.SHA256] = append(byLog[src.Path+src.SHA256], f.ID)
		}
	}
	p.sharedLogs(byLog)
	p.sharedNames(files)
	if len(p.findings) == before {
		p.add(OK, check, "", "%d, each valid and named by its id", len(files)-older)
	}
	if older > 0 {
		p.add(OK, check, "", "%d of older tools, kept and read; their outcomes count as unknown", older)
	}
	if newerRules > 0 {
		p.add(Note, check, "update this program", "%d read by newer rules than those of this program (%s); extract leaves them as they are", newerRules, extract.Version)
	}
	if olderRules > 0 {
		p.add(Note, check, p.Command("extract")+", and extract --from all, read again what is still there",
			"%d read by older rules than %s", olderRules, extract.Version)
	}
	p.sessions(prints)
	if n := len(track.LoadOrigins(p.m, time.Now()).Forgotten()); n > 0 {
		p.add(OK, check, "", "logs forgotten: %d; extract without arguments passes them over", n)
	}
	private := 0
	for _, f := range files {
		if f.Private {
			private++
		}
	}
	if private > 0 {
		p.add(OK, check, "", "%d of them private, in %q", private, p.m.PrivateDir())
	}
	if n := len(edited) + foreign; n > 0 {
		p.add(Note, check, "",
			"%d of %d were edited by hand or written by another tool; extract keeps them as they are unless --force is given",
			n, len(files))
	}
	return p.edited(ctx, edited)
}

// strange reports files that are not episodes. A file that could be an episode under another
// name, or that is not a regular file, is a problem; a file of another program is not.
func (p *patient) strange(names []string) {
	var others []string
	for _, name := range names {
		if p.m.NoEpisode(name) {
			others = append(others, name)
			continue
		}
		p.add(Problem, "episodes", "remove it, or name it after the id in it",
			"%q is no episode file: a link, or a name that is no id", name)
	}
	if n := len(others); n > 0 {
		p.add(Note, "episodes", "", "other files among the episodes, kept and not read: %d, such as %q", n, others[0])
	}
}

// valid names the first problem of a file.
func (p *patient) valid(id string, data []byte) error {
	bad, err := validate.File(data, id)
	if err != nil || len(bad) == 0 {
		return err
	}
	more := ""
	if len(bad) > 1 {
		more = fmt.Sprintf("; and %d more in this file", len(bad)-1)
	}
	p.add(Problem, "episodes", "mend it, or extract its log again with --force", "%s:%d: %s%s",
		p.m.EpisodePath(id), bad[0].Line, bad[0].Message, more)
	return nil
}

// corrections checks the files of what persons and readers corrected.
func (p *patient) corrections(context.Context) error {
	const check = "corrections"
	ids, err := p.m.Corrected()
	if err != nil {
		return err
	}
	files, _, err := p.m.Files()
	if err != nil {
		return err
	}
	there := map[string]bool{}
	for _, f := range files {
		there[f.ID] = true
	}
	entries, damaged, uncounted, by := 0, 0, 0, ""
	origins := track.LoadOrigins(p.m, time.Now())
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		own, others, who, err := origins.Corrections(p.m, id)
		switch {
		case err != nil:
			damaged++
			p.add(Problem, check, "correct the line, or remove the file", "%v", err)
		case !there[id]:
			p.add(Note, check, "extract its log again, or remove the file", "%q: there is no such episode", p.m.CorrectionsPath(id))
		default:
			for _, e := range own {
				if e.Op != corrections.Read {
					entries++
				}
			}
			if entries, uncounted = entries+others, uncounted+others; others > 0 {
				by = who
			}
		}
	}
	if uncounted > 0 {
		p.add(Note, check, "read them; then commit them, or "+p.Command("trust "+corrections.Quote(by)),
			"%d of %d do not count: their author is new, or they are not committed and not from this program under your key", uncounted, entries)
	}
	if len(ids) > 0 && damaged == 0 {
		p.add(OK, check, "", "%d, of %d episodes", entries, len(ids))
	}
	return nil
}

// sharedLogs finds logs that several episodes were made from.
func (p *patient) sharedLogs(byLog map[string][]string) {
	for _, path := range slices.Sorted(maps.Keys(byLog)) {
		if ids := byLog[path]; len(ids) > 1 {
			p.add(Problem, "episodes", "keep one and remove the others", "made from one log: %s", strings.Join(ids, ", "))
		}
	}
}

// sessions lists the episodes that are of one session.
func (p *patient) sessions(prints map[string]causal.Print) {
	same := map[string][]string{}
	for id, counts := range causal.Votes(prints) {
		if id != counts {
			same[counts] = append(same[counts], id)
		}
	}
	for _, counts := range slices.Sorted(maps.Keys(same)) {
		slices.Sort(same[counts])
		p.add(Note, "sessions", "", "logs of one session count once: %s counts, %s not", counts, strings.Join(same[counts], ", "))
	}
}

// sharedNames finds files of which some file systems keep only one.
func (p *patient) sharedNames(files []memory.File) {
	first := map[string]string{}
	for _, f := range files {
		folded := strings.ToLower(f.ID)
		if other, taken := first[folded]; taken {
			p.add(Problem, "episodes", "extract the log of one with --force, or rename it with the id in it",
				"%s and %s differ in case only, which not all file systems tell apart", other, f.ID)
			continue
		}
		first[folded] = f.ID
	}
}

func (p *patient) lock(ctx context.Context) error {
	l, err := lock.Shared(ctx, p.m.LockPath(), 0)
	var busy *lock.TimeoutError
	switch {
	case errors.As(err, &busy):
		p.locked = true
		p.add(Note, "lock", "", "%v", busy)
	case err != nil:
		p.add(Problem, "lock", "see who may read the file", "%v", err)
	default:
		_ = l.Release()
		p.add(OK, "lock", "", "free")
	}
	return nil
}

func (p *patient) disk(context.Context) error {
	free, ok := p.Free(p.m.Dir)
	switch {
	case !ok:
		p.add(Note, "disk", "", "the system does not tell how much is free")
	case free < memory.FreeFloor:
		p.add(Problem, "disk", "free some space", "%d MB free; the graph is not written with less than %d MB",
			free>>20, memory.FreeFloor>>20)
	default:
		p.add(OK, "disk", "", "%d MB free", free>>20)
	}
	return nil
}

func (p *patient) leftovers(context.Context) error {
	if p.locked {
		p.add(Note, "leftovers", "", "not looked for while a writer is at work")
		return nil
	}
	left := p.m.Leftovers()
	for _, path := range left {
		p.mend = true
		p.add(Note, "leftovers", p.Command("doctor --fix"), "%q was left by a killed writer; the next writer removes it", path)
	}
	if len(left) == 0 {
		p.add(OK, "leftovers", "", "none")
	}
	return nil
}

// additions checks what was added to episodes.
func (p *patient) additions(context.Context) error {
	const check = "additions"
	added, err := p.m.Added()
	if err != nil {
		return err
	}
	x := track.Load(p.m)
	var open track.Logs
	if p.Index.Logs != nil {
		open = p.Index.Logs(x)
	}
	origins, files := track.LoadOrigins(p.m, time.Now()), 0
	for _, id := range slices.Sorted(maps.Keys(added)) {
		ep, err := p.m.Load(id)
		if err != nil {
			p.add(Note, check, "extract its log again, or remove the folder", "%q: there is no such episode", p.m.AdditionsPath(id))
			continue
		}
		read, leftOut, aside := origins.Join(p.m, ep, open)
		files += len(read)
		for _, out := range append(leftOut, aside...) {
			p.add(Note, check, "", "left out: %s", out)
		}
	}
	if files > 0 {
		p.add(OK, check, "", "%d, of %d episodes", files, len(added))
	}
	return nil
}
