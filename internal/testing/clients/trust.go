//go:build unix

package main

import (
	"encoding/json"
	"errors"
	"io"
)

// trustCodex trusts a repository and all hooks by the app server of Codex, which is what its terminal
// does at its question about a folder, and in /hooks.
func trustCodex(p *place) error {
	cmd := p.command(p.v.client.env, p.v.client.program, "app-server")
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	defer p.late(cmd).Stop()
	defer func() {
		end(cmd)
		_ = cmd.Wait()
	}()
	s := &appServer{in: in, out: json.NewDecoder(out)}
	if err := s.call("initialize", object{"clientInfo": object{"name": "clients", "version": "1"}, "capabilities": object{"experimentalApi": true}}, nil); err != nil {
		return err
	}
	var list struct {
		Data []struct {
			Hooks []struct{ Key, CurrentHash string }
		}
	}
	if err := s.call("hooks/list", object{"cwds": []string{p.repo}}, &list); err != nil {
		return err
	}
	edits := []object{{"keyPath": "projects", "mergeStrategy": "upsert", "value": object{p.repo: object{"trust_level": "trusted"}}}}
	for _, folder := range list.Data {
		for _, h := range folder.Hooks {
			edits = append(edits, object{"keyPath": "hooks.state", "mergeStrategy": "upsert", "value": object{h.Key: object{"trusted_hash": h.CurrentHash}}})
		}
	}
	return s.call("config/batchWrite", object{"edits": edits}, nil)
}

type object = map[string]any

// appServer asks the app server of Codex: requests and answers are lines of JSON.
type appServer struct {
	in  io.Writer
	out *json.Decoder
	id  int
}

// call sends a request and waits for its answer, which it decodes unless result is nil.
func (s *appServer) call(method string, params object, result any) error {
	s.id++
	if err := json.NewEncoder(s.in).Encode(object{"id": s.id, "method": method, "params": params}); err != nil {
		return err
	}
	for {
		var m struct {
			ID     int
			Result json.RawMessage
			Error  *struct{ Message string }
		}
		switch err := s.out.Decode(&m); {
		case err != nil:
			return err
		case m.ID != s.id: // a notification
		case m.Error != nil:
			return errors.New(method + ": " + m.Error.Message)
		case result == nil:
			return nil
		default:
			return json.Unmarshal(m.Result, result)
		}
	}
}
