// Package serve shows a memory as pages to this user's browser. A request is let in if it is
// addressed to the server itself and begins with the token that is made when the server starts.
// The memory is opened for a request, asked and closed; nothing is kept between requests, and
// nothing is written but what a question keeps.
//
// serve.go has what a request must be, routes.go the pages.
package serve

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"episodes/internal/ask"
)

// Options say what is shown.
type Options struct {
	// Memory is the memory to open for each request.
	Memory ask.Options
	// Name is shown as what the memory is of.
	Name string
	// Explain gives the message of an error, and what to do; "" where there is nothing to do.
	Explain func(error) (message, hint string)
	// Trouble gets what is wrong with the program itself.
	Trouble func(text string)
}

// Server is a handler of requests.
type Server struct {
	Options
	token string
	hosts []string      // that name the listener
	turn  chan struct{} // bounds how many memories are open at once
}

// mostOpen is how many memories are open at once.
const mostOpen = 2

// New makes a server for the address of a listener, with a token of its own.
func New(o Options, addr net.Addr) *Server {
	host, port, _ := net.SplitHostPort(addr.String())
	hosts := []string{addr.String(), net.JoinHostPort("localhost", port)}
	if port == "80" { // browsers leave it out
		hosts = append(hosts, strings.TrimSuffix(net.JoinHostPort(host, ""), ":"), "localhost")
	}
	return &Server{Options: o, token: newToken(), hosts: hosts, turn: make(chan struct{}, mostOpen)}
}

func newToken() string {
	secret := make([]byte, 24)
	_, _ = rand.Read(secret) // never fails
	return base64.RawURLEncoding.EncodeToString(secret)
}

// URL is the address of the first page.
func (s *Server) URL() string { return "http://" + s.hosts[0] + s.base() }

func (s *Server) base() string { return "/" + s.token + "/" }

// Listen listens on an address of this machine alone.
func Listen(address string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, &ask.RequestError{Params: []string{"listen"}, Value: address, Message: "is no address such as 127.0.0.1:0"}
	}
	if ip, err := netip.ParseAddr(host); host != "localhost" && (err != nil || !ip.IsLoopback()) {
		return nil, &ask.RequestError{Params: []string{"listen"}, Value: address,
			Message: "is not of this machine alone", Hint: "127.0.0.1:PORT or [::1]:PORT; to reach it from elsewhere, forward the port with ssh -L"}
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("listen on %q: %w", address, err)
	}
	if ip, ok := l.Addr().(*net.TCPAddr); !ok || !ip.IP.IsLoopback() {
		_ = l.Close()
		return nil, &ask.RequestError{Params: []string{"listen"}, Value: address, Message: "is not of this machine alone"}
	}
	return l, nil
}

// The limits of a request. A page may wait until the graph is brought up to date.
const (
	readTimeout  = 10 * time.Second
	writeTimeout = 5 * time.Minute
	idleTimeout  = 2 * time.Minute
	mostHeader   = 16 << 10
)

// Serve answers until ctx ends.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	server := &http.Server{Handler: s, ReadTimeout: readTimeout, ReadHeaderTimeout: readTimeout, WriteTimeout: writeTimeout,
		IdleTimeout: idleTimeout, MaxHeaderBytes: mostHeader, ErrorLog: log.New(io.Discard, "", 0),
		BaseContext: func(net.Listener) context.Context { return ctx }}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve: %w", err)
	}
	return nil
}

// policy lets a page use what the server has, and nothing else.
const policy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-store")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	switch {
	case !slices.Contains(s.hosts, r.Host):
		http.Error(w, "This server answers to its own address only.", http.StatusMisdirectedRequest)
		return
	case !s.ownOrigin(r.Header.Get("Origin")) || r.Header.Get("Sec-Fetch-Site") == "cross-site" && r.Header.Get("Sec-Fetch-Mode") != "navigate":
		http.Error(w, "This server does not answer other sites.", http.StatusForbidden)
		return
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		h.Set("Allow", "GET, HEAD")
		http.Error(w, "These pages can be read only.", http.StatusMethodNotAllowed)
		return
	}
	token, path, ok := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	if !ok || subtle.ConstantTimeCompare([]byte(token), []byte(s.token)) != 1 {
		http.Error(w, "Open the link that `episodes serve` printed: it has the key to these pages.", http.StatusForbidden)
		return
	}
	s.route(w, r, path)
}

// ownOrigin reports whether a request comes from a page of this server, or from none.
func (s *Server) ownOrigin(origin string) bool {
	if origin == "" {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && u.Scheme == "http" && slices.Contains(s.hosts, u.Host)
}
