// Package learning is to the attempts of agents what package ask is to questions: what
// the commands loop and record do with one memory, as far as they are about attempts. It
// joins the rooms of reflexion/ (records of loops, histories of tasks)
// with the causal graph, which knows what earlier sessions did about the same errors.
//
// Open gives the Folder on which all of it works; RunLoop, Reflect and Retry are its
// main calls.
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

	"episodes/internal/ask"
	"episodes/internal/local"
	"episodes/internal/memory"
	"episodes/internal/plain"
	"episodes/reflexion"
	"episodes/reflexion/advice"
	"episodes/reflexion/analyze"
	"episodes/reflexion/history"
)

// Folder is the reflexion folder of a memory. It keeps nothing open.
type Folder struct {
	ask.Options
	top string
	key func() string // what this user's loops are sealed with
}

// Open finds the folder, which need not exist yet. The error is ask.ErrNoMemory
// when there is no memory.
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

// newKey finds what this user's loops in this memory are sealed with. It is written nowhere.
// Where the user's configuration cannot be read or written, it is one that nobody has:
// then a loop runs, but none can be resumed without trust.
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

func (f *Folder) leftOut(damage []error) {
	for _, d := range damage {
		if f.Warn != nil {
			f.Warn("left out: " + d.Error())
		}
	}
}

// HintError is an error that says how to go on.
type HintError struct {
	Err  error
	hint string
}

func (e *HintError) Error() string { return e.Err.Error() }

func (e *HintError) Unwrap() error { return e.Err }

func (e *HintError) Hint() string { return e.hint }

// Loop returns the records of a loop, by iteration; the error is reflexion.ErrNoLoop
// when there are none.
func (f *Folder) Loop(id string) ([]*reflexion.Record, error) {
	s, err := reflexion.OpenStore(f.top)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	return s.Loop(id)
}

// Records returns the records of all loops, by loop and iteration. Damaged ones are
// left out with a warning.
func (f *Folder) Records() ([]*reflexion.Record, error) {
	rs, damage, err := f.records()
	f.leftOut(damage)
	return rs, err
}

func (f *Folder) records() (rs []*reflexion.Record, damage []error, err error) {
	s, err := reflexion.OpenStore(f.top)
	if err != nil {
		return nil, nil, err
	}
	defer s.Close()
	return s.All()
}

// Arms are the records of all loops by the arm that each was run with, and as an arm
// of their own the attempts of tasks, by the outcomes that their agents stated.
// damage are the records that cannot be read.
func (f *Folder) Arms() (arms []analyze.Arm, damage []error, err error) {
	rs, damage, err := f.records()
	if err != nil {
		return nil, nil, err
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
	tasks, err := f.Tasks()
	var attempts []*reflexion.Record
	for _, t := range tasks {
		attempts = append(attempts, history.Records(t.History())...)
	}
	if len(attempts) > 0 {
		arms = append(arms, analyze.Arm{Name: "tasks", Records: attempts})
	}
	return arms, damage, err
}

// advice asks the causal graph about errors; own is the episode of the attempt
// itself, which does not count, and what it tried in vain is left out. That the graph cannot be asked is a note, since the
// attempt does not depend on it.
func (f *Folder) advice(ctx context.Context, errs []reflexion.Problem, own string, tried map[string]bool) []reflexion.Advice {
	if len(errs) == 0 {
		return nil
	}
	out, err := f.askGraph(ctx, errs, own, tried)
	if err != nil && ctx.Err() == nil {
		f.note("the graph was not asked: %v", err)
	}
	return out
}

func (f *Folder) askGraph(ctx context.Context, errs []reflexion.Problem, own string,
	tried map[string]bool) ([]reflexion.Advice, error) {
	m, err := ask.Open(f.Options)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	g, done, err := m.SharedReader(ctx) // what it says may get into records, which are in git
	if err != nil {
		return nil, err
	}
	defer done()
	out, err := advice.About(g, m, errs, own, tried)
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, a := range out {
		known[a.Error] = true
	}
	for _, e := range errs[:min(len(errs), mostAdvised)] {
		if !known[reflexion.SignatureOf(e)] {
			found, err := f.alike(ctx, m, e, own)
			if err != nil {
				return nil, err
			}
			out = append(out, found...)
		}
	}
	return out, nil
}

// mostAdvised is how many errors advice is looked for that are no error of the graph.
const mostAdvised = 3

// alike returns the advice of `advise` on an error that the graph does not hold in these
// words. Private episodes are left out, since records are in git.
func (f *Folder) alike(ctx context.Context, m *ask.Memory, e reflexion.Problem, own string) ([]reflexion.Advice, error) {
	answer, err := m.Advise(ctx, ask.AdviseRequest{Kind: "error",
		Text: reflexion.Describe(e) + "\n" + e.StackTrace})
	if err != nil {
		return nil, err
	}
	a := reflexion.Advice{About: reflexion.Describe(e), Error: reflexion.SignatureOf(e)}
	var said []string
	for _, item := range answer.Advice {
		if slices.ContainsFunc(item.Evidence,
			func(at ask.AdviceEvidence) bool { return at.Private || at.Episode == own || item.Note == ask.NotSaid }) {
			continue
		}
		for _, at := range item.Evidence[:1] {
			where := at.Log
			if at.Lines != nil {
				where = fmt.Sprintf("%s:%d", where, at.Lines[0])
			}
			if at.By != "" {
				where += ", by " + at.By
			}
			kind := item.Kind
			if kind == "failed" {
				kind = "tried, did not help"
			}
			text := plain.Quote(item.Text, mostQuoted)
			if kind == "fix" {
				a.Step = cmp.Or(a.Step, text)
			}
			said, a.Episodes = append(said, fmt.Sprintf("%s: %s (%s)", kind, text, where)), append(a.Episodes, at.Episode)
		}
	}
	if said == nil {
		return nil, nil
	}
	a.Text = strings.Join(said, "; ")
	return []reflexion.Advice{a}, nil
}

// mostQuoted is how much of one statement is quoted, in bytes.
const mostQuoted = 240
