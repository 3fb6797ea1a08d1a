package pg_test

import (
	"errors"
	"net/url"
	"strings"
	"testing"

	"episodes/internal/pg"
)

const secret = "hunter2hunter2"

func TestParse(t *testing.T) {
	t.Setenv("PGSSLMODE", "")
	for _, c := range []struct{ in, url, project string }{
		{"postgres://db.example.org/episodes", "postgres://db.example.org/episodes?sslmode=verify-full", ""},
		{"postgres://bob@db.example.org/episodes?project=host%2Fo%2Fr", "postgres://bob@db.example.org/episodes?sslmode=verify-full", "host/o/r"},
		{"postgres://db.example.org/episodes?project=a&sslmode=require", "postgres://db.example.org/episodes?sslmode=require", "a"},
		{"postgres:///episodes?host=/run/postgresql&project=a b", "postgres:///episodes?host=%2Frun%2Fpostgresql&sslmode=verify-full", "a b"},
		{"postgres://a:5432,b:5433/episodes", "postgres://a:5432,b:5433/episodes?sslmode=verify-full", ""},
	} {
		d, err := pg.Parse(c.in)
		if err != nil {
			t.Errorf("%q: %v", c.in, err)
			continue
		}
		if d.URL != c.url || d.Project != c.project {
			t.Errorf("%q: %+v", c.in, d)
		}
		if _, err := d.Config("a test"); err != nil {
			t.Errorf("%q: %v", c.in, err)
		}
		if u, err := pg.WithProject(c.in, "a b&c=d?e#f"); err != nil || parse(t, u).Project != "a b&c=d?e#f" || parse(t, u).URL != c.url {
			t.Errorf("%q with a project: %q, %v", c.in, u, err)
		}
	}
	for _, in := range []string{
		"", "http://db.example.org/episodes",
		"postgres://bob:" + secret + "@db.example.org/episodes",
		"postgres://bob:" + secret + "@db.example.org:x/episodes", // which url.Parse would quote
		"postgres://bob:" + secret + "%zz@db.example.org/episodes",
		"postgres://:" + secret + "@db.example.org/episodes",
		"postgres://bob:@db.example.org/episodes",
		"postgres://db.example.org/episodes?password=" + secret,
		"postgres://db.example.org/episodes?sslpassword=" + secret,
		"postgres://db.example.org/episodes?project=a&%zz",
	} {
		d, err := pg.Parse(in)
		if !errors.Is(err, pg.ErrURL) {
			t.Errorf("%q: %+v, %v", in, d, err)
		} else if strings.Contains(err.Error(), secret) {
			t.Errorf("the message tells the password: %v", err)
		}
	}
}

// No URL makes it panic; none with a password is taken; no message holds one.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"postgres://h/d", secret, "a:b@c", "%", "p@ss/w0rd?x#y", "ü\x00", "h:1,g:2/d?target_session_attrs=any"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if d, err := pg.Parse(s); err == nil {
			if u, err := url.Parse(d.URL); err != nil || u.Query().Has("password") || u.Query().Has("project") {
				t.Fatalf("%q: %+v, %v", s, d, err)
			} else if _, stated := u.User.Password(); stated {
				t.Fatalf("%q: taken with a password", s)
			}
			_, _ = d.Config("a test")
		}
		if len(s) < 8 || strings.Contains("not the URL of a PostgreSQL database: it holds a password, which others could see", s) {
			return
		}
		for _, in := range []string{
			(&url.URL{Scheme: "postgres", User: url.UserPassword("bob", s), Host: "h", Path: "/d"}).String(),
			"postgres://h/d?password=" + url.QueryEscape(s),
			"postgres://h/d?sslpassword=" + url.QueryEscape(s),
		} {
			if _, err := pg.Parse(in); err == nil || strings.Contains(err.Error(), s) {
				t.Fatalf("%q: %v", in, err)
			}
		}
	})
}
