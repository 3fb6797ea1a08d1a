package team

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"episodes/internal/pg"
	"episodes/internal/testing/few"
	"episodes/internal/testing/pgtest"
)

// oneChange puts an episode or, without a body, removes one.
type oneChange struct {
	Episode
	remove bool
}

func drawEpisode(t *rapid.T, id string) Episode {
	words := slices.Sorted(maps.Keys(rapid.MapOfN(rapid.Int64Range(1, 9), rapid.Just(true), 0, 6).Draw(t, "words")))
	e := text(id, fmt.Sprint(rapid.IntRange(0, 3).Draw(t, "version"), words), words...)
	e.Private = rapid.IntRange(0, 3).Draw(t, "private") == 0
	return e
}

// drawChanges draws changes of different episodes.
func drawChanges(t *rapid.T, what string) (out []oneChange) {
	for i := range 8 {
		if !rapid.Bool().Draw(t, what) {
			continue
		}
		c := oneChange{Episode: drawEpisode(t, fmt.Sprint("episode-", i))}
		c.remove = rapid.IntRange(0, 3).Draw(t, "remove") == 0
		out = append(out, c)
	}
	return out
}

// write brings changes in, in one transaction.
func write(t *rapid.T, s *Store, changes []oneChange) {
	t.Helper()
	var put []Episode
	var remove []string
	for _, c := range changes {
		if c.remove {
			remove = append(remove, c.ID)
		} else {
			put = append(put, c.Episode)
		}
	}
	must(t, s.Write(context.Background(), put, remove))
}

// state is what the store holds of a project: its episodes, and its sums.
func state(t rapid.TB, s *Store) string {
	t.Helper()
	var rows, words string
	var sessions int
	const id = "(select id from episodes.project where name = $1)"
	for sql, to := range map[string]any{
		"select coalesce(string_agg(concat_ws(' ', holder, e.id, sha256, body, array(select w # (project << 40) from unnest(words) w)), E'\\n' order by holder, e.id), '') from episodes.episode e where project = " + id: &rows,
		"select coalesce(string_agg(word || ' in ' || sessions, ', ' order by word), '') from episodes.word where sessions <> 0 and project = " + id:                                                                      &words,
		"select coalesce(min(sessions), 0) from episodes.project where id = " + id:                                                                                                                                        &sessions,
	} {
		must(t, s.conn.QueryRow(context.Background(), sql, s.Name()).Scan(to))
	}
	return fmt.Sprintf("%s\nwords %s\nsessions %d", rows, words, sessions)
}

// expected is the state after changes one after another, by their definition.
func expected(login string, changes []oneChange) string {
	type key struct{ holder, id string }
	all := map[key]Episode{}
	for _, c := range changes {
		switch {
		case c.remove:
			delete(all, key{"", c.ID})
			delete(all, key{login, c.ID})
		case c.Private:
			all[key{login, c.ID}] = c.Episode
		default:
			delete(all, key{login, c.ID})
			all[key{"", c.ID}] = c.Episode
		}
	}
	var rows, words []string
	sums, sessions := map[int64]int{}, 0
	for _, k := range slices.SortedFunc(maps.Keys(all), func(a, b key) int { return cmp.Or(cmp.Compare(a.holder, b.holder), cmp.Compare(a.id, b.id)) }) {
		e := all[k]
		set := strings.ReplaceAll(strings.Trim(fmt.Sprint(e.Words), "[]"), " ", ",")
		rows = append(rows, fmt.Sprintf("%s %s %s \\x%x {%s}", k.holder, e.ID, e.SHA256, e.Body, set))
		if k.holder == "" {
			sessions++
			for _, w := range e.Words {
				sums[w]++
			}
		}
	}
	for _, w := range slices.Sorted(maps.Keys(sums)) {
		words = append(words, fmt.Sprintf("%d in %d", w, sums[w]))
	}
	return fmt.Sprintf("%s\nwords %s\nsessions %d", strings.Join(rows, "\n"), strings.Join(words, ", "), sessions)
}

// in is a store in another project, on the same connection.
func in(s *Store, project string) *Store {
	return &Store{db: &pg.DB{URL: s.db.URL, Project: project}, conn: s.conn}
}

// check checks a property, each time with names of projects that were not used before.
func check(t *testing.T, property func(t *rapid.T, name func() string)) {
	t.Helper()
	n := 0
	name := func() string {
		n++
		return fmt.Sprint("p", n)
	}
	rapid.Check(t, func(rt *rapid.T) { property(rt, name) })
}

// The store is a function of what was pushed, change by change: batches, their being done
// twice, and the order among different episodes make no difference; the sums are those of the
// episodes that are there.
func TestAnyOrderAndBatch(t *testing.T) {
	ada := open(t, pgtest.Login(t, pgtest.Store(t), "ada", "episodes_writer"), "")
	few.Checks(t, 10)
	check(t, func(rt *rapid.T, next func() string) {
		var history []oneChange
		one, other := in(ada, next()), in(ada, next())
		for range rapid.IntRange(1, 4).Draw(rt, "rounds") {
			changes := drawChanges(rt, "change")
			history = append(history, changes...)
			write(rt, one, changes)
			for shuffled := rapid.Permutation(changes).Draw(rt, "order"); len(shuffled) > 0; {
				n := rapid.IntRange(1, len(shuffled)).Draw(rt, "batch")
				for range rapid.IntRange(1, 2).Draw(rt, "times") {
					write(rt, other, shuffled[:n])
				}
				shuffled = shuffled[n:]
			}
			want := expected("ada", history)
			for _, s := range []*Store{one, other} {
				if got := state(rt, s); got != want && len(history) > 0 {
					rt.Fatalf("the store holds\n%s\nwhat was pushed is\n%s", got, want)
				}
			}
		}
	})
}

// Find is what its definition says, for each login and each choice of projects.
func TestFindIsItsDefinition(t *testing.T) {
	store := pgtest.Store(t)
	logins := map[string]*Store{}
	for _, name := range []string{"ada", "bob"} {
		logins[name] = open(t, pgtest.Login(t, store, name, "episodes_writer"), "")
	}
	few.Checks(t, 10)
	check(t, func(rt *rapid.T, next func() string) {
		var all []Found                 // shared ones
		private := map[string][]Found{} // by login
		projects := []Project{}
		for range rapid.IntRange(1, 3).Draw(rt, "projects") {
			s := in(logins["ada"], next())
			var put []Episode
			for i := range rapid.IntRange(1, 12).Draw(rt, "episodes") {
				e := drawEpisode(rt, fmt.Sprintf("episode-%s-%d", s.Name(), i))
				put = append(put, e)
				if e.Private {
					private["ada"] = append(private["ada"], Found{s.Name(), e})
				} else {
					all = append(all, Found{s.Name(), e})
				}
			}
			must(rt, s.Write(t.Context(), put, nil))
			p, err := s.Project(t.Context())
			must(rt, err)
			if rapid.IntRange(0, 3).Draw(rt, "left out") > 0 {
				projects = append(projects, p)
			}
		}
		words := rapid.MapOfN(rapid.Int64Range(1, 11), rapid.Float64Range(0.1, 3), 0, 6).Draw(rt, "question")
		for login, s := range logins {
			found, sums, err := s.Find(t.Context(), projects, words)
			must(rt, err)
			compareFound(rt, found, sums, projects, all, private[login], words)
		}
	})
}

// compareFound computes an answer anew. Episodes that fit equally well may come in any order.
func compareFound(t *rapid.T, found []Found, sums Sums, of []Project, shared, private []Found, words map[int64]float64) {
	t.Helper()
	asked := func(f Found) bool {
		return slices.ContainsFunc(of, func(p Project) bool { return p.Name == f.Project })
	}
	sessions, holding := 0, map[int64]int{}
	for _, f := range shared {
		if !asked(f) {
			continue
		}
		sessions++
		for _, w := range f.Words {
			if _, ok := words[w]; ok {
				holding[w]++
			}
		}
	}
	maps.DeleteFunc(sums.Holding, func(_ int64, n int) bool { return n == 0 })
	if sums.Sessions != sessions || !maps.Equal(sums.Holding, holding) {
		t.Fatalf("%+v, counted anew %d %v", sums, sessions, holding)
	}
	own := map[int64]bool{}
	for _, f := range private {
		for _, w := range f.Words {
			own[w] = own[w] || asked(f)
		}
	}
	score := map[string]float64{}
	body := map[string]string{}
	var best []float64
	for _, f := range slices.Concat(shared, private) {
		if !asked(f) {
			continue
		}
		sum := 0.0
		for _, w := range f.Words {
			if n := holding[w]; n > 0 || own[w] {
				sum += words[w] * math.Log(1+float64(max(sessions, 1))/(float64(n)+0.5))
			}
		}
		if sum > 0 {
			name := fmt.Sprint(f.Project, f.ID, f.Private)
			score[name], body[name] = sum, string(f.Body)
			best = append(best, sum)
		}
	}
	slices.SortFunc(best, func(a, b float64) int { return cmp.Compare(b, a) })
	if len(found) != min(len(best), mostFound) {
		t.Fatalf("%d found, %d fit: %v", len(found), len(best), score)
	}
	seen := map[string]bool{}
	for i, f := range found {
		name := fmt.Sprint(f.Project, f.ID, f.Private)
		if seen[name] || math.Abs(score[name]-best[i]) > 1e-9 || body[name] != string(f.Body) {
			t.Fatalf("place %d: %s of %v, there the best is of %v", i, name, score[name], best[i])
		}
		seen[name] = true
	}
}

// A word that thousands of sessions hold is left out beside one that few do.
func TestCommonWordsAreLeftOut(t *testing.T) {
	store := pgtest.Store(t)
	pgtest.Exec(t, store, fmt.Sprintf(`insert into episodes.project (name, sessions) values ('p', %[1]d);
		insert into episodes.episode (project, id, sha256, log, body, words) select 1, 'episode-' || n, '', '', '', array[1 # (1::bigint << 40)] || case when n <= 3 then array[2 # (1::bigint << 40)] else '{}' end from generate_series(1, %[1]d) n;
		insert into episodes.word values (1, 1, %[1]d), (1, 2, 3)`, mostRows+1))
	s := open(t, store, "p")
	p, err := s.Project(t.Context())
	must(t, err)
	for words, want := range map[*map[int64]float64]int{{1: 1, 2: 1}: 3, {1: 1}: mostFound, {2: 1}: 3, {3: 1}: 0} {
		found, _, err := s.Find(t.Context(), []Project{p}, *words)
		if err != nil || len(found) != want {
			t.Errorf("%v: %d found, %v; want %d", *words, len(found), err, want)
		}
	}
}

// must ends a test at an error.
func must(t rapid.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
