//go:build unix

package main

import (
	"bufio"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
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
	must0(t, err)
	var messages strings.Builder
	cmd.Stderr = &messages
	must0(t, cmd.Start())
	link, err := bufio.NewReader(out).ReadString('\n')
	link = strings.TrimSpace(link)
	if err != nil || !strings.HasPrefix(link, "http://127.0.0.1:") {
		t.Fatalf("%q, %v", link, err)
	}
	for address, want := range map[string]int{link: 200, link + "session/session-01": 200, link[:strings.Index(link[8:], "/")+9]: 403} {
		r, err := http.Get(address)
		must0(t, err)
		body, err := io.ReadAll(r.Body)
		r.Body.Close()
		if err != nil || r.StatusCode != want {
			t.Errorf("%s: %d, %v: %s", address, r.StatusCode, err, body)
		}
	}
	must0(t, cmd.Process.Signal(os.Interrupt))
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

// Other users of the machine see the arguments of the program that opens a browser: the key is in a file that only
// this user can read, in a folder that only this user can enter.
func TestLinkFile(t *testing.T) {
	const link = "http://127.0.0.1:8080/the-key/"
	file, err := linkFile(link)
	must0(t, err)
	defer os.RemoveAll(filepath.Dir(file))
	text, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(text), `content="0; url=`+link+`"`) || strings.Contains(file, "the-key") {
		t.Errorf("%s: %s %v", file, text, err)
	}
	for path, want := range map[string]fs.FileMode{file: 0o600, filepath.Dir(file): 0o700} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v %v", path, info.Mode(), err)
		}
	}
}
