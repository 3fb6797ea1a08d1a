package model

import "encoding/json"

var gemini = protocol{path: "enerateContent", read: readGemini,
	whole: func(_ talk, r reply) any { return contentGemini(r) },
	parts: func(_ talk, r reply) []event { return []event{{"", contentGemini(r)}} },
}

func readGemini(body []byte) (t talk, err error) {
	var in struct {
		Contents []struct {
			Role  string
			Parts []struct {
				Text         string
				FunctionCall json.RawMessage
			}
		}
		Tools []struct {
			FunctionDeclarations []struct {
				Name                 string
				ParametersJSONSchema json.RawMessage `json:"parametersJsonSchema"`
				Parameters           json.RawMessage
			}
		}
		GenerationConfig struct {
			ResponseMimeType   string
			ResponseJSONSchema json.RawMessage `json:"responseJsonSchema"`
		}
	}
	if err = json.Unmarshal(body, &in); err != nil {
		return t, err
	}
	t = talk{tools: map[string]tool{}}
	t.side = in.GenerationConfig.ResponseMimeType == "application/json" || in.GenerationConfig.ResponseJSONSchema != nil
	for _, x := range in.Tools {
		for _, f := range x.FunctionDeclarations {
			if f.ParametersJSONSchema == nil {
				f.ParametersJSONSchema = f.Parameters
			}
			t.tools[f.Name] = schema(f.ParametersJSONSchema)
		}
	}
	for _, c := range in.Contents {
		for _, p := range c.Parts {
			if c.Role == "user" && p.Text != "" {
				t.users = append(t.users, p.Text)
			}
			if p.FunctionCall != nil {
				t.calls++
			}
		}
	}
	return t, nil
}

func contentGemini(r reply) obj {
	parts := []obj{}
	if r.text != "" {
		parts = append(parts, obj{"text": r.text})
	}
	if r.call != nil {
		parts = append(parts, obj{"functionCall": obj{"name": r.call.name, "args": r.call.args, "id": "call_" + r.id}, "thoughtSignature": "c2ln"})
	}
	return obj{
		"candidates":    []obj{{"content": obj{"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}},
		"modelVersion":  "scripted",
		"usageMetadata": obj{"promptTokenCount": 1000, "candidatesTokenCount": 50, "totalTokenCount": 1050},
	}
}
