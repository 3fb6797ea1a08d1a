package sources

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"episodes/internal/fsstore"
)

// line is what records of any agent say of their session. Only what is needed is decoded.
type line struct {
	SessionID string `json:"sessionId"`
	Cwd       string `json:"cwd"`
	Git       git    `json:"git"`
	Type      string `json:"type"`
	Payload   struct {
		Cwd string `json:"cwd"`
		Git git    `json:"git"`
		thread
	} `json:"payload"`
	Data struct {
		Context struct {
			Cwd string `json:"cwd"`
		} `json:"context"`
	} `json:"data"`

	inText string // the folder that a generated prompt names
}

// thread is what the first record of Codex says of sub-agents.
type thread struct {
	ID      string `json:"id"`
	Session string `json:"session_id"`
	Parent  string `json:"parent_thread_id"`
	// Source is a text, or for a sub-agent an object.
	Source json.RawMessage `json:"source"`
}

type git struct {
	URL string `json:"repository_url"`
}

// heads reads the beginnings of files, one after another.
type heads struct {
	b    *bufio.Reader
	edge [edge]byte
}

const (
	longest  = 1 << 20  // of a line that is looked at, in bytes
	headSize = 16 << 20 // of what is looked at of a file
)

func newHeads() *heads { return &heads{b: bufio.NewReaderSize(nil, longest)} }

// until returns the first record of a file of which enough is true; an empty one when
// there is none.
func (h *heads) until(path string, enough func(*line) bool) *line {
	f, err := fsstore.OpenInput("", path)
	if err != nil {
		return &line{}
	}
	defer f.Close()
	h.b.Reset(io.LimitReader(f, headSize))
	var git git
	for {
		text, err := h.b.ReadSlice('\n')
		long := false
		for errors.Is(err, bufio.ErrBufferFull) {
			long = true
			_, err = h.b.ReadSlice('\n')
		}
		var l line
		if !long && decodes(text, &l) {
			if l.Git.URL != "" {
				git = l.Git
			}
			if l.dir() == "" {
				l.inText = inText(text)
			}
			if enough(&l) {
				if l.Git.URL == "" {
					l.Git = git
				}
				return &l
			}
		}
		if err != nil {
			return &line{}
		}
	}
}

// decodes reports whether a text is a record; fields of other types than expected are left
// out.
func decodes(text []byte, l *line) bool {
	err := json.Unmarshal(text, l)
	var other *json.UnmarshalTypeError
	return err == nil || errors.As(err, &other)
}

// inText is the folder that the first prompts of older versions of Codex name.
func inText(text []byte) string {
	for _, x := range [][2]string{{"<cwd>", "</cwd>"}, {"Current working directory: ", `\n`}} {
		_, rest, ok := bytes.Cut(text, []byte(x[0]))
		if !ok || !bytes.Contains(text, []byte("<environment_context>")) {
			continue
		}
		dir, _, ok := bytes.Cut(rest, []byte(x[1]))
		var plain string
		if ok && len(dir) < 4096 && json.Unmarshal([]byte(`"`+string(dir)+`"`), &plain) == nil {
			return strings.TrimSpace(plain)
		}
	}
	return ""
}

// begin returns the first bytes of a file; good until the next call.
func (h *heads) begin(path string) []byte {
	f, err := fsstore.OpenInput("", path)
	if err != nil {
		return nil
	}
	defer f.Close()
	h.b.Reset(f)
	head, _ := h.b.Peek(longest)
	return head
}
