package team

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"episodes/internal/pg"
)

// Episode is an episode file in the store.
type Episode struct {
	ID      string
	Private bool // for the login that pushed it
	SHA256  string
	Log     string // SHA-256 of the log that it was made from
	Body    []byte
	Words   []int64 // see recall.Session.Hashes
	Pusher  string  // the login that pushed it, by the server

	Was string // the version that it replaces; "" for a new episode
}

// Version names a version of an episode file.
type Version struct {
	ID, SHA256, Log string // see Episode
	Private         bool
}

// visible selects from the episodes of project $1 those that this login may read.
const visible = " from episodes.episode e join episodes.project p on p.id = e.project where p.name = $1 and holder in ('', session_user)"

// Versions lists what the store has of the project: the shared episodes, and those that this
// login keeps private; sorted by id. There are none where there is no project.
func (s *Store) Versions(ctx context.Context) ([]Version, error) {
	return query(ctx, s, "list the episodes of", func(row pgx.CollectableRow) (v Version, err error) {
		return v, row.Scan(&v.ID, &v.SHA256, &v.Log, &v.Private)
	}, "select e.id, sha256, log, holder <> ''"+visible+" order by e.id, holder", s.db.Project)
}

// Bodies returns episodes of the project, as Versions lists them; what is gone is left out.
func (s *Store) Bodies(ctx context.Context, ids []string) ([]Episode, error) {
	return query(ctx, s, "read episodes of", func(row pgx.CollectableRow) (e Episode, err error) {
		return e, row.Scan(&e.ID, &e.Private, &e.SHA256, &e.Body, &e.Pusher)
	}, "select e.id, holder <> '', sha256, body, pusher"+visible+" and e.id = any($2) order by e.id, holder", s.db.Project, ids)
}

// Gone lists, by id and by the hash of its log, what was removed from the project and is not to
// come back.
func (s *Store) Gone(ctx context.Context) (map[string]bool, error) {
	out := map[string]bool{}
	rows, err := query(ctx, s, "list what is gone from", func(row pgx.CollectableRow) (v [2]string, err error) {
		return v, row.Scan(&v[0], &v[1])
	}, "select g.id, g.log from episodes.gone g join episodes.project p on p.id = g.project where p.name = $1", s.db.Project)
	for _, r := range rows {
		out[r[0]], out[r[1]] = true, true
	}
	return out, err
}

// MayWrite says whether Write would be refused. It changes nothing.
func (s *Store) MayWrite(ctx context.Context) error {
	err := s.begin(ctx, "write to", func(tx pgx.Tx) error {
		id, err := s.db.MakeProject(ctx, tx)
		if err == nil {
			_, err = tx.Exec(ctx, "select from episodes.project where id = $1 for update skip locked", id)
		}
		return cmp.Or(err, errUndone)
	})
	if errors.Is(err, errUndone) {
		return nil
	}
	return err
}

// errUndone ends a transaction that is not meant to change anything.
var errUndone = errors.New("undone")

// Write adds or replaces episodes in the store and removes others, all in one transaction. It
// creates the project if it does not exist.
func (s *Store) Write(ctx context.Context, put []Episode, remove []string) error {
	_, err := s.write(ctx, put, remove, true)
	return err
}

// Update is Write that leaves shared episodes as they are where they are not what Episode.Was
// says: others changed them. Their ids are kept.
func (s *Store) Update(ctx context.Context, put []Episode, remove []string) (kept []string, err error) {
	return s.write(ctx, put, remove, false)
}

func (s *Store) write(ctx context.Context, put []Episode, remove []string, force bool) (kept []string, err error) {
	err = s.begin(ctx, "write to", func(tx pgx.Tx) error {
		id, err := s.db.MakeProject(ctx, tx)
		if err != nil {
			return err
		}
		// Writers of one project wait for each other here.
		err = tx.QueryRow(ctx, "select id from episodes.project where id = $1 for update", id).Scan(&id)
		if errors.Is(err, pgx.ErrNoRows) {
			err = pg.ErrRefused // since a moment ago
		}
		if err != nil {
			return err
		}
		there, err := stored(ctx, tx, id, put, remove)
		if err != nil {
			return err
		}
		if !force {
			put, kept = there.meant(put)
		}
		batch := &pgx.Batch{}
		queue(batch, id, put, remove)
		there.change(put, remove).queue(batch, id)
		return tx.SendBatch(ctx, batch).Close()
	})
	return kept, err
}

// present are shared episodes in the store, by id.
type present map[string]struct {
	sha256 string
	words  []int64
}

// stored reads what is there of what is to be written.
func stored(ctx context.Context, tx pgx.Tx, project int64, put []Episode, remove []string) (present, error) {
	ids := slices.Clone(remove)
	for _, e := range put {
		ids = append(ids, e.ID)
	}
	out := present{}
	rows, err := tx.Query(ctx,
		"select id, sha256, words from episodes.episode where project = $1 and holder = '' and id = any($2)",
		project, ids)
	if err != nil {
		return nil, err
	}
	var id, sha256 string
	var words []int64
	_, err = pgx.ForEachRow(rows, []any{&id, &sha256, &words}, func() error {
		v := out[id]
		v.sha256, v.words = sha256, inProject(project, words)
		out[id] = v
		return nil
	})
	return out, err
}

// meant parts what replaces the version that it is meant to replace from the rest.
func (v present) meant(put []Episode) (write []Episode, kept []string) {
	for _, e := range put {
		if e.Private || v[e.ID].sha256 == e.Was {
			write = append(write, e)
		} else {
			kept = append(kept, e.ID)
		}
	}
	return write, kept
}

// change is what is added to the sums of a project.
type change struct {
	sessions int
	words    map[int64]int
}

func (v present) change(put []Episode, remove []string) *change {
	c := &change{words: map[int64]int{}}
	ids := map[string]bool{}
	for _, id := range remove {
		ids[id] = true
	}
	for _, e := range put {
		if !e.Private {
			c.add(e.Words, 1)
			ids[e.ID] = true
		}
	}
	for id := range ids {
		if old, ok := v[id]; ok {
			c.add(old.words, -1)
		}
	}
	return c
}

func (c *change) add(words []int64, n int) {
	c.sessions += n
	for _, w := range words {
		c.words[w] += n
	}
}

func queue(batch *pgx.Batch, project int64, put []Episode, remove []string) {
	if len(remove) > 0 {
		batch.Queue("insert into episodes.gone (project, id, log) select project, id, log from episodes.episode where project = $1 and holder = '' and id = any($2) on conflict (project, id) do nothing",
			project, remove)
		batch.Queue("delete from episodes.episode where project = $1 and holder in ('', session_user::text) and id = any($2)",
			project, remove)
	}
	var shared []string
	for _, e := range put {
		if !e.Private {
			shared = append(shared, e.ID)
		}
	}
	if len(shared) > 0 { // a private copy would hide shared corrections
		batch.Queue("delete from episodes.episode where project = $1 and holder = session_user::text and id = any($2)",
			project, shared)
		batch.Queue("delete from episodes.gone where project = $1 and id = any($2)", project, shared)
	}
	for _, e := range put {
		batch.Queue("insert into episodes.episode (project, holder, id, sha256, log, body, words) values ($1, case when $2 then session_user::text else '' end, $3, $4, $5, $6, $7)"+
			" on conflict (project, holder, id) do update set sha256 = excluded.sha256, log = excluded.log, body = excluded.body, words = excluded.words",
			project, e.Private, e.ID, e.SHA256, e.Log, e.Body, inProject(project, e.Words))
	}
}

// inProject puts the number of a project into words, as schema.sql says, or takes it out.
func inProject(project int64, words []int64) []int64 {
	out := make([]int64, len(words)) // not nil: an episode may have none
	for i, w := range words {
		out[i] = w ^ project<<40
	}
	return out
}

// queue changes the sums, in the order of the words.
func (c *change) queue(batch *pgx.Batch, project int64) {
	var words, by []int64
	for _, w := range slices.Sorted(maps.Keys(c.words)) {
		if n := c.words[w]; n != 0 {
			words, by = append(words, w), append(by, int64(n))
		}
	}
	if len(words) > 0 {
		batch.Queue("insert into episodes.word (project, word, sessions) select $1, w, 0 from unnest($2::bigint[]) w on conflict (project, word) do nothing",
			project, words)
		batch.Queue("update episodes.word set sessions = sessions + n from unnest($2::bigint[], $3::bigint[]) as t (w, n) where project = $1 and word = w",
			project, words, by)
	}
	if c.sessions != 0 {
		batch.Queue("update episodes.project set sessions = sessions + $2 where id = $1", project, c.sessions)
	}
}
