package extract

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"episodes/extract/rules"
	"episodes/internal/testing/few"
)

// ablation scores logs with some rules switched off.
type ablation struct {
	t       *testing.T
	logs    []labelledLog
	off     map[string]bool
	decides map[string]map[int]bool // rule → the logs in which it decided
	now     []logScore              // by log
}

// logScore is what one log adds to the score.
type logScore struct {
	right bool
	kinds map[string]counts
}

// watched extracts a log and notes the rules that decide.
func watched(t *testing.T, src Source, data []byte, off map[string]bool) (res *Result, decided map[string]bool) {
	decided = map[string]bool{}
	rules.Consult = func(table, rule string, decides bool) bool {
		name := table + ": " + rule
		if decides && !off[name] {
			decided[name] = true
		}
		return !off[name]
	}
	defer func() {
		rules.Consult = nil
		if recover() != nil { // a rule relies on one that is off
			res = nil
		}
	}()
	res, err := extractor.Log(src, data)
	if err != nil {
		t.Logf("%s: %v", src.Path, err)
		return nil, nil
	}
	return res, decided
}

// rescore is the score of a log with the rules that are off, and the rules that decide.
func (a *ablation) rescore(i int) (logScore, map[string]bool) {
	l := a.logs[i]
	res, decided := watched(a.t, l.source(), l.data, a.off)
	if res == nil {
		return logScore{kinds: map[string]counts{"decisions": {extracted: 1e6}}}, decided
	}
	return logScore{string(res.Episode.Outcome) == l.want.Outcome, scoreLog(l.want, res.Episode)}, decided
}

// total is the score over all logs, as score computes it.
func total(of []logScore) float64 {
	sum, right := map[string]counts{}, 0
	for _, s := range of {
		if s.right {
			right++
		}
		for k, c := range s.kinds {
			o := sum[k]
			sum[k] = counts{o.matched + c.matched, o.labelled + c.labelled, o.extracted + c.extracted}
		}
	}
	f := ratio(right, len(of))
	for _, k := range []string{"decisions", "events", "lessons", "links"} {
		f += sum[k].f1()
	}
	return f / 5
}

// without is the score if one more rule is off. Only logs in which it decides can change.
func (a *ablation) without(rule string) (float64, map[int]logScore, map[int]map[string]bool) {
	a.off[rule] = true
	defer delete(a.off, rule)
	changed, decided := map[int]logScore{}, map[int]map[string]bool{}
	all := slices.Clone(a.now)
	for i := range a.decides[rule] {
		all[i], decided[i] = a.rescore(i)
		changed[i] = all[i]
	}
	return total(all), changed, decided
}

func (a *ablation) note(i int, decided map[string]bool) {
	for _, logs := range a.decides {
		delete(logs, i)
	}
	for r := range decided {
		if a.decides[r] == nil {
			a.decides[r] = map[int]bool{}
		}
		a.decides[r][i] = true
	}
}

// TestAblate prints for every rule that decides what the score over all labelled logs loses without it, in how many projects
// it decides, and which rules a greedy search can switch off one after the other. Projects are the folders in
// EPISODES_LOGS, and the projects of the labelled logs.
//
//	EPISODES_HEAVY=1 EPISODES_LOGS=dir go test ./extract -run Ablate -v
func TestAblate(t *testing.T) {
	if !few.Heavy() {
		t.Skip("skipped: takes minutes; set EPISODES_HEAVY=1, and EPISODES_LOGS to a folder with one folder of logs for each project")
	}
	logs := openLogs(t)
	if len(ofSet(slices.Clone(logs), "bench")) == 0 {
		t.Skipf("skipped: the labelled logs of other projects are not in %s (EPISODES_SHARED)", sharedDir)
	}
	a := &ablation{t: t, logs: logs, off: map[string]bool{}, decides: map[string]map[int]bool{}, now: make([]logScore, len(logs))}
	projects := projectsOf(t)
	for i, l := range logs {
		s, decided := a.rescore(i)
		a.now[i] = s
		a.note(i, decided)
		for r := range decided {
			projects.add(r, cmp.Or(map[bool]string{true: "own"}[l.set == "own"], l.family))
		}
	}
	base := total(a.now)
	t.Logf("%d labelled logs, score %.4f, %d projects", len(logs), base, len(projects.all))
	type line struct {
		rule  string
		costs float64
		logs  int
	}
	var lines []line
	for rule := range a.decides {
		f, _, _ := a.without(rule)
		lines = append(lines, line{rule, base - f, len(a.decides[rule])})
	}
	slices.SortFunc(lines, func(x, y line) int {
		return cmp.Or(cmp.Compare(x.costs, y.costs), cmp.Compare(x.logs, y.logs), cmp.Compare(x.rule, y.rule))
	})
	best, free := base, 0
	greedy := map[string]string{}
	for _, l := range lines {
		f, changed, decided := a.without(l.rule)
		if f < best-1e-9 {
			continue
		}
		best, greedy[l.rule] = f, "off"
		free++
		a.off[l.rule] = true
		for i, s := range changed {
			a.now[i] = s
			a.note(i, decided[i])
		}
	}
	for _, l := range lines {
		t.Logf("costs %+.4f  decides in %2d projects, %3d labelled logs  %-3s  %s", l.costs, len(projects.of[l.rule]), l.logs, greedy[l.rule], l.rule)
	}
	t.Logf("%d of %d rules can be off together: score %.4f", free, len(lines), best)
}

// projects are the projects in which each rule decides.
type projects struct {
	all map[string]bool
	of  map[string]map[string]bool
}

func (p projects) add(rule, project string) {
	p.all[project] = true
	if p.of[rule] == nil {
		p.of[rule] = map[string]bool{}
	}
	p.of[rule][project] = true
}

// projectsOf reads all logs below EPISODES_LOGS and of the foreign corpus.
func projectsOf(t *testing.T) projects {
	p := projects{map[string]bool{}, map[string]map[string]bool{}}
	read := func(project, path string) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		_, decided := watched(t, Source{Path: filepath.Base(path)}, data, nil)
		for r := range decided {
			p.add(r, project)
		}
	}
	if dir := os.Getenv("EPISODES_LOGS"); dir != "" {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if rel, relErr := filepath.Rel(dir, path); err == nil && relErr == nil && !d.IsDir() && strings.HasSuffix(path, ".md") {
				project, _, _ := strings.Cut(filepath.ToSlash(rel), "/")
				read(project, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	paths, _ := filepath.Glob(filepath.Join(foreignCorpus, "other-md", "*.md"))
	for _, path := range paths {
		project, _, _ := strings.Cut(filepath.Base(path), "-")
		read(project, path)
	}
	return p
}
