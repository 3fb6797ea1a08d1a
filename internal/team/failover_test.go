package team

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"episodes/graph/engine"
	"episodes/internal/pg"
	"episodes/internal/testing/pgtest"
)

// start makes a server with a store, and a writer's login. Servers of tests do not flush to
// disk, which loses nothing when only processes die: the machine goes on.
func start(t *testing.T, config ...string) *pgtest.Server {
	t.Helper()
	server, err := pgtest.New(config...)
	if err != nil {
		t.Skip(err)
	}
	db, err := pg.Parse(server.URL("postgres"))
	if err == nil {
		err = db.Init(t.Context())
	}
	if err != nil {
		t.Fatal(errors.Join(err, server.Stop()))
	}
	return server
}

// A server that is killed and started again while many push to two projects and ask: nothing
// that was acknowledged is lost, no answer is wrong, and sums and graphs are those of the
// episodes.
func TestKilledServer(t *testing.T) {
	server := start(t)
	t.Cleanup(func() {
		if err := server.Stop(); err != nil {
			t.Error(err)
		}
	})
	c := newCrowd(t, pgtest.Login(t, server.URL("postgres"), "ada", "episodes_writer"), 2, 4)
	stop := make(chan struct{})
	wait := c.run(4, 2, stop)
	for range 3 {
		c.await(20, 10)
		if err := errors.Join(server.Kill(), server.Start()); err != nil {
			t.Error(err)
		}
	}
	c.await(20, 10)
	close(stop)
	wait()
	lost := c.check()
	t.Logf("%d pushes acknowledged, %d lost; %d answers, %d wrong; %d begun anew", len(c.acknowledged), lost, c.answers, len(c.wrong), c.late)
	if len(c.acknowledged) < 10 || c.answers < 10 {
		t.Error("too little was done to show anything")
	}
}

// proxy is the one address of the store: connections to it go to the server that it points to.
type proxy struct {
	listener net.Listener

	mu    sync.Mutex
	to    string
	conns map[net.Conn]bool
}

func newProxy(t *testing.T) *proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { _ = l.Close() })
	p := &proxy{listener: l, conns: map[net.Conn]bool{}}
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return // closed
			}
			go p.serve(client)
		}
	}()
	return p
}

func (p *proxy) port() int { return p.listener.Addr().(*net.TCPAddr).Port }

func (p *proxy) serve(client net.Conn) {
	defer client.Close()
	p.mu.Lock()
	to := p.to
	p.conns[client] = true
	p.mu.Unlock()
	defer func() {
		p.mu.Lock()
		delete(p.conns, client)
		p.mu.Unlock()
	}()
	server, err := net.Dial("tcp", to)
	if err != nil {
		return
	}
	defer server.Close()
	go func() {
		_, _ = io.Copy(server, client)
		_ = server.Close()
	}()
	_, _ = io.Copy(client, server)
}

// point lets new connections go to a server.
func (p *proxy) point(s *pgtest.Server) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.to = fmt.Sprintf("127.0.0.1:%d", s.Port)
}

// cut ends all connections.
func (p *proxy) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.conns {
		_ = c.Close()
	}
}

// A primary and a synchronous standby behind one address: connections are cut, the primary is
// killed and started again, the standby is promoted and another one made. A push is
// acknowledged when both servers have it (remote_apply), so none is lost with a primary.
func TestFailover(t *testing.T) {
	if os.Getenv("EPISODES_HEAVY") == "" {
		t.Skip("takes minutes; EPISODES_HEAVY=1 runs it")
	}
	const writers, readers, projects = 8, 4, 4
	primary := start(t, "cluster_name=standby", "synchronous_commit=remote_apply", "wal_retrieve_retry_interval=200ms")
	var standby *pgtest.Server
	t.Cleanup(func() {
		if standby != nil {
			_ = standby.Stop()
		}
		_ = primary.Stop()
	})
	pgtest.Login(t, primary.URL("postgres"), "ada", "episodes_writer")
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Error(err)
		}
	}
	follow := func() {
		t.Helper()
		var err error
		standby, err = primary.Standby()
		must(err)
		for i := 0; !t.Failed() && count(t, pgtest.Connect(t, primary.URL("postgres")), "select count(*) from pg_stat_replication where sync_state = 'sync'") == 0; i++ {
			if i == 500 {
				t.Error("the standby does not follow")
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
	// From here on a commit waits for a standby, of whichever server is the primary.
	must(primary.Run("alter system set synchronous_standby_names = 'standby'", "select pg_reload_conf()"))
	follow()
	if t.Failed() {
		t.FailNow()
	}

	p := newProxy(t)
	p.point(primary)
	t.Setenv("PGPASSWORD", pgtest.Password)
	c := newCrowd(t, fmt.Sprintf("postgres://ada@127.0.0.1:%d/postgres?sslmode=disable", p.port()), projects, writers)
	stop := make(chan struct{})
	wait := c.run(writers, readers, stop)

	events := slices.Concat(slices.Repeat([]string{"connections cut"}, 7), slices.Repeat([]string{"primary killed and started"}, 7), slices.Repeat([]string{"standby promoted"}, 6))
	seed := uint64(time.Now().UnixNano())
	r := rand.New(rand.NewPCG(seed, 0))
	r.Shuffle(len(events), func(i, j int) { events[i], events[j] = events[j], events[i] })
	t.Logf("seed %d", seed)
	silent := time.Duration(0)
	begun := time.Now()
	for _, event := range events {
		time.Sleep(time.Second + time.Duration(r.IntN(1000))*time.Millisecond)
		at := time.Now()
		switch event {
		case "connections cut":
			p.cut()
		case "primary killed and started":
			must(errors.Join(primary.Kill(), primary.Start()))
		case "standby promoted":
			must(errors.Join(primary.Stop(), standby.Promote()))
			primary, standby = standby, nil
			p.point(primary)
			follow() // until then nobody can write
		}
		gap := c.silence(t, at)
		silent += gap
		t.Logf("%-27s nobody could write for %.1f s", event, gap.Seconds())
		if t.Failed() {
			break
		}
	}
	time.Sleep(time.Second)
	took := time.Since(begun)
	close(stop)
	wait()
	lost := c.check()
	t.Logf("%d events in %.0f s: %d pushes acknowledged, %d lost; %d answers, %d wrong; %.1f s without a writer; %d pushes and questions took longer than %s and were begun anew",
		len(events), took.Seconds(), len(c.acknowledged), lost, c.answers, len(c.wrong), silent.Seconds(), c.late, c.patience)
	if len(c.acknowledged) < 100 || c.answers < 100 {
		t.Error("too little was done to show anything")
	}
}

// A URL with the addresses of two servers reaches the one that takes changes, also after they
// changed places.
func TestTwoAddresses(t *testing.T) {
	if os.Getenv("EPISODES_HEAVY") == "" {
		t.Skip("starts two servers; EPISODES_HEAVY=1 runs it")
	}
	primary := start(t)
	t.Cleanup(func() { _ = primary.Stop() })
	pgtest.Login(t, primary.URL("postgres"), "ada", "episodes_writer")
	standby, err := primary.Standby()
	must(t, err)
	t.Cleanup(func() { _ = standby.Stop() })
	t.Setenv("PGPASSWORD", pgtest.Password)
	url := fmt.Sprintf("postgres://ada@127.0.0.1:%d,127.0.0.1:%d/postgres?sslmode=disable&target_session_attrs=read-write&project=p", standby.Port, primary.Port)
	push := func(e Episode) {
		t.Helper()
		if err := engine.Again(t.Context(), engine.Wait{Timeout: 10 * time.Second}, func() error {
			s, err := Open(t.Context(), url, "a test")
			if err != nil {
				return err
			}
			defer s.Close()
			return s.Write(t.Context(), []Episode{e}, nil)
		}); err != nil {
			t.Fatal(err)
		}
	}
	push(real(1, 1))
	for i := 0; count(t, pgtest.Connect(t, standby.URL("postgres")), "select count(*) from episodes.episode") == 0; i++ {
		if i == 500 {
			t.Fatal("the standby does not follow")
		}
		time.Sleep(20 * time.Millisecond)
	}
	must(t, errors.Join(primary.Kill(), standby.Promote()))
	push(real(2, 1))
	if _, err := graphOf(t.Context(), "mem:two addresses", open(t, url, "p")); err != nil {
		t.Fatal(err)
	}
	isGraphOf(t, "mem:two addresses", bodies{real(1, 1).ID: real(1, 1), real(2, 1).ID: real(2, 1)})
}
