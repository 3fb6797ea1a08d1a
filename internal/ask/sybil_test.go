package ask

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"episodes/episode"
	"episodes/internal/testing/few"
	"episodes/internal/testing/querytest"
	"episodes/query"
)

// told is what the questions that poisoned logs aim at are answered.
type told struct {
	effect   string // of the best path; "" for none
	path     query.Spread
	node     string // that the words of the better option name
	verdict  query.Verdict
	hangs    *query.HangsOn
	oneDay   bool
	patterns map[string]query.Pattern // by kind and action
}

func tell(t *testing.T, eps []*episode.Episode) told {
	t.Helper()
	m := newMemory(t)
	write(t, m, eps...)
	ctx := context.Background()
	out := told{patterns: map[string]query.Pattern{}}
	p, err := m.Path(ctx, PathRequest{From: querytest.SoundError, To: querytest.SoundEffect})
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Paths) > 0 {
		out.effect, out.path = p.Paths[0].Effect, p.Paths[0].Spread
	}
	x, err := m.Explain(ctx, ExplainRequest{Ref: querytest.SoundQuestion + ": " + querytest.SoundBetter})
	if err != nil {
		t.Fatal(err)
	}
	if x.Explanation != nil {
		out.node = x.Node.Node.ID
	}
	w, err := m.WhatIf(ctx, WhatIfRequest{Option: querytest.SoundBetter})
	if err != nil {
		t.Fatal(err)
	}
	out.verdict, out.hangs, out.oneDay = w.Verdict, w.HangsOn, w.OneDay
	for _, kind := range []query.PatternKind{query.GoodPattern, query.AntiPattern} {
		ps, err := m.Patterns(ctx, DefaultPatterns(kind))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range ps.Patterns {
			out.patterns[string(kind)+" "+p.Action] = p
		}
	}
	return out
}

// What became of an answer. A silenced one that is marked says what it is without the
// logs of one day.
const (
	same     = "same"
	silenced = "silenced"
	turned   = "turned"
	marked   = ", marked"
)

func became(was, is, none string, mark bool) string {
	out := same
	switch {
	case is == none:
		out = silenced
	case is != was:
		out = turned
	}
	if mark && out != same {
		out += marked
	}
	return out
}

// compare says what poison did to each answer.
func (was told) compare(is told) map[string]string {
	out := map[string]string{
		"path":    became(was.effect, is.effect, "", is.path.OneDay),
		"explain": became(was.node, is.node, "", false),
		"whatif":  became(string(was.verdict), string(is.verdict), string(query.NotEnoughEvidence), is.hangs != nil),
	}
	good, bad := "pattern "+querytest.SoundBetter, "anti_pattern "+querytest.SoundBetter
	switch p, contrary := is.patterns[bad]; {
	case contrary:
		out["patterns"] = became("", turned, "none", p.OneDay)
	case is.patterns[good].ID == "":
		out["patterns"] = silenced
	default:
		out["patterns"] = same
	}
	if was.patterns[good].ID == "" && out["patterns"] == silenced {
		out["patterns"] = same // there was none
	}
	return out
}

// poisons are the numbers of poisoned logs that are tried.
func poisons() []int {
	if few.Heavy() {
		return []int{1, 2, 8, 12, 20, 40}
	}
	return []int{2, 12}
}

// How many poisoned logs it takes to silence an answer or to turn it round, and what is
// promised: exact copies do no more than one log of each kind; what the logs of one day
// turn is marked; and one or two logs silence nothing unseen that has several sessions
// behind it.
func TestPoisonedLogs(t *testing.T) {
	if testing.Short() {
		t.Skip("asks memories of up to 80 sessions for a minute: go test without -short runs it")
	}
	questions := []string{"path", "explain", "whatif", "patterns"}
	var table strings.Builder
	for _, sound := range []int{6, 20, 40} {
		eps := querytest.Sound(sound, sound/2)
		clean := tell(t, eps)
		if clean.verdict != query.Better || clean.effect != query.LeadsTo || clean.oneDay || sound >= 20 && len(clean.patterns) != 2 {
			t.Fatalf("%d sound sessions: %+v", sound, clean)
		}
		for _, a := range querytest.Attacks() {
			var ofTwo map[string]string
			for _, n := range poisons() {
				got := clean.compare(tell(t, append(slices.Clone(eps), a.Against(n)...)))
				fmt.Fprintf(&table, "%2d sound, %2d poisoned %-18s", sound, n, a.String())
				for _, q := range questions {
					fmt.Fprintf(&table, " %s: %-16s", q, got[q])
					bad := ""
					switch {
					case a.Copies && n > 2 && got[q] != ofTwo[q]:
						bad = "more than two logs that are no copies"
					case !a.ManyDays && got[q] == turned:
						bad = "not marked"
					case n <= 2 && (got[q] == silenced || strings.HasPrefix(got[q], turned)):
						bad = "by one or two logs"
					}
					if bad != "" {
						t.Errorf("%d sound sessions, %d poisoned logs, %s: %s is %s: %s", sound, n, a, q, got[q], bad)
					}
				}
				table.WriteString("\n")
				if n == 2 {
					ofTwo = got
				}
			}
		}
	}
	t.Log("\n" + table.String())
}

// everything is all that a memory answers, exports and counts, but for the size and the
// name of its files.
func everything(t *testing.T, m *Memory) string {
	t.Helper()
	m, err := reopened(m)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	ctx := context.Background()
	var out bytes.Buffer
	add := func(v any, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		data, err := json.MarshalIndent(v, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		out.Write(data)
	}
	add(m.Path(ctx, PathRequest{From: querytest.SoundError, To: querytest.SoundEffect}))
	add(m.Explain(ctx, ExplainRequest{Ref: querytest.SoundQuestion + ": " + querytest.SoundBetter}))
	add(m.WhatIf(ctx, WhatIfRequest{Option: querytest.SoundBetter}))
	add(m.Patterns(ctx, DefaultPatterns(query.GoodPattern)))
	add(m.Patterns(ctx, DefaultPatterns(query.AntiPattern)))
	add(m.List(ctx, ListRequest{}))
	stats, err := m.Stats(ctx, StatsRequest{})
	if err == nil {
		stats.Bytes, stats.Generation = 0, ""
	}
	add(stats, err)
	for _, format := range ExportFormats() {
		if err := m.Export(ctx, &out, ExportRequest{Format: format, Private: true}); err != nil {
			t.Fatal(err)
		}
	}
	return out.String()
}

// To forget the poisoned episodes undoes them whole: every answer, export and figure is
// what it is in a memory that never read them.
func TestForgetUndoesPoison(t *testing.T) {
	sound := querytest.Sound(20, 10)
	clean := newMemory(t)
	write(t, clean, sound...)
	want := everything(t, clean)
	for _, a := range querytest.Attacks() {
		m := newMemory(t)
		poison := append(a.Against(8), a.Invented(6)...)
		for i, ep := range poison[8:] { // other names than those of the first
			ep.ID, ep.Session = fmt.Sprintf("%s-%d", ep.ID, i), fmt.Sprintf("%s-%d", ep.Session, i)
		}
		// A copy that takes the vote of a sound session.
		copied := *sound[3]
		copied.ID, copied.Session = "episode-000", "000"
		poison = append(poison, &copied)
		write(t, m, append(slices.Clone(sound), poison...)...)
		if everything(t, m) == want {
			t.Fatalf("%s: the poison does nothing", a)
		}
		var ids []string
		for _, ep := range poison {
			ids = append(ids, ep.ID)
		}
		other, err := reopened(m)
		if err != nil {
			t.Fatal(err)
		}
		got, err := other.Forget(context.Background(), ForgetRequest{Episodes: ids})
		other.Close()
		if err != nil || len(got.Forgotten) != len(ids) || len(got.Copies) != 1 || got.Copies[0] != sound[3].ID {
			t.Fatalf("%s: %v %+v", a, err, got)
		}
		if after := everything(t, m); after != want {
			t.Errorf("%s: something is left", a)
		}
	}
}
