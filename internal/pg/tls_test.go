package pg_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"episodes/graph/engine"
	"episodes/internal/pg"
	"episodes/internal/testing/pgtest"
)

// authority signs certificates.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	file string // its certificate
}

func newAuthority(t *testing.T, name string) *authority {
	t.Helper()
	a := &authority{file: filepath.Join(t.TempDir(), name+".crt"), key: newKey(t)}
	a.cert = &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}
	must(t, os.WriteFile(a.file, a.sign(t, a.cert, a.key), 0o600))
	return a
}

func newKey(t *testing.T) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	return key
}

func (a *authority) sign(t *testing.T, cert *x509.Certificate, key *ecdsa.PrivateKey) []byte {
	t.Helper()
	der, err := x509.CreateCertificate(rand.Reader, cert, a.cert, &key.PublicKey, a.key)
	must(t, err)
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
}

// serve makes a server use TLS with a certificate for "localhost".
func (a *authority) serve(t *testing.T, s *pgtest.Server) {
	t.Helper()
	key := newKey(t)
	cert := a.sign(t, &x509.Certificate{SerialNumber: big.NewInt(2), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), DNSNames: []string{"localhost"}}, key)
	der, err := x509.MarshalECPrivateKey(key)
	must(t, err)
	certFile, err1 := s.Put("server.crt", cert)
	keyFile, err2 := s.Put("server.key", pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der}))
	if err := errors.Join(err1, err2, s.Run(
		fmt.Sprintf("alter system set ssl_cert_file = '%s'", certFile), fmt.Sprintf("alter system set ssl_key_file = '%s'", keyFile),
		"alter system set ssl = on", "select pg_reload_conf()")); err != nil {
		t.Fatal(err)
	}
}

// clearEnvironment takes away what would say how to connect.
func clearEnvironment(t *testing.T) {
	t.Helper()
	for _, name := range []string{"PGHOST", "PGPORT", "PGUSER", "PGPASSWORD", "PGDATABASE", "PGSSLMODE", "PGSSLROOTCERT", "PGSERVICE", "PGAPPNAME"} {
		t.Setenv(name, "") // it is put back after the test
		must(t, os.Unsetenv(name))
	}
	t.Setenv("PGPASSFILE", filepath.Join(t.TempDir(), "none"))
	t.Setenv("PGSERVICEFILE", filepath.Join(t.TempDir(), "none"))
}

func newServer(t *testing.T, config ...string) *pgtest.Server {
	t.Helper()
	s, err := pgtest.New(config...)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() {
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// connect says over what the server was reached.
func connect(t *testing.T, store string) (tls bool, err error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	conn, err := parse(t, store).Connect(ctx, "a test")
	if err != nil {
		return false, err
	}
	defer conn.Close(ctx)
	return tls, conn.QueryRow(ctx, "select ssl from pg_stat_ssl where pid = pg_backend_pid()").Scan(&tls)
}

// The server must prove who it is, unless its user says that it need not.
func TestTLS(t *testing.T) {
	clearEnvironment(t)
	server := newServer(t)
	pgtest.Login(t, server.URL("postgres"), "ada")
	t.Setenv("PGPASSWORD", pgtest.Password)
	at := func(host, parameters string) string {
		return fmt.Sprintf("postgres://ada@%s:%d/postgres?%s", host, server.Port, parameters)
	}
	refused := func(what, store, why string) {
		t.Helper()
		_, err := connect(t, store)
		if err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v", what, err)
		}
		if errors.Is(err, engine.ErrLost) {
			t.Errorf("%s is tried again and again: %v", what, err)
		}
	}
	accepted := func(what, store string, tls bool) {
		t.Helper()
		if got, err := connect(t, store); err != nil || got != tls {
			t.Errorf("%s: TLS %v, %v", what, got, err)
		}
	}
	ours, theirs := newAuthority(t, "ours"), newAuthority(t, "theirs")
	trusting := func(a *authority) string { return "sslrootcert=" + url.QueryEscape(a.file) }
	refused("a server without TLS", at("localhost", trusting(ours)), "refused TLS")
	accepted("a server without TLS, which needs none", at("localhost", "sslmode=disable"), false)
	ours.serve(t, server)
	for i := 0; ; i++ { // until the server has read its configuration
		if _, err := connect(t, at("localhost", "sslmode=require")); err == nil {
			break
		} else if i == 100 {
			t.Fatal(err)
		}
		time.Sleep(50 * time.Millisecond)
	}
	accepted("the right authority", at("localhost", trusting(ours)), true)
	refused("an authority that nobody knows", at("localhost", ""), "unknown authority")
	refused("another authority", at("localhost", trusting(theirs)), "unknown authority")
	refused("another name", at("127.0.0.1", trusting(ours)), "127.0.0.1")
	accepted("whoever it is", at("127.0.0.1", "sslmode=require"), true)
	t.Setenv("PGSSLROOTCERT", ours.file)
	accepted("an authority of the environment", at("localhost", ""), true)
	t.Setenv("PGSSLMODE", "disable")
	accepted("no TLS, by the environment", at("localhost", ""), false)
}

// A password comes from the places of libpq, and from there goes to the server only: no
// message, no list of the server's and no line of its log holds it.
func TestPasswords(t *testing.T) {
	clearEnvironment(t)
	server := newServer(t, "log_statement=all", "log_connections=on", "log_min_messages=debug1")
	pgtest.Login(t, server.URL("postgres"), "ada")
	base := fmt.Sprintf("postgres://ada@127.0.0.1:%d/postgres?sslmode=disable", server.Port)
	seen := pgtest.Connect(t, server.URL("postgres"))
	if text, err := server.Log(); err != nil || !strings.Contains(text, pgtest.Password) {
		t.Errorf("the log does not show what is done: %v", err) // the login was just made in it
	}
	before, err := server.Log()
	must(t, err)
	write := func(variable, text string) {
		t.Helper()
		path := filepath.Join(t.TempDir(), "file")
		must(t, os.WriteFile(path, []byte(text), 0o600))
		t.Setenv(variable, path)
	}
	try := func(what, store string, good bool) {
		t.Helper()
		d := parse(t, store+"&project=p")
		conn, err := d.Connect(t.Context(), "a test")
		if good != (err == nil) || err != nil && !errors.Is(err, pg.ErrRefused) {
			t.Errorf("%s: %v", what, err)
		}
		if err != nil {
			for _, p := range []string{pgtest.Password, secret} {
				if strings.Contains(fmt.Sprintf("%v %+v %#v", err, err, err), p) {
					t.Errorf("%s: the message tells the password: %v", what, err)
				}
			}
			return
		}
		defer conn.Close(t.Context())
		_, failure := conn.Exec(t.Context(), "select * from episodes.nothing")
		if text := fmt.Sprint(d.Failed("read", failure)); strings.Contains(text, pgtest.Password) {
			t.Errorf("%s: the message tells the password: %s", what, text)
		}
		var text, name string
		must(t, seen.QueryRow(t.Context(), "select string_agg(a::text, ' '), max(application_name) from pg_stat_activity a where usename = 'ada'").Scan(&text, &name))
		if strings.Contains(text, pgtest.Password) || name != "episodes a test" {
			t.Errorf("%s: the server lists %s", what, text)
		}
	}
	try("no password", base, false)
	t.Setenv("PGPASSWORD", secret)
	try("a wrong one", base, false)
	t.Setenv("PGPASSWORD", pgtest.Password)
	try("PGPASSWORD", base, true)
	t.Setenv("PGPASSWORD", "")

	write("PGPASSFILE", fmt.Sprintf("# ours\n127.0.0.1:%d:postgres:ada:%s\n", server.Port, pgtest.Password))
	try(".pgpass", base, true)
	write("PGPASSFILE", fmt.Sprintf("127.0.0.1:%d:postgres:bob:%s\n", server.Port, pgtest.Password))
	try(".pgpass for another login", base, false)

	write("PGSERVICEFILE", fmt.Sprintf("[team]\nhost=127.0.0.1\nport=%d\nuser=ada\ndbname=postgres\npassword=%s\n", server.Port, pgtest.Password))
	try("a service file", "postgres:///?service=team&sslmode=disable", true)
	write("PGSERVICEFILE", fmt.Sprintf("[team]\nhost=127.0.0.1\nport=%d\nuser=ada\ndbname=postgres\npassword=%s\n", server.Port, secret))
	try("a service file with a wrong one", "postgres:///?service=team&sslmode=disable", false)

	after, err := server.Log()
	must(t, err)
	if strings.Contains(after[len(before):], pgtest.Password) || strings.Contains(after[len(before):], secret) {
		t.Error("the server's log holds a password")
	}
}
