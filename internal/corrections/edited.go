package corrections

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/internal/plain"
)

// Edited reports whether an episode file is not exactly what extraction and corrections
// wrote, by the seal in its provenance. White space, line ends and the order of fields do
// not count; a field that this program does not know does. A file without a seal was
// written by another tool.
func Edited(data []byte) bool {
	ep, err := episode.ParseExact(data)
	if err != nil || !ep.Sealed() {
		return true
	}
	canonical, err := episode.Marshal(ep)
	return err != nil || !bytes.Equal(canonical, data) && !reflect.DeepEqual(decoded(canonical), decoded(data))
}

// decoded is the JSON object in data, with its numbers as they are written.
func decoded(data []byte) (object map[string]any) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	_ = dec.Decode(&object)
	return object
}

// Difference is one field in which an edited file differs from what extraction writes.
type Difference struct {
	Record  string `json:"record"`            // a record or link; "": the session; metrics: its figures
	Field   string `json:"field,omitempty"`   // "" where only one of the two has the record or link
	Was     string `json:"was,omitempty"`     // what extraction writes
	Is      string `json:"is,omitempty"`      // what the file says
	Command string `json:"command,omitempty"` // arguments that keep it, or ""
}

// String describes the difference in one line.
func (d Difference) String() string {
	show := func(s string) string {
		if s == "" {
			return "nothing"
		}
		return plain.Quote(s, 100)
	}
	return fmt.Sprintf("%s: %s, was %s", strings.TrimSpace(d.Record+" "+d.Field), show(d.Is), show(d.Was))
}

// Differences compares an edited file with the episode that extraction makes of its log.
// Provenance is left out. Differences that a command can keep come first.
func Differences(fresh *episode.Episode, edited []byte) []Difference {
	canonical, err := episode.Marshal(fresh)
	if err != nil {
		return nil
	}
	was, is := recordsOf(decoded(canonical)), recordsOf(decoded(edited))
	all := maps.Clone(was)
	maps.Copy(all, is)
	var kept, lost []Difference // with a command that keeps them, and without
	add := func(d Difference) {
		if d.Command = d.command(fresh.ID); d.Command != "" {
			kept = append(kept, d)
		} else {
			lost = append(lost, d)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(all)) {
		if was[id] == nil || is[id] == nil {
			add(Difference{Record: id, Was: was[id].words(), Is: is[id].words()})
			continue
		}
		fields := maps.Clone(was[id])
		maps.Copy(fields, is[id])
		for _, f := range slices.Sorted(maps.Keys(fields)) {
			if was[id][f] != is[id][f] {
				add(Difference{Record: id, Field: f, Was: was[id][f], Is: is[id][f]})
			}
		}
	}
	return append(kept, lost...)
}

// content holds the fields of one record as text.
type content map[string]string

// words is what a record is known by.
func (c content) words() string { return cmp.Or(c["chosen"], c["content"], c["text"], c["type"]) }

// recordsOf lists the content of an episode by the ids of its records and links; that of
// the session is under "".
func recordsOf(object map[string]any) map[string]content {
	out := map[string]content{"": {}}
	add := func(id string, fields map[string]any) {
		out[id] = content{}
		for name, value := range fields {
			out[id][name] = words(value)
		}
	}
	for name, value := range object {
		list, _ := value.([]any)
		for i, item := range list {
			fields, isObject := item.(map[string]any)
			switch {
			case name == "links" && isObject:
				add(episode.LinkID(words(fields["source"]), words(fields["target"])), fields)
			case name == "lessons":
				add(episode.LessonID(i+1), map[string]any{"text": item})
			case isObject:
				add(cmp.Or(words(fields["id"]), fmt.Sprintf("%s[%d]", name, i)), fields)
			}
		}
		fields, isObject := value.(map[string]any)
		switch {
		case name == "metrics" && isObject:
			add(name, fields)
		case list == nil && name != "provenance":
			out[""][name] = words(value)
		}
	}
	return out
}

// words is a JSON value in one line.
func words(v any) string {
	if s, isString := v.(string); isString {
		return plain.Words(s)
	}
	data, err := json.Marshal(v)
	if err != nil || v == nil {
		return ""
	}
	return plain.Words(string(data))
}

// command is what keeps a difference of an episode once the file is extracted again.
func (d Difference) command(id string) string {
	kind, ref := "", id
	if d.Record != "" {
		kind, ref = d.Record[:1], id+"#"+d.Record
	}
	const most = 1000 // bytes that each command takes
	text := d.Is != "" && len(d.Is) <= most
	switch {
	case d.Record == "metrics":
		return ""
	case d.Field == "" && d.Is == "":
		return "correct " + Quote(ref) + " --wrong"
	case d.Field == "" && kind == "l" && text:
		return "record lesson " + Quote(d.Is) + " --of " + id
	case d.Field == "" && kind == "d" && text && !strings.Contains(d.Record, ">"):
		return "record decision " + Quote(d.Is) + " --of " + id
	case d.Field == "outcome" && slices.Contains(episode.Outcomes(), episode.Outcome(d.Is)):
		return "correct " + Quote(ref) + " --outcome " + d.Is
	case slices.Contains([]string{"task", "chosen", "content", "text"}, d.Field) && text:
		return "correct " + Quote(ref) + " --text " + Quote(d.Is)
	}
	return ""
}

// Quote is a text as one word of a shell's command line.
func Quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
