package query_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"episodes/causal"
	"episodes/episode"
	"episodes/internal/testing/querytest"
	"episodes/keys"
	"episodes/query"
)

func sample() *querytest.Graph { return querytest.New(querytest.Sample()...) }

// labelled finds a node by its whole label.
func labelled(t *testing.T, g query.Reader, label string) causal.Node {
	t.Helper()
	var found causal.Node
	check(t, g.Nodes(func(n causal.Node) error {
		if n.Label == label {
			found = n
		}
		return nil
	}))
	if found.ID == "" {
		t.Fatalf("no node %q", label)
	}
	return found
}

func TestResolve(t *testing.T) {
	g := sample()
	const (
		raise   = "How should the migration job handle the lock?: Raise the lock timeout"
		timeout = "migrate: acquire advisory lock: canceling statement due to lock timeout"
		busy    = "SQLITE_BUSY: database is locked"
	)
	id := labelled(t, g, busy).ID
	for _, c := range []struct {
		name, ref, want, how string
	}{
		{"id", id, busy, query.ByID},
		{"prefix of an id", id[:7], busy, query.ByID},
		{"decision of an episode", "episode-2026-01-12-session-02-lock-timeout#d001", raise, query.ByRecord},
		{"event of a session", "2026-01-12-session-02-lock-timeout#e001", timeout, query.ByRecord},
		{"outcome of an episode", "2026-01-12-session-02-lock-timeout#outcome", "outcome: failure", query.ByRecord},
		{"outcome", "failure", "outcome: failure", query.ByName},
		{"outcome by its label", "Outcome:  Success", "outcome: success", query.ByName},
		{"exact label", raise, raise, query.ByWords},
		{"exact label in other case", strings.ToUpper(busy), busy, query.ByWords},
		{"words", "upload retry loop", "What to do about flaky upload tests?: Wrap the upload in a retry loop", query.ByWords},
		{"inflected words", "deploys cancelling nightly", "nightly deploy cancelled", query.ByWords},
		{"an error as another log has it", "step 3: SQLITE_BUSY: database is locked (5)", busy, query.ByWords},
		{"a decision without its question", "Keep the check optional", "Keep the check optional", query.ByWords},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, err := query.Resolve(g, c.ref, g)
			check(t, err)
			if res.Node.Label != c.want || res.How != c.how {
				t.Errorf("%q names %q by %s, want %q by %s", c.ref, res.Node.Label, res.How, c.want, c.how)
			}
		})
	}
}

func TestResolveNothing(t *testing.T) {
	g := sample()
	for _, c := range []struct {
		name, ref, reason, near string
	}{
		{"empty", "", "", ""},
		{"stop words only", "of the and", "", ""},
		{"unknown words", "kubernetes ingress", "", ""},
		{"one word of many", "the database of the weather station reports rain", "", "SQLITE_BUSY: database is locked"},
		{"ambiguous prefix", "n", "", ""},
		{"no such episode", "episode-x#d001", `there is no episode "episode-x"`, ""},
		{"no such record", "2026-01-12-session-02-lock-timeout#d009", "the episode has no record d009 that is in the graph", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := query.Resolve(g, c.ref, g)
			var nf *query.NotFoundError
			if !errors.As(err, &nf) {
				t.Fatalf("error %v", err)
			}
			if nf.Reason != c.reason || !strings.Contains(nf.Hint(), c.near) || c.near != "" && nf.Hint() == "" {
				t.Errorf("reason %q, hint %q", nf.Reason, nf.Hint())
			}
			if !strings.Contains(err.Error(), fmt.Sprintf("%q", c.ref)) {
				t.Errorf("the error %q does not name the reference", err)
			}
		})
	}
}

// Words that fit two nodes equally take the more frequent one and name the other.
func TestResolveAlternatives(t *testing.T) {
	g := querytest.New(
		querytest.Build("a", episode.Success).Event(episode.Test, "cache warm test green").Done(),
		querytest.Build("b", episode.Success).Event(episode.Test, "cache cold test green").Done(),
		querytest.Build("c", episode.Failure).Event(episode.Test, "cache cold test green").Event(episode.Milestone, "release notes").Done(),
	)
	res, err := query.Resolve(g, "cache test green", nil)
	check(t, err)
	if res.Node.Label != "cache cold test green" || len(res.Alternatives) != 1 || res.Alternatives[0].Label != "cache warm test green" {
		t.Errorf("%+v", res)
	}
	res, err = query.Resolve(g, "cache warm test green", nil)
	check(t, err)
	if res.Node.Label != "cache warm test green" || len(res.Alternatives) != 0 || res.Score != 1 {
		t.Errorf("an exact label has rivals: %+v", res)
	}
}

// The option of a decision in so many words names it, whatever else has the words.
func TestResolveChosenPart(t *testing.T) {
	b := querytest.Build("a", episode.Success).Event(episode.Error, "parallel test packages share one database file").
		Decide("How to keep the parallel tests of the store apart, given that they write?", "One database file per test package", episode.Success).
		Decide("Where the notes go:", "Beside the episodes", episode.Success)
	for range 3 { // more of the other
		b.Event(episode.Error, "parallel test packages share one database file")
	}
	g := querytest.New(b.Done())
	for _, c := range []struct{ ref, want string }{
		{"One database file per test package", "How to keep the parallel tests of the store apart, given that they write?: One database file per test package"},
		{"one-database-file-per-test-package", "How to keep the parallel tests of the store apart, given that they write?: One database file per test package"},
		{"parallel test packages share one database file", "parallel test packages share one database file"},
		{"Where the notes go: Beside the episodes", "Where the notes go: Beside the episodes"},
		{"Where the notes go:: Beside the episodes", "Where the notes go: Beside the episodes"},
	} {
		res, err := query.Resolve(g, c.ref, nil)
		check(t, err)
		if res.Node.Label != c.want || res.Score != 1 {
			t.Errorf("%q names %q with %v", c.ref, res.Node.Label, res.Score)
		}
	}
}

// Every node is named by its id, by its label and by each of its records.
func TestResolveEveryNode(t *testing.T) {
	g := sample()
	check(t, g.Nodes(func(n causal.Node) error {
		ms, err := g.Mentions(n.ID)
		check(t, err)
		refs := []string{n.ID, n.Label}
		for _, m := range ms {
			refs = append(refs, m.Episode+"#"+m.Record)
		}
		for _, ref := range refs {
			res, err := query.Resolve(g, ref, g)
			check(t, err)
			if res.Node.ID != n.ID {
				t.Errorf("%q names %q, not %q", ref, res.Node.Label, n.Label)
			}
		}
		return nil
	}))
}

// The beginning of an id that several nodes share names none of them.
func TestResolveAmbiguousPrefix(t *testing.T) {
	seen := map[string]string{}
	for i := 0; ; i++ {
		text := strings.Repeat("lock cache queue retry ", i+1) + fmt.Sprint("step", i)
		id := causal.NodeID(causal.EventNode, keys.Event("test", text))
		other, ok := seen[id[:4]]
		seen[id[:4]] = text
		if !ok || strings.HasPrefix(id, "n000") {
			continue
		}
		g := querytest.New(querytest.Build("a", episode.Success).Event(episode.Test, text).Event(episode.Test, other).Done())
		_, err := query.Resolve(g, id[:4], nil)
		var nf *query.NotFoundError
		if !errors.As(err, &nf) || nf.Reason != "2 ids begin so" || len(nf.Nearest) != 2 {
			t.Errorf("%q: %v", id[:4], err)
		}
		res, err := query.Resolve(g, id, nil)
		check(t, err)
		if res.Node.ID != id {
			t.Errorf("%q names %q", id, res.Node.ID)
		}
		return
	}
}

func TestCombine(t *testing.T) {
	for _, c := range []struct{ a, b, want episode.Outcome }{
		{episode.Success, episode.Success, episode.Success},
		{episode.Success, episode.Failure, episode.Partial},
		{episode.Partial, episode.Failure, episode.Partial},
		{episode.Unknown, episode.Failure, episode.Failure},
		{episode.Success, episode.Unknown, episode.Success},
		{"", episode.Unknown, episode.Unknown},
	} {
		if got := query.Combine(c.a, c.b); got != c.want {
			t.Errorf("%q and %q: %q, want %q", c.a, c.b, got, c.want)
		}
	}
}

func TestCommonest(t *testing.T) {
	for _, c := range []struct {
		wordings map[string]int
		want     string
	}{
		{nil, ""},
		{map[string]int{"a b": 1, "c": 2}, "c"},
		{map[string]int{"long one": 2, "short": 2}, "short"},
		{map[string]int{"b": 2, "a": 2}, "a"},
	} {
		if got := query.Commonest(c.wordings); got != c.want {
			t.Errorf("%v: %q, want %q", c.wordings, got, c.want)
		}
	}
}
