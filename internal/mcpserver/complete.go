package mcpserver

import (
	"context"

	"episodes/internal/ask"
)

type completeArgs struct {
	Session string `json:"session"`
	Answer  string `json:"answer"`
	Agent   string `json:"-"` // the client's name
}

// complete is the tool by which an agent completes its own session.
const complete = "complete_session"

func (s *server) addComplete() {
	add(s, tool{complete,
		"Complete what is kept of your session, when it is over and asked for: without answer you get a draft and the form of an answer, then call it again with your answer.",
		`"session":{"type":"string","description":"your session id; default: the newest session here"},"answer":{"type":"string","description":"lines of the form that was asked for"}`,
		"", ""},
		func(ctx context.Context, m *ask.Memory, in completeArgs) (ask.Answer, error) {
			return checked(ctx, ask.CompleteRequest{Session: in.Session, Answer: in.Answer, By: in.Agent, Sources: s.Sources}, m.Complete)
		})
}
