package revise

import (
	"bytes"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"

	"episodes/episode"
)

// oldFile is an existing episode, read as leniently as a merge needs: decisions
// may be bare strings, entries may be null, fields may be unknown.
type oldFile struct {
	ep        *episode.Episode
	top       map[string]json.RawMessage
	decisions []map[string]json.RawMessage // unknown fields of each kept decision
	events    []map[string]json.RawMessage
	bare      []int // decisions that were stored as bare text
}

// readOld reads the bytes of an existing episode.
func readOld(data []byte) (*oldFile, error) {
	o := &oldFile{top: map[string]json.RawMessage{}}
	trim := bytes.TrimSpace(data)
	if len(trim) == 0 || trim[0] != '{' || !json.Valid(data) {
		if _, err := episode.Parse(data); err != nil {
			return nil, err
		}
		return nil, objectError(1, "the file is not a JSON object")
	}
	if err := json.Unmarshal(data, &o.top); err != nil {
		return nil, objectError(1, "%v", err)
	}
	var decisions, events []json.RawMessage
	for field, to := range map[string]*[]json.RawMessage{"decisions": &decisions, "events": &events} {
		if raw, ok := o.top[field]; ok {
			if err := json.Unmarshal(raw, to); err != nil {
				return nil, objectError(episode.LineOf(data, `"`+field+`"`), "%s is not a list", field)
			}
		}
	}
	rest := map[string]json.RawMessage{}
	for k, v := range o.top {
		if k != "decisions" && k != "events" {
			rest[k] = v
		}
	}
	plain, err := json.Marshal(rest)
	if err != nil {
		return nil, err
	}
	o.ep = &episode.Episode{}
	if err := json.Unmarshal(plain, o.ep); err != nil {
		return nil, objectError(1, "%v", err)
	}
	if o.ep.Outcome == "" {
		o.ep.Outcome = episode.Unknown
	}
	if err := o.addDecisions(decisions, data); err != nil {
		return nil, err
	}
	return o, o.addEvents(events, data)
}

func (o *oldFile) addDecisions(list []json.RawMessage, data []byte) error {
	var texts []string
	for i, raw := range list {
		var text string
		var d episode.Decision
		switch {
		case string(raw) == "null":
		case json.Unmarshal(raw, &text) == nil:
			if text = strings.TrimSpace(text); text != "" {
				texts = append(texts, text)
			}
		case json.Unmarshal(raw, &d) == nil:
			if strings.TrimSpace(d.Chosen) == "" {
				continue
			}
			if d.Type == "" {
				d.Type = episode.Implementation
			}
			if d.Outcome == "" {
				d.Outcome = episode.Unknown
			}
			o.ep.Decisions = append(o.ep.Decisions, d)
			o.decisions = append(o.decisions, unknown(raw, decisionFields))
		default:
			return objectError(episode.LineOf(data, `"decisions"`), "decision %d is neither an object nor text", i+1)
		}
	}
	for _, text := range texts {
		if !slices.ContainsFunc(o.ep.Decisions, func(d episode.Decision) bool { return trimmed(d.Chosen) == trimmed(text) }) {
			o.bare = append(o.bare, len(o.ep.Decisions))
			o.ep.Decisions = append(o.ep.Decisions, episode.Decision{Type: episode.Implementation, Chosen: text, Outcome: episode.Unknown})
			o.decisions = append(o.decisions, nil)
		}
	}
	return nil
}

// adopt makes a bare text and the fresh decision with that text one.
func (o *oldFile) adopt(fresh *episode.Episode) {
	for _, i := range o.bare {
		for _, f := range fresh.Decisions {
			if trimmed(f.Chosen) == trimmed(o.ep.Decisions[i].Chosen) {
				o.ep.Decisions[i].Context, o.ep.Decisions[i].Type = f.Context, f.Type
				break
			}
		}
	}
}

func (o *oldFile) addEvents(list []json.RawMessage, data []byte) error {
	for i, raw := range list {
		var v episode.Event
		if string(raw) == "null" {
			continue
		}
		if err := json.Unmarshal(raw, &v); err != nil {
			return objectError(episode.LineOf(data, `"events"`), "event %d is not an object of the schema", i+1)
		}
		if strings.TrimSpace(v.Content) == "" {
			continue
		}
		o.ep.Events = append(o.ep.Events, v)
		o.events = append(o.events, unknown(raw, eventFields))
	}
	return nil
}

// The fields this program knows; what else a file holds is carried along.
var (
	topFields      = fields("id session timestamp outcome outcome_source task instance decisions events metrics lessons links provenance")
	decisionFields = fields("id timestamp type key option_keys exploration context options chosen rationale outcome superseded effects")
	eventFields    = fields("id timestamp type key content caused_by leads_to")
	metricFields   = fields("duration_minutes tool_calls errors recoveries commits files_changed reward tokens cost_usd")
)

func fields(names string) map[string]bool {
	set := map[string]bool{}
	for _, n := range strings.Fields(names) {
		set[n] = true
	}
	return set
}

func unknown(raw json.RawMessage, known map[string]bool) map[string]json.RawMessage {
	var all, out map[string]json.RawMessage
	if json.Unmarshal(raw, &all) != nil {
		return nil
	}
	for k, v := range all {
		if !known[k] {
			if out == nil {
				out = map[string]json.RawMessage{}
			}
			out[k] = v
		}
	}
	return out
}

// addExtras puts the unknown fields of the existing file into the merged one.
// Existing records come first in a merge, so the n-th record is still the n-th.
func (o *oldFile) addExtras(merged []byte) ([]byte, error) {
	top := unknown(mustRaw(o.top), topFields)
	metrics := unknown(o.top["metrics"], metricFields)
	count := len(top) + len(metrics)
	for _, list := range [][]map[string]json.RawMessage{o.decisions, o.events} {
		for _, extra := range list {
			count += len(extra)
		}
	}
	if count == 0 {
		return merged, nil
	}
	doc := orderedObject(merged)
	doc.edit("metrics", func(raw json.RawMessage) json.RawMessage { return orderedObject(raw).with(metrics).raw() })
	for field, extras := range map[string][]map[string]json.RawMessage{"decisions": o.decisions, "events": o.events} {
		doc.edit(field, func(raw json.RawMessage) json.RawMessage { return withEach(raw, extras) })
	}
	return doc.with(top).indented()
}

// pairs matches a span that json.Indent spread over lines.
var pairs = regexp.MustCompile(`\[\n\s+(\d+),\n\s+(\d+)\n\s+\]`)

func withEach(raw json.RawMessage, extras []map[string]json.RawMessage) json.RawMessage {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return raw
	}
	for i, extra := range extras {
		if len(extra) > 0 && i < len(list) {
			list[i] = orderedObject(list[i]).with(extra).raw()
		}
	}
	return mustRaw(list)
}

// object is a JSON object that keeps the order of its fields.
type object struct {
	keys   []string
	values map[string]json.RawMessage
}

// orderedObject reads a JSON object that an encoder wrote.
func orderedObject(data []byte) *object {
	o := &object{values: map[string]json.RawMessage{}}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.Token() // the opening brace
	for dec.More() {
		key, _ := dec.Token()
		var value json.RawMessage
		if name, ok := key.(string); ok && dec.Decode(&value) == nil {
			o.keys = append(o.keys, name)
			o.values[name] = value
		} else {
			break
		}
	}
	return o
}

func (o *object) edit(key string, change func(json.RawMessage) json.RawMessage) {
	if v, ok := o.values[key]; ok {
		o.values[key] = change(v)
	}
}

func (o *object) with(extra map[string]json.RawMessage) *object {
	for _, k := range slices.Sorted(maps.Keys(extra)) {
		if _, ok := o.values[k]; !ok {
			o.keys = append(o.keys, k)
			o.values[k] = extra[k]
		}
	}
	return o
}

func (o *object) raw() json.RawMessage {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, k := range o.keys {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(mustRaw(k))
		b.WriteByte(':')
		b.Write(o.values[k])
	}
	b.WriteByte('}')
	return b.Bytes()
}

// mustRaw encodes what is made of decoded JSON, which cannot fail.
func mustRaw(v any) json.RawMessage {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err)
	}
	return bytes.TrimSpace(b.Bytes())
}
