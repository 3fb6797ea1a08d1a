package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"episodes/episode"
	"episodes/infer"
)

// refit is the number of new episodes after which the study is rebuilt.
const refit = 12

type request struct {
	Op      string          `json:"op"`
	Episode json.RawMessage `json:"episode"`
	Failed  []string        `json:"failed"`
	question
}

// serve answers one request a line until the input ends.
func serve(in io.Reader, out io.Writer) error {
	var records []infer.Record
	var s *infer.Study
	waiting := 0
	lines := bufio.NewReader(in)
	enc := json.NewEncoder(out)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) == 0 && err == io.EOF {
			return nil
		}
		if err != nil && err != io.EOF {
			return fmt.Errorf("read a request: %w", err)
		}
		var r request
		if err := json.Unmarshal(line, &r); err != nil {
			return fmt.Errorf("parse a request: %w", err)
		}
		reply := any(map[string]bool{"ok": true})
		switch r.Op {
		case "reset":
			records, s, waiting = nil, nil, 0
		case "observe":
			ep, err := episode.Parse(r.Episode)
			if err != nil {
				return fmt.Errorf("parse an episode: %w", err)
			}
			records = append(records, infer.FromEpisode(ep))
			if waiting++; waiting >= refit {
				s = nil
			}
		case "advise":
			if s == nil {
				s, waiting = infer.New(records), 0
			}
			reply = map[string]*string{"option": choose(s, r.question, r.Failed)}
		default:
			return fmt.Errorf("unknown request %q", r.Op)
		}
		if err := enc.Encode(reply); err != nil {
			return fmt.Errorf("reply: %w", err)
		}
	}
}
