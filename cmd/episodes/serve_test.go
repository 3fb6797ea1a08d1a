//go:build unix

package main

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
)

// The server prints its link, answers it, and ends at an interrupt; its messages have no token.
func TestServe(t *testing.T) {
	dir := folder(t)
	sampleLogs(t, dir, 4)
	must(t, dir, "init")
	must(t, dir, "extract", "*.md")
	cmd := program(dir, "serve")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var messages strings.Builder
	cmd.Stderr = &messages
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	link, err := bufio.NewReader(out).ReadString('\n')
	link = strings.TrimSpace(link)
	if err != nil || !strings.HasPrefix(link, "http://127.0.0.1:") {
		t.Fatalf("%q, %v", link, err)
	}
	for address, want := range map[string]int{link: 200, link + "session/session-01": 200, link[:strings.Index(link[8:], "/")+9]: 403} {
		r, err := http.Get(address)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(r.Body)
		r.Body.Close()
		if err != nil || r.StatusCode != want {
			t.Errorf("%s: %d, %v: %s", address, r.StatusCode, err, body)
		}
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v: %s", err, &messages)
	}
	if token := link[strings.LastIndex(strings.TrimSuffix(link, "/"), "/"):]; strings.Contains(messages.String(), token) {
		t.Errorf("a message has the token: %s", &messages)
	}
	if _, err := http.Get(link); err == nil {
		t.Error("it answers after its end")
	}
}
