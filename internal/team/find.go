package team

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/jackc/pgx/v5"
)

// Found is an episode that fits a question.
type Found struct {
	Project string
	Episode
}

// Sums say how much the projects of a question hold.
type Sums struct {
	Sessions int
	Holding  map[int64]int // sessions that hold a word
}

// Limits of a search: so many rows of the index are looked at, and so many episodes read.
const (
	mostRows  = 4000
	mostFound = 48
)

// Find returns the episodes that hold most of the words of a question, weighted: common words
// count little, and the most common ones are left out because they are slow. of lists the
// projects to search, some or all of those that Projects returns.
func (s *Store) Find(ctx context.Context, of []Project, words map[int64]float64) ([]Found, Sums, error) {
	sums := Sums{Holding: map[int64]int{}}
	ids, names := make([]int64, len(of)), make(map[int64]string, len(of))
	for i, p := range of {
		ids[i], names[p.ID] = p.ID, p.Name
		sums.Sessions += p.Sessions
	}
	all := make([]int64, 0, len(words))
	for w := range words {
		all = append(all, w)
	}
	slices.Sort(all)
	type count struct {
		word, rows int64
		own        bool // in a private episode of this login
	}
	counts, err := query(ctx, s, "search", func(row pgx.CollectableRow) (c count, err error) {
		return c, row.Scan(&c.word, &c.rows, &c.own)
	}, `select word, sum(rows)::bigint, bool_or(own) from (
			select word, least(sessions, 1000000000) as rows, false as own from episodes.word where project = any($1) and word = any($2)
			union all
			select w, 0, true from episodes.own_words($1, $2) w
		) t group by word`, ids, all)
	if err != nil {
		return nil, sums, err
	}
	weight := make(map[int64]float64, len(counts))
	for _, c := range counts {
		sums.Holding[c.word] = int(c.rows)
		weight[c.word] = words[c.word] * math.Log(1+float64(max(sums.Sessions, 1))/(float64(c.rows)+0.5))
	}
	slices.SortFunc(counts, func(a, b count) int {
		return cmp.Or(cmp.Compare(weight[b.word], weight[a.word]), cmp.Compare(a.word, b.word))
	})
	var ask []int64
	var weights []float64
	rows := int64(0)
	for _, c := range counts {
		if c.rows <= 0 && !c.own || rows > 0 && rows+c.rows > mostRows {
			continue
		}
		rows += c.rows
		ask, weights = append(ask, c.word), append(weights, weight[c.word])
	}
	if len(ask) == 0 {
		return nil, sums, nil
	}
	found, err := query(ctx, s, "search", func(row pgx.CollectableRow) (f Found, err error) {
		var project int64
		var holder string
		err = row.Scan(&project, &holder, &f.ID, &f.Body)
		f.Project, f.Private = names[project], holder != ""
		return f, err
	}, "select project, holder, id, body from episodes.find($1, $2, $3, $4)", ids, ask, weights, mostFound)
	return found, sums, err
}

// Named lists ids of the project: the exact ones where there are any, else those that begin
// with one of some names. At most a few are listed.
func (s *Store) Named(ctx context.Context, names ...string) ([]string, error) {
	const most = 20
	ids := func(where string) ([]string, error) {
		return query(ctx, s, "search", pgx.RowTo[string],
			"select distinct e.id"+visible+" and exists (select 1 from unnest($2::text[]) n where "+where+") order by 1 limit $3",
			s.db.Project, names, most)
	}
	exact, err := ids("e.id = n")
	if err != nil || len(exact) > 0 {
		return exact, err
	}
	return ids("starts_with(e.id, n)")
}
