package setup

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// In a TOML file the server is a table of its own at the end, between two comments. The agent
// writes to the file too, and moves or drops comments. So what is taken out is found by the
// names of tables and the command, and the rest of our comments with it.

const tomlServers = "mcp_servers"

func tomlBlock(exe string) block {
	return block{
		begin: "# episodes: added by `episodes setup`; `episodes setup --remove` takes it out",
		end:   "# episodes: end",
		body:  "[" + tomlServers + "." + serverName + "]\ncommand = " + tomlText(exe) + "\nargs = [\"mcp\"]\n",
	}
}

func tomlText(s string) string { return marshal(s) } // a TOML text may be written so

// readTOML decodes a file. The error is a *SyntaxError without a path.
func readTOML(text []byte) (map[string]any, error) {
	out := map[string]any{}
	err := toml.Unmarshal(bytes.TrimPrefix(text, byteOrderMark), &out)
	if at, ok := errors.AsType[*toml.DecodeError](err); ok {
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
	f.unknown = !s.ours(w.own)
	for key := range is {
		f.unknown = f.unknown || !slices.Contains(serverKeys, key)
	}
	return s, f, nil
}

// serverKeys are what setup writes into the table of the server, and what Codex adds by itself. One
// with more than that is of the user.
var serverKeys = []string{"command", "args", "enabled", "tools"}

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
	if err := onlyThese(out, text, [][]string{{tomlServers, serverName}}); err != nil {
		return nil, fmt.Errorf("add a server: %w", err)
	}
	return out, nil
}

// dropTOML takes our server out, and what the agent keeps about hooks of ours that go too.
func (w *wiring) dropTOML(text []byte) ([]byte, error) {
	_, f, err := w.tomlServer(text)
	if err != nil {
		return nil, err
	}
	var ours [][]string
	if f.current > 0 && !f.unknown {
		ours = append(ours, []string{tomlServers, serverName})
	}
	for _, key := range w.keys {
		ours = append(ours, append(slices.Clone(hookStates), key))
	}
	out := w.cutTOML(text, ours)
	if bytes.Equal(out, text) {
		return text, nil
	}
	if err := onlyThese(text, out, ours); err != nil {
		return nil, fmt.Errorf("take the server out: %w", err)
	}
	return out, nil
}

// hookStates is the path of the table in which Codex keeps which hooks its user trusts.
var hookStates = []string{"hooks", "state"}

// unit is a line of a TOML file that says something, with the blank lines behind it: the header of a
// table, a value, which may have several lines, or a comment.
type unit struct {
	from, to int
	path     []string // nil of a comment
	header   bool
}

func unitsOf(text []byte) (units []unit) {
	skipped := len(text) - len(bytes.TrimPrefix(text, byteOrderMark))
	p := unstable.Parser{KeepComments: true}
	p.Reset(text[skipped:])
	var table []string
	for p.NextExpression() {
		x := p.Expression()
		u, at := unit{header: x.Kind == unstable.Table || x.Kind == unstable.ArrayTable}, int(x.Raw.Offset)
		if x.Kind != unstable.Comment {
			key := x.Key()
			for first := true; key.Next(); first = false {
				if first {
					at = int(key.Node().Raw.Offset)
				}
				u.path = append(u.path, string(key.Node().Data))
			}
			if u.header {
				table = u.path
			} else {
				u.path = slices.Concat(table, u.path)
			}
		}
		u.from = bytes.LastIndexByte(text[:skipped+at], '\n') + 1
		if len(units) == 0 {
			u.from = max(u.from, skipped)
		} else {
			units[len(units)-1].to = u.from
		}
		u.to = len(text)
		units = append(units, u)
	}
	return units
}

// under reports whether a path begins with another one.
func under(path, top []string) bool {
	return len(path) >= len(top) && slices.Equal(path[:len(top)], top)
}

// cutTOML takes out tables and values by their paths, comments of ours, and headers of tables that
// were made for what goes.
func (w *wiring) cutTOML(text []byte, ours [][]string) []byte {
	units := unitsOf(text)
	goes := make([]bool, len(units))
	gone := func(i int) bool { return goes[i] }
	for i, u := range units {
		goes[i] = slices.ContainsFunc(ours, func(top []string) bool { return u.path != nil && under(u.path, top) })
	}
	if !slices.Contains(goes, true) {
		return text
	}
	before := unitsOf(w.old)
	for i, u := range slices.Backward(units) {
		line := strings.TrimSpace(string(text[u.from:u.to]))
		goes[i] = goes[i] || u.path == nil && (line == tomlBlock("").begin || line == tomlBlock("").end) ||
			u.header && emptied(units, i, gone) &&
				!slices.ContainsFunc(before, func(o unit) bool { return o.header && slices.Equal(o.path, u.path) })
	}
	var out []byte
	at := 0
	for i, u := range units {
		if goes[i] {
			out, at = append(out, text[at:u.from]...), u.to
		}
	}
	if nl := lineEnd(text); at == len(text) && bytes.HasSuffix(text, []byte("\n")) {
		if bytes.HasSuffix(out, []byte("\n"+nl)) {
			out = out[:len(out)-len(nl)]
		}
	} else if at == len(text) {
		out = bytes.TrimSuffix(bytes.TrimSuffix(out, []byte(nl)), []byte(nl))
	}
	out = append(out, text[at:]...)
	if w.old != nil && slices.Equal(lines(out), lines(w.old)) {
		return w.old // the agent only moved what is between the lines
	}
	return out
}

// emptied reports whether the table of a header has nothing left in it, and had something that goes.
func emptied(units []unit, header int, gone func(int) bool) bool {
	had := false
	for i, u := range units {
		if i != header && u.path != nil && under(u.path, units[header].path) {
			if !gone(i) {
				return false
			}
			had = true
		}
	}
	return had
}

// lines are those of a text that are not blank.
func lines(text []byte) (out []string) {
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimRight(line, " \t\r\n"); line != "" {
			out = append(out, line)
		}
	}
	return out
}

// onlyThese returns an error if two files differ in more than what is at some paths, or cannot be read.
func onlyThese(with, without []byte, ours [][]string) error {
	left := func(text []byte) []byte {
		all, err := readTOML(text)
		for _, path := range ours {
			remove(all, path)
		}
		if out, failed := toml.Marshal(all); err == nil && failed == nil {
			return out
		}
		return text
	}
	if !bytes.Equal(left(with), left(without)) {
		return errors.New("more than the server would change; do it by hand")
	}
	return nil
}

// remove removes the value at a path, and tables that are empty then or were before.
func remove(all map[string]any, path []string) {
	if in, ok := all[path[0]].(map[string]any); ok && len(path) > 1 {
		if remove(in, path[1:]); len(in) > 0 {
			return
		}
	}
	delete(all, path[0])
}
