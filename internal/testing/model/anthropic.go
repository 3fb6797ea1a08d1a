package model

import "encoding/json"

var anthropic = protocol{path: "/messages", read: readAnthropic, whole: wholeAnthropic, parts: partsAnthropic}

func readAnthropic(body []byte) (t talk, err error) {
	var in struct {
		Model    string
		Stream   bool
		Messages []struct {
			Role    string
			Content json.RawMessage
		}
		Tools []struct {
			Name   string
			Schema json.RawMessage `json:"input_schema"`
		}
	}
	if err = json.Unmarshal(body, &in); err != nil {
		return t, err
	}
	t = talk{model: in.Model, stream: in.Stream, tools: map[string]tool{}}
	for _, x := range in.Tools {
		t.tools[x.Name] = schema(x.Schema)
	}
	for _, m := range in.Messages {
		if m.Role == "user" {
			t.users = append(t.users, textsOf(m.Content)...)
			continue
		}
		var blocks []struct{ Type string }
		_ = json.Unmarshal(m.Content, &blocks)
		for _, b := range blocks {
			if b.Type == "tool_use" {
				t.calls++
			}
		}
	}
	return t, nil
}

func wholeAnthropic(t talk, r reply) any {
	content, stop := []obj{}, "end_turn"
	if r.text != "" {
		content = append(content, obj{"type": "text", "text": r.text})
	}
	if r.call != nil {
		stop = "tool_use"
		content = append(content, obj{"type": "tool_use", "id": "toolu_" + r.id, "name": r.call.name, "input": r.call.args})
	}
	return obj{
		"id": "msg_" + r.id, "type": "message", "role": "assistant", "model": t.model, "content": content,
		"stop_reason": stop, "stop_sequence": nil,
		"usage": obj{"input_tokens": 1000, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0, "output_tokens": 50},
	}
}

func partsAnthropic(t talk, r reply) (out []event) {
	add := func(name string, v obj) {
		v["type"] = name
		out = append(out, event{name, v})
	}
	msg := wholeAnthropic(t, r).(obj)
	content, stop := msg["content"].([]obj), msg["stop_reason"]
	msg["content"], msg["stop_reason"] = []obj{}, nil
	add("message_start", obj{"message": msg})
	for i, b := range content {
		delta := obj{"type": "text_delta", "text": b["text"]}
		if b["type"] == "tool_use" {
			delta = obj{"type": "input_json_delta", "partial_json": text(b["input"])}
			b["input"] = obj{}
		} else {
			b["text"] = ""
		}
		add("content_block_start", obj{"index": i, "content_block": b})
		add("content_block_delta", obj{"index": i, "delta": delta})
		add("content_block_stop", obj{"index": i})
	}
	add("message_delta", obj{"delta": obj{"stop_reason": stop, "stop_sequence": nil}, "usage": obj{"output_tokens": 50}})
	add("message_stop", obj{})
	return out
}
