package model

import (
	"encoding/json"
	"strings"
)

var (
	responses = protocol{path: "/responses", read: readResponses, whole: wholeResponses, parts: partsResponses}
	chat      = protocol{path: "/chat/completions", read: readChat, whole: wholeChat, parts: partsChat}
)

// toolOpenAI is a tool of a request: a function, a tool of free text, or a namespace of tools.
type toolOpenAI struct {
	Type, Name string
	Parameters json.RawMessage
	Tools      []toolOpenAI
	Function   *struct {
		Name       string
		Parameters json.RawMessage
	}
}

// add keeps a tool; those of a namespace have its name in front, but for the one of functions.
func (x toolOpenAI) add(to map[string]tool, prefix string) {
	switch {
	case x.Function != nil:
		to[x.Function.Name] = schema(x.Function.Parameters)
	case x.Type == "function":
		to[prefix+x.Name] = schema(x.Parameters)
	case x.Type == "custom":
		to[prefix+x.Name] = tool{free: true}
	case x.Type == "namespace":
		if prefix = x.Name + "/"; x.Name == "functions" {
			prefix = ""
		}
		for _, y := range x.Tools {
			y.add(to, prefix)
		}
	}
}

func readResponses(body []byte) (t talk, err error) {
	var in struct {
		Model  string
		Stream bool
		Input  json.RawMessage
		Tools  []toolOpenAI
	}
	if err = json.Unmarshal(body, &in); err != nil {
		return t, err
	}
	t = talk{model: in.Model, stream: in.Stream, tools: map[string]tool{}}
	var one string
	if json.Unmarshal(in.Input, &one) == nil {
		t.users = []string{one}
	}
	var items []struct {
		Type, Role string
		Content    json.RawMessage
		Tools      []toolOpenAI // of code mode
	}
	_ = json.Unmarshal(in.Input, &items)
	for _, it := range items {
		switch it.Type {
		case "message", "":
			if it.Role == "user" {
				t.users = append(t.users, textsOf(it.Content)...)
			}
		case "function_call", "custom_tool_call", "local_shell_call":
			t.calls++
		case "additional_tools":
			in.Tools = append(in.Tools, it.Tools...)
		}
	}
	for _, x := range in.Tools {
		x.add(t.tools, "")
	}
	return t, nil
}

func itemsResponses(t talk, r reply) (items []obj) {
	if r.text != "" {
		items = append(items, obj{"type": "message", "role": "assistant", "id": "msg_" + r.id, "status": "completed",
			"content": []obj{{"type": "output_text", "text": r.text, "annotations": []any{}}}})
	}
	if c := r.call; c != nil {
		it := obj{"id": "item_" + r.id, "call_id": "call_" + r.id, "name": c.name, "status": "completed"}
		if t.tools[c.name].free {
			it["type"], it["input"] = "custom_tool_call", c.args
		} else {
			it["type"], it["arguments"] = "function_call", text(c.args)
			if space, name, ok := strings.Cut(c.name, "/"); ok {
				it["namespace"], it["name"] = space, name
			}
		}
		items = append(items, it)
	}
	return items
}

func wholeResponses(t talk, r reply) any {
	return obj{"id": "resp_" + r.id, "object": "response", "status": "completed", "model": t.model, "output": itemsResponses(t, r),
		"usage": obj{"input_tokens": 1000, "input_tokens_details": obj{"cached_tokens": 0}, "output_tokens": 50,
			"output_tokens_details": obj{"reasoning_tokens": 0}, "total_tokens": 1050}}
}

func partsResponses(t talk, r reply) (out []event) {
	add := func(name string, v obj) {
		v["type"], v["sequence_number"] = name, len(out)
		out = append(out, event{name, v})
	}
	add("response.created", obj{"response": obj{"id": "resp_" + r.id, "object": "response", "status": "in_progress", "model": t.model, "output": []any{}}})
	for i, it := range itemsResponses(t, r) {
		add("response.output_item.added", obj{"output_index": i, "item": begun(it)})
		switch at := (obj{"item_id": it["id"], "output_index": i}); it["type"] {
		case "message":
			part := it["content"].([]obj)[0]
			add("response.content_part.added", with(at, obj{"content_index": 0, "part": obj{"type": "output_text", "text": "", "annotations": []any{}}}))
			add("response.output_text.delta", with(at, obj{"content_index": 0, "delta": part["text"]}))
			add("response.output_text.done", with(at, obj{"content_index": 0, "text": part["text"]}))
			add("response.content_part.done", with(at, obj{"content_index": 0, "part": part}))
		case "function_call":
			add("response.function_call_arguments.delta", with(at, obj{"delta": it["arguments"]}))
			add("response.function_call_arguments.done", with(at, obj{"arguments": it["arguments"]}))
		case "custom_tool_call":
			add("response.custom_tool_call_input.delta", with(at, obj{"delta": it["input"]}))
			add("response.custom_tool_call_input.done", with(at, obj{"input": it["input"]}))
		}
		add("response.output_item.done", obj{"output_index": i, "item": it})
	}
	add("response.completed", obj{"response": wholeResponses(t, r)})
	return out
}

// begun returns an item as it is announced, before its text.
func begun(it obj) obj {
	out := with(it, obj{"status": "in_progress"})
	for field, empty := range (obj{"content": []any{}, "arguments": "", "input": ""}) {
		if _, ok := it[field]; ok {
			out[field] = empty
		}
	}
	return out
}

func with(a, b obj) obj {
	out := obj{}
	for _, m := range []obj{a, b} {
		for k, v := range m {
			out[k] = v
		}
	}
	return out
}

func readChat(body []byte) (t talk, err error) {
	var in struct {
		Model    string
		Stream   bool
		Tools    []toolOpenAI
		Messages []struct {
			Role    string
			Content json.RawMessage
			Calls   []json.RawMessage `json:"tool_calls"`
		}
	}
	if err = json.Unmarshal(body, &in); err != nil {
		return t, err
	}
	t = talk{model: in.Model, stream: in.Stream, tools: map[string]tool{}}
	for _, x := range in.Tools {
		x.add(t.tools, "")
	}
	for _, m := range in.Messages {
		t.calls += len(m.Calls)
		if m.Role == "user" {
			t.users = append(t.users, textsOf(m.Content)...)
		}
	}
	return t, nil
}

func messageChat(r reply) (msg obj, finish string) {
	msg, finish = obj{"role": "assistant", "content": r.text}, "stop"
	if r.call != nil {
		finish = "tool_calls"
		msg["tool_calls"] = []obj{{"index": 0, "id": "call_" + r.id, "type": "function", "function": obj{"name": r.call.name, "arguments": text(r.call.args)}}}
	}
	return msg, finish
}

var usageChat = obj{"prompt_tokens": 1000, "completion_tokens": 50, "total_tokens": 1050}

func wholeChat(t talk, r reply) any {
	msg, finish := messageChat(r)
	return obj{"id": "chatcmpl-" + r.id, "object": "chat.completion", "created": 1, "model": t.model, "usage": usageChat,
		"choices": []obj{{"index": 0, "message": msg, "finish_reason": finish}}}
}

func partsChat(t talk, r reply) []event {
	msg, finish := messageChat(r)
	chunk := func(more obj) event {
		return event{"", with(obj{"id": "chatcmpl-" + r.id, "object": "chat.completion.chunk", "created": 1, "model": t.model}, more)}
	}
	return []event{
		chunk(obj{"choices": []obj{{"index": 0, "delta": msg, "finish_reason": nil}}}),
		chunk(obj{"choices": []obj{{"index": 0, "delta": obj{}, "finish_reason": finish}}}),
		chunk(obj{"choices": []obj{}, "usage": usageChat}),
		{"", "[DONE]"},
	}
}
