// Package learning is to the attempts of agents what package ask is to questions. It joins the
// rooms of reflexion/ with one memory, which knows what earlier sessions did about the same errors.
//
// Open gives the Folder on which all of it works; RunLoop, Reflect and Retry are its main calls.
package learning

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"episodes/episode"
	"episodes/internal/ask"
	"episodes/internal/local"
	"episodes/internal/memory"
	"episodes/internal/plain"
	"episodes/reflexion"
	"episodes/reflexion/advice"
	"episodes/reflexion/analyze"
)

// Folder is the reflexion folder of a memory. It keeps nothing open.
type Folder struct {
	ask.Options
	top string
	key func() string // by which this user finds the loops of this memory
}

// Open finds the folder, which need not exist yet. The error is ask.ErrNoMemory.
func Open(o ask.Options) (*Folder, error) {
	if info, err := os.Stat(o.Location.Dir); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("%w: %q does not exist", memory.ErrNone, o.Location.Dir)
	}
	if err := memory.CheckFolder(o.Location, "reflexion"); err != nil {
		return nil, err
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	o.Unreviewed = false // agents read the prompts of loops
	f := &Folder{Options: o, top: filepath.Join(o.Location.Dir, "reflexion")}
	f.key = sync.OnceValue(f.newKey)
	return f, nil
}

// newKey finds the key of this user for the loops of this memory. It is written nowhere. Where the
// user's configuration cannot be read or written, it is one that nobody has.
func (f *Folder) newKey() string {
	dir := f.Location.Dir
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	key, err := local.Token(filepath.Join(dir, "reflexion"))
	if err != nil {
		f.note("loops cannot be told from those of others: %v", err)
		key = rand.Text()
	}
	return key
}

func (f *Folder) note(format string, args ...any) {
	if f.Note != nil {
		f.Note(fmt.Sprintf(format, args...))
	}
}

func (f *Folder) warn(text string) {
	if f.Warn != nil {
		f.Warn(text)
	}
}

func (f *Folder) leftOut(damage []error) {
	for _, d := range damage {
		f.warn("left out: " + d.Error())
	}
}

type HintError struct {
	Err  error
	hint string
}

func (e *HintError) Error() string { return e.Err.Error() }
func (e *HintError) Unwrap() error { return e.Err }
func (e *HintError) Hint() string  { return e.hint }

// Loop returns the records of a loop, by iteration; the error is reflexion.ErrNoLoop.
func (f *Folder) Loop(id string) ([]*reflexion.Record, error) {
	s, err := reflexion.OpenStore(f.top)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	return s.Loop(id)
}

// Records are those of all loops, by loop and iteration, without damaged ones, of which it warns.
func (f *Folder) Records() ([]*reflexion.Record, error) {
	rs, damage, err := f.records(nil)
	f.leftOut(damage)
	return rs, err
}

// Search reads only the records that may be found.
func (f *Folder) Search(q reflexion.Query) ([]reflexion.Found, error) {
	rs, damage, err := f.records(q.May())
	f.leftOut(damage)
	return reflexion.Search(rs, q), err
}

func (f *Folder) records(may func(data []byte) bool) (rs []*reflexion.Record, damage []error, err error) {
	s, err := reflexion.OpenStore(f.top)
	if err != nil {
		return nil, nil, err
	}
	defer s.Close()
	return s.All(may)
}

// Arms are the records of all loops by the arm that each was run with, and as an arm of their own
// the attempts of tasks. damage are the records that cannot be read.
func (f *Folder) Arms() (arms []analyze.Arm, damage []error, err error) {
	rs, damage, err := f.records(nil)
	if err != nil {
		return nil, nil, err
	}
	tasks, err := f.Tasks()
	for _, t := range tasks {
		for _, r := range t.Records() {
			r.Arm = "tasks"
			rs = append(rs, r)
		}
	}
	for _, r := range rs {
		name := cmp.Or(r.Arm, "memory")
		i := slices.IndexFunc(arms, func(a analyze.Arm) bool { return a.Name == name })
		if i < 0 {
			i = len(arms)
			arms = append(arms, analyze.Arm{Name: name})
		}
		arms[i].Records = append(arms[i].Records, r)
	}
	return arms, damage, err
}

// advice is what memory knows about errors of a loop, whose own episode does not count, and without
// what it tried and failed. That memory cannot be asked is a note, since the attempt does not depend on it.
func (f *Folder) advice(ctx context.Context, errs []reflexion.Problem, loopID string, tried map[string]bool) []reflexion.Known {
	out, err := f.askMemory(ctx, errs, episode.IDFromSession(loopID), tried)
	if err != nil && ctx.Err() == nil {
		f.note("the graph was not asked: %v", err)
	}
	return out
}

// mostAdvised is how many errors advice is looked for that are no error of the graph.
const mostAdvised = 3

// askMemory asks the shared part of the memory, since records are in git: the graph, and about
// errors that it does not hold in these words as `advise` does.
func (f *Folder) askMemory(ctx context.Context, errs []reflexion.Problem, own string,
	tried map[string]bool) ([]reflexion.Known, error) {
	if len(errs) == 0 {
		return nil, nil
	}
	m, err := ask.Open(f.Options)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	g, done, err := m.SharedReader(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	out, err := advice.About(g, m, errs, own, tried)
	if err != nil {
		return nil, err
	}
	out = slices.DeleteFunc(out, func(a reflexion.Known) bool { return m.Risk(a.Text) != "" || m.Risk(a.Step) != "" })
	for _, e := range errs[:min(len(errs), mostAdvised)] {
		a := reflexion.Known{About: reflexion.Describe(e), Error: reflexion.SignatureOf(e)}
		if slices.ContainsFunc(out, func(known reflexion.Known) bool { return known.Error == a.Error }) {
			continue
		}
		answer, err := m.Advise(ctx, ask.AdviseRequest{Kind: "error", Text: e.Message + "\n" + e.StackTrace})
		if err != nil {
			return nil, err
		}
		if said(m, &a, answer.Advice, own); a.Text != "" {
			out = append(out, a)
		}
	}
	return out, nil
}

// mostQuoted is how much of one statement is quoted, in bytes.
const mostQuoted = 240

// said makes advice of statements, but for private ones, those of the episode own, and risky commands (internal/risk).
func said(m *ask.Memory, a *reflexion.Known, items []ask.AdviceItem, own string) {
	var all []string
	for _, item := range items {
		at, text := item.Evidence[0], plain.Quote(item.Text, mostQuoted)
		if at.Private || at.Episode == own || item.Doubt == ask.NotSaid || m.Risk(item.Text) != "" {
			continue
		}
		if at.Lines != nil {
			at.Log = fmt.Sprintf("%s:%d", at.Log, at.Lines[0])
		}
		if at.By != "" {
			at.Log += ", by " + at.By
		}
		switch item.Kind {
		case "trap":
			item.Kind = "tried, did not help"
		case "fix":
			a.Step = cmp.Or(a.Step, text)
		}
		all, a.Episodes = append(all, fmt.Sprintf("%s: %s (%s)", item.Kind, text, at.Log)), append(a.Episodes, at.Episode)
	}
	a.Text = strings.Join(all, "; ")
}
