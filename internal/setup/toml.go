package setup

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// In a TOML file the server is a table of its own at the end, between two comments. Where
// the servers are one inline table, which nothing can be added to from outside, it is the first
// thing in that.

const tomlServers = "mcp_servers"

func tomlBlock(exe string) block {
	return block{
		begin: "# episodes: added by `episodes setup`; `episodes setup --remove` takes it out",
		end:   "# episodes: end",
		body:  "[" + tomlServers + "." + serverName + "]\ncommand = " + tomlText(exe) + "\nargs = [\"mcp\"]\n",
	}
}

func tomlText(s string) string { return marshal(s) } // a TOML text may be written so

func tomlInline(exe string) string {
	return serverName + ` = { command = ` + tomlText(exe) + `, args = ["mcp"] }`
}

// readTOML decodes a file. The error is a *SyntaxError without a path.
func readTOML(text []byte) (map[string]any, error) {
	out := map[string]any{}
	err := toml.Unmarshal(bytes.TrimPrefix(text, byteOrderMark), &out)
	var at *toml.DecodeError
	if errors.As(err, &at) {
		line, column := at.Position()
		return nil, &SyntaxError{Line: line, Column: column, Message: at.Error()}
	}
	if err != nil {
		return nil, &SyntaxError{Line: 1, Column: 1, Message: err.Error()}
	}
	return out, nil
}

// tomlServer finds our server.
func (w *wiring) tomlServer(text []byte) (s server, f found, err error) {
	all, err := readTOML(text)
	if err != nil {
		return s, f, err
	}
	f.missing = 1
	if all[tomlServers] == nil {
		return s, f, nil
	}
	servers, ok := all[tomlServers].(map[string]any)
	if !ok {
		return s, found{foreign: "something else named " + tomlServers}, nil
	}
	if servers[serverName] == nil {
		return s, f, nil
	}
	is, _ := servers[serverName].(map[string]any)
	s.Command, _ = is["command"].(string)
	args, _ := is["args"].([]any)
	for _, a := range args {
		arg, _ := a.(string)
		s.Args = append(s.Args, arg)
	}
	if !w.trusted(s) {
		return s, found{foreign: "a server named " + serverName}, nil
	}
	f = w.serverState(s)
	_, _, marked := tomlBlock(s.Command).find(text)
	f.unknown = !s.ours(w.own) || !marked && inlineAt(text, s.Command) < 0
	return s, f, nil
}

// addTOML adds our server, and replaces one whose program is gone where another is there.
func (w *wiring) addTOML(text []byte) ([]byte, error) {
	s, f, err := w.tomlServer(text)
	if err != nil || f.foreign != "" || f.unknown {
		return text, err
	}
	if f.current > 0 {
		if len(f.lost) == 0 || w.scope == Project || s.Command == w.exe {
			return text, nil
		}
		if text, err = w.dropTOML(text); err != nil {
			return nil, err
		}
	}
	out := tomlBlock(w.exe).add(text)
	if at, empty := inlineTable(text); at >= 0 {
		added := tomlInline(w.exe)
		if !empty {
			added += ", "
		}
		out = bytes.Join([][]byte{text[:at], []byte(added), text[at:]}, nil)
	}
	if err := onlyServer(out, text); err != nil {
		return nil, fmt.Errorf("add a server: %w", err)
	}
	return out, nil
}

// dropTOML takes our server out, where setup put it in.
func (w *wiring) dropTOML(text []byte) ([]byte, error) {
	s, f, err := w.tomlServer(text)
	if err != nil || f.current == 0 || f.unknown {
		return text, err
	}
	var out []byte
	if at := inlineAt(text, s.Command); at >= 0 {
		rest := text[at+len(tomlInline(s.Command)):]
		out = append(bytes.Clone(text[:at]), bytes.TrimPrefix(rest, []byte(", "))...)
	} else {
		out = tomlBlock(s.Command).drop(text)
	}
	if err := onlyServer(text, out); err != nil {
		return nil, fmt.Errorf("take the server out: %w", err)
	}
	return out, nil
}

// onlyServer reports whether two files differ in nothing but our server.
func onlyServer(with, without []byte) error {
	a, err := readTOML(with)
	if err != nil {
		return err
	}
	b, err := readTOML(without)
	if err != nil {
		return err
	}
	if servers, ok := a[tomlServers].(map[string]any); ok {
		delete(servers, serverName)
		if _, had := b[tomlServers]; len(servers) == 0 && !had {
			delete(a, tomlServers)
		}
	}
	x, err := toml.Marshal(a)
	if err != nil {
		return err
	}
	if y, err := toml.Marshal(b); err != nil || !bytes.Equal(x, y) {
		return errors.New("more than the server would change; do it by hand")
	}
	return nil
}

// inlineTable is the offset behind the bracket of an inline table of servers, -1: there is
// none; empty: nothing is in it.
func inlineTable(text []byte) (at int, empty bool) {
	skipped := len(text) - len(bytes.TrimPrefix(text, byteOrderMark))
	p := unstable.Parser{}
	p.Reset(text[skipped:])
	for p.NextExpression() {
		x := p.Expression()
		if x.Kind == unstable.Table || x.Kind == unstable.ArrayTable {
			break // what follows is of a table
		}
		if x.Kind != unstable.KeyValue || x.Value().Kind != unstable.InlineTable {
			continue
		}
		key := x.Key()
		if key.Next() && string(key.Node().Data) == tomlServers && key.IsLast() {
			children := x.Value().Children()
			return skipped + int(x.Value().Raw.Offset) + 1, !children.Next()
		}
	}
	return -1, false
}

// inlineAt is where an inline table has our server as setup puts it there; -1: it has not.
func inlineAt(text []byte, exe string) int {
	if at, _ := inlineTable(text); at >= 0 && bytes.HasPrefix(text[at:], []byte(tomlInline(exe))) {
		return at
	}
	return -1
}
