package extract

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"episodes/episode"
)

// transcriptBench is the folder with the labelled transcripts, which are not part of the
// repository. EPISODES_TRANSCRIPTS names another one.
func transcriptBench() string {
	return cmp.Or(os.Getenv("EPISODES_TRANSCRIPTS"), "../../shared/bench/transcripts")
}

// sessionLabels are what a reader found in a transcript. The labels are exhaustive: a claim
// that matches none is wrong, unless it is at an optional place.
type sessionLabels struct {
	File, SHA256, Unit string
	Failures           []struct {
		ID, Kind, Signature string
		Call, At            place
		Also                []place
	}
	Fixes []struct {
		Failure      string
		By           []place
		Passes, Gone place
	}
	Decisions []struct {
		At      []place
		Chosen  string
		Outcome string
	}
	Corrections []struct{ At place }
	Optional    []struct {
		At []place
		As string
	}
}

// place is a position or a range of positions; zero: none.
type place episode.Span

func (p *place) UnmarshalJSON(b []byte) error {
	if bytes.HasPrefix(b, []byte("[")) {
		return json.Unmarshal(b, (*episode.Span)(p))
	}
	var n int
	err := json.Unmarshal(b, &n)
	*p = place{n, n}
	return err
}

// widest is the longest span that still tells where something is, by unit.
var widest = map[string]int{"line": 40, "step": 12, "message": 12, "part": 40, "markdown": 600}

// near rates how well a span fits one of several places: 2 to 3 where they overlap, 1 where
// they are neighbours, 0 where neither.
func (l *sessionLabels) near(s episode.Span, at ...place) (best float64) {
	unit, tolerance := l.Unit, 1
	if strings.HasSuffix(l.File, ".md") {
		unit, tolerance = "markdown", 3
	}
	if s[0] == 0 || s[1]-s[0]+1 > widest[unit] {
		return 0
	}
	for _, p := range at {
		if p[0] == 0 {
			continue
		}
		switch common := min(p[1], s[1]) - max(p[0], s[0]) + 1; {
		case common > 0:
			best = max(best, 2+float64(common)/float64(max(p[1], s[1])-min(p[0], s[0])+1))
		case common > -tolerance:
			best = max(best, 1)
		}
	}
	return best
}

// pair matches labels and claims one to one, the best pairs first.
func pair(labels, claims int, fits func(label, claim int) float64) map[int]int {
	type candidate struct {
		score        float64
		label, claim int
	}
	var all []candidate
	for i := range labels {
		for j := range claims {
			if f := fits(i, j); f > 0 {
				all = append(all, candidate{f, i, j})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
	out, taken := map[int]int{}, map[int]bool{}
	for _, c := range all {
		if _, done := out[c.label]; !done && !taken[c.claim] {
			out[c.label], taken[c.claim] = c.claim, true
		}
	}
	return out
}

// transcriptScore counts what is right in the episodes of labelled transcripts.
type transcriptScore struct {
	failures, fixes, decisions, corrections counts
	outcomes, decided                       int // decisions found that have the right outcome; labelled success or failure
}

// add scores one episode.
func (s *transcriptScore) add(l *sessionLabels, ep *episode.Episode) {
	errors := s.addFailures(l, ep)
	linked := s.addFixes(l, ep, errors)
	s.addDecisions(l, ep, linked)
	claims := events(ep, episode.Correction)
	span := func(j int) episode.Span { return ep.Provenance.Spans[claims[j].ID] }
	s.corrections.tally(len(l.Corrections), len(claims), func(i, j int) float64 { return l.near(span(j), l.Corrections[i].At) },
		func(j int) bool { return l.optional(span(j), "correction") || l.optional(span(j), "decision") })
}

// tally counts the claims that are labelled and those that are not; an optional one counts only if it is. It returns
// the pairs.
func (c *counts) tally(labels, claims int, fits func(label, claim int) float64, optional func(claim int) bool) map[int]int {
	m := pair(labels, claims, fits)
	c.labelled += labels
	c.matched += len(m)
	c.extracted += len(m)
	right := slices.Collect(maps.Values(m))
	for j := range claims {
		if !slices.Contains(right, j) && !optional(j) {
			c.extracted++
		}
	}
	return m
}

func (l *sessionLabels) optional(at episode.Span, as string) bool {
	for _, o := range l.Optional {
		if o.As == as && l.near(at, o.At...) > 0 {
			return true
		}
	}
	return false
}

func events(ep *episode.Episode, kind episode.EventType) (out []episode.Event) {
	for _, v := range ep.Events {
		if v.Type == kind {
			out = append(out, v)
		}
	}
	return out
}

// addFailures scores the failures and returns the index of the label of each event that tells one;
// -1 for an optional one.
func (s *transcriptScore) addFailures(l *sessionLabels, ep *episode.Episode) map[string]int {
	claims, told := events(ep, episode.Error), map[string]int{}
	fits := func(i int, v episode.Event) float64 {
		f := l.Failures[i]
		near := l.near(ep.Provenance.Spans[v.ID], append([]place{f.Call, f.At}, f.Also...)...)
		if near == 0 {
			return 0
		}
		return near + wordF1(f.Signature, v.Key+" "+v.Content)/2
	}
	for i, j := range pair(len(l.Failures), len(claims), func(i, j int) float64 { return fits(i, claims[j]) }) {
		told[claims[j].ID] = i
	}
	for _, v := range claims {
		if _, ok := told[v.ID]; ok {
			continue
		}
		if l.optional(ep.Provenance.Spans[v.ID], "failure") {
			told[v.ID] = -1
			continue
		}
		s.failures.extracted++
	}
	tests := events(ep, episode.Test) // a failing test may be told by its test alone
	found := map[int]bool{}
	for _, i := range told {
		if i >= 0 {
			found[i] = true
		}
	}
	alone := pair(len(l.Failures), len(tests), func(i, j int) float64 {
		if found[i] || l.Failures[i].Kind != "test" {
			return 0
		}
		return fits(i, tests[j])
	})
	for i, j := range alone {
		told[tests[j].ID], found[i] = i, true
	}
	s.failures.labelled += len(l.Failures)
	s.failures.matched += len(found)
	s.failures.extracted += len(found)
	return told
}

// waysOut are the records that are said to have ended each error.
func waysOut(ep *episode.Episode) map[string][]string {
	kind, isError, out := map[string]string{}, map[string]bool{}, map[string][]string{}
	for _, d := range ep.Decisions {
		kind[d.ID] = string(d.Type)
	}
	for _, v := range ep.Events {
		kind[v.ID], isError[v.ID] = string(v.Type), v.Type == episode.Error || v.Type == episode.Test
	}
	for _, link := range ep.Links {
		for _, ends := range [][2]string{{link.Source, link.Target}, {link.Target, link.Source}} {
			by, failure := ends[0], ends[1]
			if isError[failure] && kind[by] != "" && kind[by] != string(episode.Error) && (link.Type == episode.Prevents || kind[by] == string(episode.Recovery)) {
				out[failure] = append(out[failure], by)
			}
		}
	}
	return out
}

// addFixes scores the ways out and returns the records that are part of one.
func (s *transcriptScore) addFixes(l *sessionLabels, ep *episode.Episode, told map[string]int) map[string]bool {
	linked, hit := map[string]bool{}, map[int]bool{}
	ways := waysOut(ep)
	for _, v := range ep.Events {
		by, claimed := ways[v.ID]
		for _, b := range by {
			linked[b] = true
		}
		i, known := told[v.ID]
		if !claimed || known && i < 0 || l.optional(ep.Provenance.Spans[v.ID], "fix") {
			continue
		}
		right := false
		for n, f := range l.Fixes {
			if !known || f.Failure != l.Failures[i].ID || hit[n] || right {
				continue
			}
			for _, b := range by {
				right = right || l.near(ep.Provenance.Spans[b], append(slices.Clone(f.By), f.Passes, f.Gone)...) > 0
			}
			hit[n] = right
		}
		s.fixes.extracted++
		if right {
			s.fixes.matched++
		}
	}
	s.fixes.labelled += len(l.Fixes)
	return linked
}

func (s *transcriptScore) addDecisions(l *sessionLabels, ep *episode.Episode, linked map[string]bool) {
	var claims []episode.Decision
	for _, d := range ep.Decisions {
		if d.Type != episode.Recovery || !linked[d.ID] {
			claims = append(claims, d)
		}
	}
	span := func(j int) episode.Span { return ep.Provenance.Spans[claims[j].ID] }
	m := s.decisions.tally(len(l.Decisions), len(claims), func(i, j int) float64 {
		near := l.near(span(j), l.Decisions[i].At...)
		if near == 0 {
			return 0
		}
		return near + wordF1(l.Decisions[i].Chosen, claims[j].Chosen)/2
	}, func(j int) bool { return l.optional(span(j), "decision") })
	for i, d := range l.Decisions {
		if d.Outcome == "unknown" {
			continue
		}
		s.decided++
		if j, found := m[i]; found && string(claims[j].Outcome) == d.Outcome {
			s.outcomes++
		}
	}
}

// TestTranscriptLabels scores the episodes of transcripts against exhaustive labels.
func TestTranscriptLabels(t *testing.T) {
	bench := transcriptBench()
	if !fileExists(filepath.Join(bench, "given")) {
		t.Skipf("skipped: the labelled transcripts are not here (%s; EPISODES_TRANSCRIPTS names another folder)", bench)
	}
	for _, set := range []string{"first", "new"} {
		t.Run(set, func(t *testing.T) { scoreTranscripts(t, bench, set) })
	}
}

func scoreTranscripts(t *testing.T, bench, set string) {
	paths, err := filepath.Glob("../testdata/transcriptlabels/" + set + "/*.json")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no labels: %v", err)
	}
	var s transcriptScore
	for _, path := range paths {
		l := &sessionLabels{}
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(b, l); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		data, err := os.ReadFile(filepath.Join(bench, filepath.FromSlash(l.File)))
		if err != nil {
			t.Fatal(err)
		}
		if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != l.SHA256 {
			t.Fatalf("%s is not the file that was labelled", l.File)
		}
		res, err := extractor.Read(Source{Path: l.File}, bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		s.add(l, res.Episode)
	}
	t.Logf("%-11s %9s %6s %5s   right of labelled, claimed", "", "precision", "recall", "F1")
	for _, k := range []struct {
		name string
		c    counts
	}{{"failures", s.failures}, {"ways out", s.fixes}, {"decisions", s.decisions}, {"corrections", s.corrections}} {
		t.Logf("%-11s %9.2f %6.2f %5.2f   %d of %d, %d", k.name, k.c.precision(), k.c.recall(), k.c.f1(), k.c.matched, k.c.labelled, k.c.extracted)
	}
	t.Logf("of %d decisions that went well or ill %d are found with that outcome", s.decided, s.outcomes)
	if s.failures.f1() < 0.80 {
		t.Errorf("F1 of failures is %.2f", s.failures.f1())
	}
}
