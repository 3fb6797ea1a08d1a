package setup

// theServer finds our server in a JSON file.
func (w *wiring) theServer(d *document) (s *child, f found, err error) {
	f.missing = 1
	if d.blank {
		return nil, f, nil
	}
	servers, err := d.open([]string{"mcpServers"}, false)
	if err != nil || servers == nil {
		return nil, f, err
	}
	if s = servers.named(serverName); s == nil {
		return nil, f, nil
	}
	var is server
	known := decodeKnown(s.value, &is)
	if !w.trusted(is) {
		return nil, found{foreign: "a server named " + serverName}, nil
	}
	f = w.serverState(is)
	if f.unknown = !known || !is.ours(w.own); f.unknown {
		s = nil
	}
	return s, f, nil
}

// trusted reports whether a server is this program. In a repository a path may lead to anything
// that came with it.
func (w *wiring) trusted(is server) bool {
	return is.asks(w.own) && (w.scope == User || is.Command == program)
}

func (w *wiring) serverState(is server) (f found) {
	f.current, f.servers = 1, 1
	if !w.runs(is.Command) {
		f.lost = append(f.lost, is.Command)
	}
	return f
}

// addServer adds our server, and replaces one whose program is gone where another is there.
func (w *wiring) addServer(text []byte) ([]byte, error) {
	d, err := parse(text)
	if err != nil {
		return nil, err
	}
	s, f, err := w.theServer(d)
	if err != nil || f.foreign != "" || f.unknown {
		return text, err
	}
	if s != nil {
		if len(f.lost) == 0 || w.scope == Project || f.lost[0] == w.exe {
			return text, nil
		}
		if text, err = w.dropServer(text); err != nil {
			return nil, err
		}
		if d, err = parse(text); err != nil {
			return nil, err
		}
	}
	servers, err := d.open([]string{"mcpServers"}, false)
	if err != nil {
		return nil, err
	}
	added := serverOf(w.agent, w.exe)
	if servers != nil {
		return d.put(servers, serverName, added), nil
	}
	root, err := d.open(nil, false)
	if err != nil {
		return nil, err
	}
	return d.put(root, "mcpServers", members{{serverName, added}}), nil
}

// dropServer takes out our server.
func (w *wiring) dropServer(text []byte) ([]byte, error) {
	d, err := parse(text)
	if err != nil {
		return nil, err
	}
	s, _, err := w.theServer(d)
	if err != nil || s == nil {
		return text, err
	}
	servers, err := d.open([]string{"mcpServers"}, false)
	if err != nil {
		return nil, err
	}
	return w.dropEmpty(d.drop(servers, servers.index(serverName)), []string{"mcpServers"}, false)
}
