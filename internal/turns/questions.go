package turns

import (
	"cmp"
	"encoding/json"
	"strings"

	"episodes/internal/lazy"
)

// Question is a question to the user, with the answers that the agent offers.
type Question struct {
	Question string   `json:"question"`
	Prompt   string   `json:"prompt"` // some agents say so
	Options  []Option `json:"options"`
}

// Option is an answer that is offered: a string, or an object with a label.
type Option string

// UnmarshalJSON never fails.
func (o *Option) UnmarshalJSON(data []byte) error {
	var named struct{ Label, Value string }
	switch {
	case json.Unmarshal(data, (*string)(o)) == nil:
	case json.Unmarshal(data, &named) == nil && named.Label != "":
		*o = Option(named.Label)
	default:
		*o = Option(named.Value)
	}
	return nil
}

// Asks sets the text and the options of an Ask. Options are kept only for a single question: with
// several, an answer does not show which question it belongs to.
func (c *ToolCall) Asks(questions []Question) {
	var texts []string
	for _, q := range questions {
		texts = append(texts, cmp.Or(q.Question, q.Prompt))
	}
	c.Text = strings.Join(texts, "\n")
	if len(questions) == 1 {
		for _, o := range questions[0].Options {
			c.Options = append(c.Options, string(o))
		}
	}
}

// forModel matches what an agent writes around the words of a human for its model.
var forModel = lazy.Pattern(`(?s)^\s*The user wants to clarify these questions.*|\s+(?:Note: The user's next message may contain a correction|You can now continue with the user's answers in mind).*`)

// Replied is what a human replied, without what an agent writes around it for its model.
func Replied(text string) string { return strings.TrimSpace(forModel().ReplaceAllString(text, "")) }
