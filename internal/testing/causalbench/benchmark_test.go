package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The benchmark is not part of the repository. TestBench asks the same questions of a
// small world that is.
const (
	benchDir = "../../../shared/bench/causal"
	seeds    = 2
)

// world has the scores of one world and seed; nil where one is undefined.
type world struct {
	World        string
	Identifiable bool
	Skill        *float64
	Typed        *float64       `json:"edge_f1_typed"`
	Error        *float64       `json:"wi_mae"`
	Coverage     *float64       `json:"wi_cov90"`
	Abstained    *float64       `json:"wi_abstain_nil"`
	Uplift       *float64       `json:"policy_uplift"`
	Path         *float64       `json:"path_exact"`
	False        *float64       `json:"pat_false"`
	Over         map[string]int `json:"over_budget"`
}

// TestAgainstTheBenchmark scores the answers on new worlds with the benchmark's scorer,
// and compares them with its reference implementation.
func TestAgainstTheBenchmark(t *testing.T) {
	if os.Getenv("EPISODES_HEAVY") == "" {
		t.Skip("takes minutes; set EPISODES_HEAVY=1")
	}
	scorer := filepath.Join(benchDir, "scorer.py")
	if _, err := os.Stat(scorer); err != nil {
		t.Skip("the benchmark of causal answers is not here")
	}
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3 for the scorer")
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "causalbench")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	first := time.Now().Unix() / (24 * 60 * 60) // other worlds each day
	var list []string
	for i := range seeds {
		list = append(list, fmt.Sprint(int(first)*10+i))
	}
	t.Logf("seeds %s", strings.Join(list, ","))
	run := func(name string, args ...string) []world {
		file := filepath.Join(dir, name+".json")
		cmd := exec.Command(python, append([]string{"-B", scorer, "suite", "--seeds", strings.Join(list, ","), "--data", filepath.Join(dir, "data"), "--json", file}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		data, err := os.ReadFile(file)
		check(t, err)
		var all map[string]map[string][]world
		check(t, json.Unmarshal(data, &all))
		var ws []world
		for _, of := range all[name] {
			ws = append(ws, of...)
		}
		return ws
	}
	ref := run("ref", "--engines", "ref")
	mine := run("mine", "--name", "mine", "--cmd", program+" bench --episodes {episodes} --queries {queries} --out {out}")
	figure := func(ws []world, of func(world) *float64) float64 {
		sum, n := 0.0, 0.0
		for _, w := range ws {
			if x := of(w); w.Identifiable && x != nil {
				sum, n = sum+*x, n+1
			}
		}
		return sum / n
	}
	skill, typed := func(w world) *float64 { return w.Skill }, func(w world) *float64 { return w.Typed }
	between := func(what string, x, low, high float64) {
		t.Logf("%s %.3f", what, x)
		if !(x >= low && x <= high) {
			t.Errorf("%s %.3f, want %.3f to %.3f", what, x, low, high)
		}
	}
	between("skill", figure(mine, skill), figure(ref, skill)-.02, 1)
	between("typed edge F1", figure(mine, typed), figure(ref, typed)-.02, 1)
	between("what-if error", figure(mine, func(w world) *float64 { return w.Error }), 0, max(.05, figure(ref, func(w world) *float64 { return w.Error })+.002))
	between("coverage", figure(mine, func(w world) *float64 { return w.Coverage }), .85, .95)
	between("abstention where nothing was tried", figure(mine, func(w world) *float64 { return w.Abstained }), 1, 1)
	uplift := func(w world) *float64 { return w.Uplift }
	between("policy uplift", figure(mine, uplift), min(.84, figure(ref, uplift)-.02), 1)
	path := func(w world) *float64 { return w.Path }
	between("exact paths", figure(mine, path), min(.95, figure(ref, path)-.02), 1)
	wrong, null, over := 0.0, 0.0, 0
	for _, w := range mine {
		if strings.HasPrefix(w.World, "null") {
			wrong, null = wrong+*w.False, null+1
		}
		for _, n := range w.Over {
			over += n
		}
	}
	between("false patterns per idle world", wrong/null, 0, 1)
	between("texts over budget", float64(over), 0, 0)
}
