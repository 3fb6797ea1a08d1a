package mcpserver

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"episodes/internal/plain"
)

// maxMessage is the length in bytes of the longest message that is read.
const maxMessage = 4 << 20

// messages is the input of a server: one message a line. A line that is no message is answered with
// an error and left out, since the server ends at what it cannot read.
type messages struct {
	in   *bufio.Reader
	out  *answers
	rest []byte // of the message that is being read
}

// answers is the output of a server. A message is written as a whole, and what an error repeats is
// made harmless.
type answers struct {
	mu sync.Mutex
	io.Writer
}

// answer is a message that reports an error.
type answer struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Error   *jsonrpc.Error  `json:"error"`
}

func (a *answers) Write(p []byte) (n int, err error) {
	n = len(p)
	var failed answer
	if bytes.Contains(p, []byte(`"error":`)) && json.Unmarshal(p, &failed) == nil && failed.Error != nil {
		failed.Error = &jsonrpc.Error{Code: failed.Error.Code, Message: harmless(failed.Error.Message)}
		if p, err = json.Marshal(failed); err != nil {
			return 0, err
		}
		p = append(p, '\n')
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, err := a.Writer.Write(p); err != nil {
		return 0, err
	}
	return n, nil
}

func (*answers) Close() error { return nil }

func (m *messages) Read(p []byte) (int, error) {
	for len(m.rest) == 0 {
		line, err := m.line()
		if line = bytes.TrimSpace(line); len(line) > 0 {
			m.take(line)
		}
		if err != nil && len(m.rest) == 0 {
			return 0, err
		}
	}
	n := copy(p, m.rest)
	m.rest = m.rest[n:]
	return n, nil
}

// line reads a line. One that is too long is cut, and is no message then.
func (m *messages) line() (line []byte, err error) {
	for {
		part, err := m.in.ReadSlice('\n')
		if len(line) <= maxMessage {
			line = append(line, part...)
		}
		if err != bufio.ErrBufferFull {
			return line, err
		}
	}
}

// take passes on the messages of a line: one, or several in a list.
func (m *messages) take(line []byte) {
	var list []json.RawMessage
	switch {
	case len(line) > maxMessage:
		m.refuse(nil, jsonrpc.CodeInvalidRequest, fmt.Sprintf("a message has at most %d bytes", maxMessage))
	case !json.Valid(line):
		m.refuse(nil, jsonrpc.CodeParseError, "not JSON on one line")
	case line[0] != '[':
		m.pass(line)
	case json.Unmarshal(line, &list) != nil || len(list) == 0:
		m.refuse(nil, jsonrpc.CodeInvalidRequest, "an empty list")
	default:
		for _, one := range list {
			m.pass(one)
		}
	}
}

func (m *messages) pass(one []byte) {
	if _, err := jsonrpc.DecodeMessage(one); err != nil {
		var failed answer
		_ = json.Unmarshal(one, &failed)
		if len(failed.ID) > 0 && bytes.IndexByte([]byte("{[tf"), failed.ID[0]) >= 0 {
			failed.ID = nil
		}
		m.refuse(failed.ID, jsonrpc.CodeInvalidRequest, err.Error())
		return
	}
	m.rest = append(append(m.rest, one...), '\n')
}

// refuse answers with an error.
func (m *messages) refuse(id json.RawMessage, code int64, why string) {
	if data, err := json.Marshal(answer{"2.0", id, &jsonrpc.Error{Code: code, Message: why}}); err == nil {
		_, _ = m.out.Write(append(data, '\n'))
	}
}

// harmless is the text of an error, which may repeat what a client or a log says.
func harmless(text string) string {
	const most = 400 // bytes
	return plain.Cut(plain.Inert(plain.Words(text)), most)
}
