package learning

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"episodes/episode"
	"episodes/internal/fsstore"
	"episodes/internal/memory"
	"episodes/internal/plain"
	"episodes/internal/track"
	"episodes/keys"
	"episodes/reflexion"
	"episodes/reflexion/analyze"
	"episodes/reflexion/history"
	"episodes/reflexion/loop"
	"episodes/stats"
)

type Exported struct {
	Dir      string `json:"dir"`
	Records  int    `json:"records"`
	Tasks    int    `json:"tasks"`
	Memories int    `json:"memories"`
}

// writer writes files into folders below one, and keeps the first error.
type writer struct {
	top *fsstore.Dir
	err error
}

func (w *writer) write(folder, name string, data []byte) {
	if w.err != nil {
		return
	}
	d, err := w.top.Sub(folder)
	if w.err = err; err == nil {
		w.err = d.Write(name, data)
		d.Close()
	}
}

func (w *writer) json(folder, name string, v any) {
	data, err := reflexion.Encode(v, "  ")
	w.err = errors.Join(w.err, err)
	w.write(folder, name, data)
}

func writeLines[T any](w *writer, folder, name string, list []T) {
	var b bytes.Buffer
	for _, v := range list {
		data, err := reflexion.Encode(v, "")
		w.err = errors.Join(w.err, err)
		b.Write(data)
	}
	w.write(folder, name, b.Bytes())
}

// Export writes all loops, tasks and what was learned into a folder, in the files that the
// sources name: reflections/LOOP/001.json (guide), tasks/task-001/… and index/…
// (episodic-memory schema), reflexion-memory/TYPE/… (framework design).
func (f *Folder) Export(dir string) (*Exported, error) {
	rs, err1 := f.Records()
	tasks, err2 := f.Tasks()
	all, err3 := f.remember(rs)
	if err := errors.Join(err1, err2, err3); err != nil {
		return nil, err
	}
	top, err := fsstore.Create(dir)
	if err != nil {
		return nil, err
	}
	defer top.Close()
	w := &writer{top: top}
	for _, r := range rs {
		data, err := reflexion.Marshal(r)
		w.err = errors.Join(w.err, err)
		w.write("reflections/"+r.LoopID, reflexion.FileName(r.Iteration), data)
	}
	status, agents := map[string][]string{}, map[string][]string{}
	for _, t := range tasks {
		w.task(t)
		status[t.Status] = append(status[t.Status], t.ID)
		for i := range t.Attempts {
			if by := t.Attempts[i].Execution.Agent; by != "" && !slices.Contains(agents[by], t.ID) {
				agents[by] = append(agents[by], t.ID)
			}
		}
	}
	for _, of := range reflexion.ByLoop(rs) {
		t := history.FromLoop(of, f.hasEnded(of[0].LoopID))
		status[t.Status] = append(status[t.Status], t.ID)
	}
	w.json("index", "by-status.json", status)
	w.json("index", "by-agent.json", agents)
	w.memories(all)
	return &Exported{dir, len(rs), len(tasks), len(all)}, w.err
}

func (w *writer) task(t *history.Task) {
	in, h := "tasks/"+t.ID, t.History()
	w.json(in, "metadata.json", t.Metadata)
	w.json(in, "trajectory.json", map[string]any{"task_id": t.ID, "attempts": h.Attempts})
	w.json(in, "summary.json", h)
	writeLines(w, in, "reflections.jsonl", t.Reflections)
	for _, a := range t.Attempts {
		in := in + "/" + attemptDir(a.ID)
		w.write(in, "plan.md", []byte(a.PlanText))
		writeLines(w, in, "actions.jsonl", a.Actions)
		writeLines(w, in, "milestones.jsonl", a.Milestones)
		if a.Outcome != nil {
			w.json(in, "outcome.json", a.Outcome)
		}
		for _, q := range a.Execution.Quality {
			w.json(in+"/results/iter-"+reflexion.Ordinal(max(1, q.Iteration)), "quality.json", q)
		}
		a.PlanText, a.Actions, a.Milestones = "", nil, nil
		w.json(in, "attempt.json", a)
	}
}

// remembered is what was learned, as the framework design has it (ReflexionMemory).
type remembered struct {
	ID        string   `json:"memoryId"`
	Type      string   `json:"memoryType"` // episodic, semantic, procedural, meta or feedback
	Content   content  `json:"content"`
	Relevance float64  `json:"relevanceScore"` // 0 to 1: the strength of its evidence
	Accessed  int      `json:"accessCount"`    // prompts of loops that had it
	Created   string   `json:"createdAt"`
	Tags      []string `json:"tags"`
}

type content struct {
	Summary   string   `json:"summary"`
	Details   string   `json:"details,omitempty"`
	Context   string   `json:"context,omitempty"` // the task
	Lessons   []string `json:"lessons"`
	Scenarios []string `json:"applicableScenarios"`
	Related   []string `json:"relatedMemories"`
	Evidence  []string `json:"evidence"` // attempts of loops, ralph-a#0, and facts
}

// remember derives what was learned: an episodic memory of each loop, a semantic one of each
// lesson that two models state or that has earned it, a procedural one of each decision of a loop that
// succeeded, a meta one of each type of task, and what people and agents stated as feedback. It
// reads the shared part alone.
func (f *Folder) remember(records []*reflexion.Record) (out []*remembered, err error) {
	full := map[string]*remembered{} // by loop
	add := func(typ, key string, relevance float64, c content) *remembered {
		sum := sha256.Sum256([]byte(typ + "\x00" + key))
		m := &remembered{ID: typ[:1] + hex.EncodeToString(sum[:6]), Type: typ, Content: c, Relevance: relevance,
			Created: f.Now().UTC().Format(time.RFC3339), Tags: []string{}}
		for _, list := range []*[]string{&m.Content.Lessons, &m.Content.Scenarios, &m.Content.Related, &m.Content.Evidence} {
			*list = append([]string{}, *list...)
		}
		for _, e := range m.Content.Evidence {
			id, _, _ := strings.Cut(e, "#")
			if of := full[id]; of != nil && !slices.Contains(m.Content.Related, of.ID) {
				m.Content.Related, of.Content.Related = append(m.Content.Related, of.ID), append(of.Content.Related, m.ID)
			}
		}
		out = append(out, m)
		return m
	}
	loops := reflexion.ByLoop(records)
	for _, rs := range loops {
		last, word := rs[len(rs)-1], "did not pass"
		if last.Evaluator.Passed {
			word = "passed"
		}
		c := content{Context: last.Task, Summary: fmt.Sprintf("%s: %s after %s",
			reflexion.FirstLine(last.Task), word, plain.Plural(len(rs), "attempt"))}
		for _, r := range rs {
			c.Evidence = append(c.Evidence, fmt.Sprintf("%s#%d", r.LoopID, r.Iteration))
			c.Lessons = append(c.Lessons, r.Reflection.Lessons...)
			c.Details = cmp.Or(r.Reflection.Text, c.Details)
		}
		full[last.LoopID] = add("episodic", last.LoopID, last.Evaluator.RewardOr(), c)
	}
	for _, l := range reflexion.Lessons(records, 2) {
		if l.Voices > 1 || reflexion.Earned(records, "", l.Text) > 0 {
			add("semantic", keys.Canonical(l.Text), stats.WilsonCentre(l.Voices, len(loops), 0.95),
				content{Summary: l.Text, Lessons: []string{l.Text}, Evidence: l.Loops})
		}
	}
	said, all, err := f.learned()
	for _, key := range slices.Sorted(maps.Keys(all)) {
		if p := all[key]; p.good > 0 {
			add("procedural", key, stats.Wilson(p.good, p.tried, 0.95).Low, content{Scenarios: p.about, Evidence: p.evidence,
				Summary: fmt.Sprintf("%s (the error was gone in %d of %d)", plain.Quote(p.text, 300), p.good, p.tried),
				Lessons: []string{p.text}})
		}
	}
	for _, p := range analyze.Progress(records) {
		add("meta", p.TaskType, stats.WilsonCentre(p.TotalAttempts, p.TotalAttempts, 0.95),
			content{Summary: p.Summary(), Lessons: p.KeyLessons, Scenarios: []string{p.TaskType}})
	}
	for _, ref := range slices.Sorted(maps.Keys(said)) {
		m := add("feedback", ref, 1, content{Summary: said[ref], Lessons: []string{said[ref]}, Evidence: []string{ref}})
		for _, r := range records {
			if slices.Contains(r.Recalled, ref) {
				m.Accessed++
			}
		}
	}
	return out, err
}

type procedure struct {
	text            string
	good, tried     int
	evidence, about []string
}

// learned are the lessons that people and agents stated, by their references, and the decisions of
// loops, by their keys. Proposals of reflections do not count.
func (f *Folder) learned() (said map[string]string, all map[string]*procedure, err error) {
	m, err := memory.Open(f.Location)
	if err != nil {
		return nil, nil, err
	}
	defer m.Close()
	set, err := track.Load(m).Set()
	if err != nil {
		return nil, nil, err
	}
	files, _, err := m.Files()
	said, all = map[string]string{}, map[string]*procedure{}
	for _, file := range files {
		ep, err := set.Load(file.ID)
		if err != nil || file.Private {
			continue
		}
		for i, l := range ep.Lessons {
			if id := episode.LessonID(i + 1); ep.Provenance.By[id] != "" {
				said[ep.ID+"#"+id] = l
			}
		}
		if !loop.Made(ep) {
			continue
		}
		for _, d := range ep.Decisions {
			key := keys.Option(d.Chosen)
			if all[key] == nil {
				all[key] = &procedure{text: d.Chosen}
			}
			p := all[key]
			if p.tried++; d.Outcome == episode.Success {
				p.good++
			}
			p.evidence = append(p.evidence, ep.Session+"#"+d.ID)
			if x := strings.TrimPrefix(d.Context, loop.ToMend); !slices.Contains(p.about, x) {
				p.about = append(p.about, x)
			}
		}
	}
	return said, all, err
}

func (w *writer) memories(all []*remembered) {
	const in = "reflexion-memory"
	index := "# Memories\n"
	for i, m := range all {
		if i == 0 || all[i-1].Type != m.Type {
			index += "\n## " + m.Type + "\n\n"
		}
		index += fmt.Sprintf("- `%s` %s (relevance %.2f, rests on %d)\n", m.ID, reflexion.FirstLine(m.Content.Summary),
			m.Relevance, len(m.Content.Evidence))
		w.json(in+"/"+m.Type, m.ID+".json", m)
	}
	w.write(in, "INDEX.md", []byte(index))
}
