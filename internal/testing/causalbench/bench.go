package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/infer"
	mined "episodes/patterns"
	"episodes/query"
	"episodes/query/text"
)

// questions are the benchmark's questions about one simulated world.
type questions struct {
	World       string     `json:"world"`
	IngestOrder []string   `json:"ingest_order"`
	Queries     []question `json:"queries"`
}

type question struct {
	ID       string   `json:"id"`
	Kind     string   `json:"kind"`
	Decision string   `json:"decision"`
	Option   string   `json:"option"`
	Options  []string `json:"options"`
	Task     string   `json:"task"`
	Seen     []string `json:"seen"`
	Absent   []string `json:"absent"`
	From     string   `json:"from"`
	To       string   `json:"to"`
}

// answers is the file of answers. Lists are never null.
type answers struct {
	Nodes    []nodeAnswer    `json:"nodes"`
	Edges    []edgeAnswer    `json:"edges"`
	WhatIf   []whatIfAnswer  `json:"whatif"`
	Patterns []patternAnswer `json:"patterns"`
	Policy   []policyAnswer  `json:"policy"`
	Paths    []pathAnswer    `json:"paths"`
}

type nodeAnswer struct {
	ID      string   `json:"id"`
	Label   string   `json:"label"`
	Members []string `json:"members"`
}

type edgeAnswer struct {
	Source string  `json:"source"`
	Target string  `json:"target"`
	Type   string  `json:"type"`
	Weight float64 `json:"weight"`
}

type whatIfAnswer struct {
	ID      string   `json:"id"`
	Abstain bool     `json:"abstain,omitempty"`
	P       *float64 `json:"p,omitempty"`
	Low     *float64 `json:"lo,omitempty"`
	High    *float64 `json:"hi,omitempty"`
}

type patternAnswer struct {
	Decision string  `json:"decision"`
	Option   string  `json:"option"`
	Task     string  `json:"task"`
	Seen     string  `json:"seen,omitempty"`
	Kind     string  `json:"kind"`
	Score    float64 `json:"score"`
	Asserted bool    `json:"asserted"`
	Text     string  `json:"text,omitempty"`
}

type policyAnswer struct {
	ID     string  `json:"id"`
	Option *string `json:"option"`
}

type pathAnswer struct {
	ID   string   `json:"id"`
	Path []string `json:"path"`
	P    float64  `json:"p"`
	Text string   `json:"text,omitempty"`
}

// outcomeLabel is how the benchmark names a session's success.
const outcomeLabel = "outcome: success"

func bench(folder, file, to string) error {
	var qs questions
	data, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("read the questions: %w", err)
	}
	if err := json.Unmarshal(data, &qs); err != nil {
		return fmt.Errorf("parse the questions: %w", err)
	}
	records, err := ingest(folder, qs.IngestOrder)
	if err != nil {
		return err
	}
	out, err := json.MarshalIndent(answer(infer.New(records), records, qs.Queries), "", " ")
	if err != nil {
		return fmt.Errorf("encode the answers: %w", err)
	}
	return os.WriteFile(to, append(out, '\n'), 0o644)
}

// ingest reads the episodes in the given order, with duplicates; all of the folder where
// no order is given.
func ingest(folder string, order []string) ([]infer.Record, error) {
	if len(order) == 0 {
		files, err := filepath.Glob(filepath.Join(folder, "*.json"))
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			order = append(order, strings.TrimSuffix(filepath.Base(f), ".json"))
		}
	}
	var out []infer.Record
	for _, id := range order {
		data, err := os.ReadFile(filepath.Join(folder, id+".json"))
		if err != nil {
			return nil, fmt.Errorf("read episode %s: %w", id, err)
		}
		ep, err := episode.Parse(data)
		if err != nil {
			return nil, fmt.Errorf("parse episode %s: %w", id, err)
		}
		out = append(out, infer.FromEpisode(ep))
	}
	return out, nil
}

func answer(s *infer.Study, records []infer.Record, qs []question) answers {
	out := answers{Nodes: nodes(s, records), Edges: []edgeAnswer{}, WhatIf: []whatIfAnswer{}, Policy: []policyAnswer{}, Paths: []pathAnswer{}, Patterns: patterns(s)}
	edges := s.Edges()
	for _, e := range edges {
		out.Edges = append(out.Edges, edgeAnswer{label(e.Source), label(e.Target), string(e.Type), e.Weight})
	}
	for _, q := range qs {
		switch q.Kind {
		case "whatif":
			out.WhatIf = append(out.WhatIf, whatIf(s, q))
		case "policy":
			out.Policy = append(out.Policy, policyAnswer{q.ID, choose(s, q, nil)})
		case "path":
			out.Paths = append(out.Paths, path(s, edges, q))
		}
	}
	return out
}

// nodes lists which records count as one fact.
func nodes(s *infer.Study, records []infer.Record) []nodeAnswer {
	members := map[string]map[string]bool{}
	labels := map[string]string{}
	add := func(f infer.Fact, member string) {
		k := f.Point.Key + "\x00" + f.Option.Key + "\x00" + f.Event.Key
		if members[k] == nil {
			members[k] = map[string]bool{}
			labels[k] = label(f)
		}
		members[k][member] = true
	}
	for _, r := range records {
		for _, c := range r.Choices {
			if f, ok := s.OptionFact(c.Point.Key, c.Option.Key); ok {
				add(f, r.Episode+"#"+c.Record)
			}
		}
		for _, e := range r.Events {
			if f, ok := s.EventFact(e.Name.Key); ok {
				add(f, r.Episode+"#"+e.Record)
			}
		}
	}
	out := []nodeAnswer{}
	for _, k := range slices.Sorted(maps.Keys(members)) {
		out = append(out, nodeAnswer{k, labels[k], slices.Sorted(maps.Keys(members[k]))})
	}
	return out
}

func label(f infer.Fact) string {
	switch {
	case f.IsOutcome():
		return outcomeLabel
	case f.Option.Key != "":
		return f.Point.Label + " => " + f.Option.Label
	}
	return f.Event.Label
}

func asked(s *infer.Study, q question) infer.Question {
	out := infer.Question{Point: infer.PointKey(q.Decision), Option: infer.OptionKey(q.Option), Task: infer.TaskKey(q.Task)}
	out.Seen, out.Absent = events(s, q.Seen), events(s, q.Absent)
	return out
}

func events(s *infer.Study, words []string) (out []string) {
	for _, w := range words {
		out = append(out, eventNamed(s, w))
	}
	return out
}

// eventNamed is the key of the event that words name, of any type.
func eventNamed(s *infer.Study, words string) string {
	for _, t := range episode.EventTypes() {
		if f, ok := s.EventFact(infer.EventKey(string(t), words)); ok {
			return f.Event.Key
		}
	}
	return infer.EventKey("", words) // no session had it
}

func whatIf(s *infer.Study, q question) whatIfAnswer {
	a := s.WhatIf(asked(s, q))
	if !a.Supported {
		return whatIfAnswer{ID: q.ID, Abstain: true}
	}
	return whatIfAnswer{ID: q.ID, P: &a.P, Low: &a.Interval.Low, High: &a.Interval.High}
}

// choose returns the option advised, or nil where nothing supports any.
func choose(s *infer.Study, q question, failed []string) *string {
	words := map[string]string{}
	var options []string
	for _, o := range slices.Sorted(slices.Values(q.Options)) {
		k := infer.OptionKey(o)
		words[k] = o
		options = append(options, k)
	}
	count := map[string]int{}
	for _, o := range failed {
		count[infer.OptionKey(o)]++
	}
	// An option that failed f times on the task has the predictive mean P·k/(k+f), if its success
	// rate there is Beta(kP, k(1-P)) distributed.
	const k = 3
	ask, best, most := asked(s, q), "", -1.0
	for _, o := range options {
		ask.Option = o
		if a := s.WhatIf(ask); a.Supported {
			if score := a.P * k / float64(k+count[o]); score > most {
				best, most = o, score
			}
		}
	}
	if w, ok := words[best]; ok {
		return &w
	}
	return nil
}

func patterns(s *infer.Study) []patternAnswer {
	out := []patternAnswer{}
	for _, c := range s.Claims() {
		general := c.Asserted && !c.TheseTasks // the benchmark asks what holds, also on other tasks
		p := patternAnswer{Decision: c.Point.Label, Option: c.Option.Label, Task: "*"}
		if c.Task != nil {
			p.Task = c.Task.Label
		}
		if c.Seen != nil {
			p.Seen = c.Seen.Label
		}
		rendered := text.Pattern(mined.Learned(c), 0)
		for _, kind := range []string{"pattern", "anti"} {
			p.Kind, p.Score, p.Asserted = kind, c.Effect, general && c.Raises()
			if kind == "anti" {
				p.Score, p.Asserted = -c.Effect, general && !c.Raises()
			}
			if p.Text = ""; p.Asserted {
				p.Text = rendered
			}
			out = append(out, p)
		}
	}
	slices.SortStableFunc(out, func(a, b patternAnswer) int { return cmp.Compare(b.Score, a.Score) })
	return out
}

func path(s *infer.Study, edges []infer.Edge, q question) pathAnswer {
	from, ok := factNamed(s, q.From)
	to, ok2 := factNamed(s, q.To)
	a := pathAnswer{ID: q.ID}
	if !ok || !ok2 {
		return a
	}
	l := query.Learn(edges, from, to, 3)
	a.Text = text.Path(&query.PathResult{From: query.Node{ID: from.Node, Label: l.From}, To: query.Node{ID: to.Node, Label: l.To}, Learned: l}, 0)
	named := map[string]string{}
	for _, e := range edges {
		named[query.FactLabel(e.Source)], named[query.FactLabel(e.Target)] = label(e.Source), label(e.Target)
	}
	for _, p := range l.Raises {
		if slices.ContainsFunc(p.Hops, func(h query.LearnedHop) bool { return h.Type == episode.Prevents }) {
			continue
		}
		a.P = p.P
		a.Path = []string{named[p.Hops[0].Source]}
		for _, h := range p.Hops {
			a.Path = append(a.Path, named[h.Target])
		}
		break
	}
	return a
}

func factNamed(s *infer.Study, words string) (infer.Fact, bool) {
	if words == outcomeLabel {
		return infer.Fact{}, true
	}
	if q, o, ok := strings.Cut(words, " => "); ok {
		return s.OptionFact(infer.PointKey(q), infer.OptionKey(o))
	}
	return s.EventFact(eventNamed(s, words))
}
