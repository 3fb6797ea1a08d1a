package team

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"episodes/graph"
	"episodes/graph/engine"
	"episodes/internal/lock"
)

// crowd is many who push to a few projects and ask them while the server fails. Each episode
// has one writer, which pushes one version of it after another, and some versions say that it
// is gone; so what may be read at any moment is known: a version not older than the newest that
// was acknowledged before the question, and not newer than the newest that was sent.
type crowd struct {
	t        testing.TB
	url      string
	projects int
	patience time.Duration // how long one push or question is tried, as the program does

	mu           sync.Mutex
	episodes     []*pushed
	acknowledged []time.Time // of each push
	answers      int
	late         int // pushes and questions that failed after all, and were begun anew
	wrong        []string
}

// pushed is an episode of one writer.
type pushed struct {
	project, number    int
	id                 string
	sent, acknowledged int
	versionOf          map[string]int // by hash
}

func newCrowd(t testing.TB, url string, projects, writers int) *crowd {
	c := &crowd{t: t, url: url, projects: projects, patience: 10 * time.Second}
	for n := range writers * episodesOfWriter {
		c.episodes = append(c.episodes, &pushed{project: n / episodesOfWriter % projects, number: n, id: real(n, 0).ID, versionOf: map[string]int{}})
	}
	return c
}

const (
	episodesOfWriter = 4
	inAll            = 1 // a word of every episode
	goneEvery        = 5 // versions of this multiple say that the episode is gone
)

func gone(version int) bool { return version%goneEvery == 0 }

func (p *pushed) word() int64 { return int64(100 + p.number) }

func (c *crowd) store(project int) string { return named(c.t, c.url, fmt.Sprint("project", project)) }

// try does what the program does around a command: all again while the connection is lost.
// Who fails after all does it again by hand.
func (c *crowd) try(what string, fn func() error) {
	for {
		err := engine.Again(context.Background(), engine.Wait{Timeout: c.patience}, fn)
		if err == nil {
			return
		}
		if !errors.Is(err, engine.ErrLost) && !errors.Is(err, lock.ErrTimeout) {
			c.t.Errorf("%s: %v", what, err)
			return
		}
		c.mu.Lock()
		c.late++
		c.mu.Unlock()
	}
}

// await waits until so many more pushes are acknowledged and questions answered, for a minute
// at most.
func (c *crowd) await(pushes, answers int) {
	done := func() (int, int) {
		c.mu.Lock()
		defer c.mu.Unlock()
		return len(c.acknowledged), c.answers
	}
	p, a := done()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if nowP, nowA := done(); nowP >= p+pushes && nowA >= a+answers {
			return
		}
	}
}

// push brings the next version of an episode.
func (c *crowd) push(p *pushed) {
	c.mu.Lock()
	p.sent++
	version := p.sent
	e := real(p.number, version, inAll, p.word())
	p.versionOf[e.SHA256] = version
	c.mu.Unlock()
	ctx, url := context.Background(), c.store(p.project)
	c.try("push", func() error {
		s, err := Open(ctx, url, "a writer")
		if err != nil {
			return err
		}
		defer s.Close()
		if gone(version) {
			return s.Write(ctx, nil, []string{p.id})
		}
		return s.Write(ctx, []Episode{e}, nil)
	})
	c.mu.Lock()
	defer c.mu.Unlock()
	p.acknowledged = version
	c.acknowledged = append(c.acknowledged, time.Now())
}

// ask puts a question about an episode, to the search or to a reader's graph.
func (c *crowd) ask(r *rand.Rand, reader int) {
	c.mu.Lock()
	p := c.episodes[r.IntN(len(c.episodes))]
	from := p.acknowledged
	c.mu.Unlock()
	if from == 0 {
		time.Sleep(time.Millisecond)
		return
	}
	ctx, url := context.Background(), c.store(p.project)
	how, version := "the search", 0
	read := c.search
	if r.IntN(3) == 0 {
		how = "the graph"
		read = func(ctx context.Context, s *Store, p *pushed) (int, error) {
			return c.inGraph(ctx, fmt.Sprintf("mem:reader %d of %s", reader, url), s, p)
		}
	}
	c.try(how, func() error {
		s, err := Open(ctx, url, "a reader")
		if err != nil {
			return err
		}
		defer s.Close()
		version, err = read(ctx, s, p)
		return err
	})
	c.mu.Lock()
	defer c.mu.Unlock()
	c.answers++
	is := version >= from && version <= p.sent
	if version == 0 {
		is = slices.ContainsFunc(versions(from, p.sent), gone)
	}
	if !is {
		c.wrong = append(c.wrong, fmt.Sprintf("%s has version %d of %s, acknowledged was %d, sent %d", how, version, p.id, from, p.sent))
	}
}

func versions(from, to int) (list []int) {
	for ; from <= to; from++ {
		list = append(list, from)
	}
	return list
}

const strange = -1 // a version that nobody pushed

func (c *crowd) versionOf(p *pushed, hash string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if v, ok := p.versionOf[hash]; ok {
		return v
	}
	return strange
}

// search returns the version of an episode that the search finds, 0 where it does not.
func (c *crowd) search(ctx context.Context, s *Store, p *pushed) (version int, err error) {
	project, err := s.Project(ctx)
	if err != nil {
		return 0, err
	}
	found, _, err := s.Find(ctx, []Project{project}, map[int64]float64{p.word(): 1, inAll: 0.1})
	for _, f := range found {
		if f.ID == p.id {
			return c.versionOf(p, hash(f.Body)), err
		}
	}
	return 0, err
}

// inGraph returns the version that a graph of the project has, and sees whether nodes and edges
// are those of its episodes.
func (c *crowd) inGraph(ctx context.Context, url string, s *Store, p *pushed) (version int, err error) {
	rep, err := graphOf(ctx, url, s)
	if err != nil || len(rep.Skipped) > 0 {
		return strange, err
	}
	g, err := graph.Open(ctx, url, graph.Options{Who: "a reader"})
	if err != nil {
		return 0, err
	}
	defer g.Close()
	set, err := g.Episodes()
	if err != nil {
		return 0, err
	}
	for _, e := range set {
		if e.ID == p.id {
			version = c.versionOf(p, e.Hash)
		}
	}
	totals, err := g.Totals()
	if err != nil {
		return 0, err
	}
	if totals.Episodes != len(set) {
		return strange, nil
	}
	node := "outcome:success"
	if _, _, err := g.Node(node); err != nil {
		return 0, err
	}
	_, err = g.In(node)
	return version, err
}

// run lets writers and readers work until stop is closed.
func (c *crowd) run(writers, readers int, stop <-chan struct{}) (wait func()) {
	var wg sync.WaitGroup
	over := func() bool {
		select {
		case <-stop:
			return true
		default:
			return c.t.Failed()
		}
	}
	for w := range writers {
		own := c.episodes[w*episodesOfWriter:][:episodesOfWriter]
		wg.Go(func() {
			for i := 0; !over(); i++ {
				c.push(own[i%len(own)])
			}
		})
	}
	for i := range readers {
		wg.Go(func() {
			for r := rand.New(rand.NewPCG(uint64(i), 0)); !over(); {
				c.ask(r, i)
			}
		})
	}
	return wg.Wait
}

// silence waits until a push is acknowledged, and returns how long there was none around a
// moment in the past and since.
func (c *crowd) silence(t testing.TB, at time.Time) (longest time.Duration) {
	t.Helper()
	for over := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		c.mu.Lock()
		acknowledged := slices.Clone(c.acknowledged)
		c.mu.Unlock()
		if n := len(acknowledged); n > 0 && acknowledged[n-1].After(over) {
			for i := n - 1; i > 0 && acknowledged[i].After(at); i-- {
				longest = max(longest, acknowledged[i].Sub(acknowledged[i-1]))
			}
			return longest
		}
		if time.Since(over) > time.Minute {
			t.Error("nobody could write for a minute")
			return time.Since(at)
		}
	}
}

// check compares what the store holds at the end with what was acknowledged, and returns how
// many episodes are not as they were acknowledged.
func (c *crowd) check() (lost int) {
	for project := range c.projects {
		url := c.store(project)
		s, err := Open(context.Background(), url, "a test")
		must(c.t, err)
		defer s.Close()
		held := map[string]string{}
		list, err := s.Versions(context.Background())
		must(c.t, err)
		for _, v := range list {
			held[v.ID] = v.SHA256
		}
		set := bodies{}
		var history []oneChange
		for _, p := range c.episodes {
			if p.project != project || p.acknowledged == 0 {
				continue
			}
			if p.sent != p.acknowledged {
				c.t.Errorf("%s: version %d was sent and never acknowledged", p.id, p.sent)
			}
			e := real(p.number, p.acknowledged, inAll, p.word())
			want := e.SHA256
			if gone(p.acknowledged) {
				want = ""
			} else {
				set[p.id] = e
				history = append(history, oneChange{Episode: e})
			}
			if held[p.id] != want {
				lost++
				c.t.Errorf("lost: %s has not version %d", p.id, p.acknowledged)
			}
		}
		if got, want := state(c.t, s), expected("", history); got != want && lost == 0 {
			c.t.Errorf("project %d holds %s\nand was pushed %s", project, got, want)
		}
		if _, err := graphOf(context.Background(), "mem:"+url, s); err != nil {
			c.t.Fatal(err)
		}
		isGraphOf(c.t, "mem:"+url, set)
	}
	if len(c.wrong) > 0 {
		c.t.Errorf("%d wrong answers:\n%s", len(c.wrong), strings.Join(c.wrong, "\n"))
	}
	return lost
}
