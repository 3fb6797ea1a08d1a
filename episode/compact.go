package episode

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"
)

// compact adds to out the JSON of an episode on one line, with every list in it
// present and a line end: what encode without indent gives, which the tests hold it
// to. A digest is made of every episode that is read or written, so it does without
// reflection.
func compact(out []byte, e *Episode) ([]byte, error) {
	w := writer{out: out}
	w.object(func() {
		w.text("id", e.ID)
		w.text("session", e.Session)
		w.optional("timestamp", e.Timestamp)
		w.text("outcome", string(e.Outcome))
		w.optional("outcome_source", string(e.OutcomeSource))
		w.text("task", e.Task)
		w.list("decisions", len(e.Decisions), func(i int) { w.decision(&e.Decisions[i]) })
		w.list("events", len(e.Events), func(i int) { w.event(&e.Events[i]) })
		w.field("metrics")
		w.metrics(&e.Metrics)
		w.texts("lessons", e.Lessons)
		w.list("links", len(e.Links), func(i int) { w.link(&e.Links[i]) })
		w.field("provenance")
		w.provenance(&e.Provenance)
	})
	if w.err != nil {
		return nil, fmt.Errorf("encode episode %q: %w", e.ID, w.err)
	}
	return append(w.out, '\n'), nil
}

// writer appends JSON without spaces.
type writer struct {
	out []byte
	err error
}

func (w *writer) object(fields func()) {
	w.out = append(w.out, '{')
	fields()
	w.out = append(w.out, '}')
}

// next puts a comma before all but the first of a list or object.
func (w *writer) next() {
	if last := w.out[len(w.out)-1]; last != '{' && last != '[' {
		w.out = append(w.out, ',')
	}
}

func (w *writer) field(name string) {
	w.next()
	w.out = append(append(append(w.out, '"'), name...), '"', ':')
}

func (w *writer) text(name, s string) {
	w.field(name)
	w.out = appendString(w.out, s)
}

func (w *writer) optional(name, s string) {
	if s != "" {
		w.text(name, s)
	}
}

func (w *writer) list(name string, n int, item func(i int)) {
	w.field(name)
	w.out = append(w.out, '[')
	for i := range n {
		w.next()
		item(i)
	}
	w.out = append(w.out, ']')
}

func (w *writer) texts(name string, list []string) {
	w.list(name, len(list), func(i int) { w.out = appendString(w.out, list[i]) })
}

func (w *writer) optionalTexts(name string, list []string) {
	if len(list) > 0 {
		w.texts(name, list)
	}
}

func (w *writer) truth(name string, b bool) {
	w.field(name)
	w.out = strconv.AppendBool(w.out, b)
}

func (w *writer) count(name string, n *int) {
	if n != nil {
		w.field(name)
		w.out = strconv.AppendInt(w.out, int64(*n), 10)
	}
}

func (w *writer) figure(name string, f float64) {
	w.field(name)
	b, err := json.Marshal(f)
	if err != nil {
		w.err = err
	}
	w.out = append(w.out, b...)
}

func (w *writer) decision(d *Decision) {
	w.object(func() {
		w.text("id", d.ID)
		w.optional("timestamp", d.Timestamp)
		w.text("type", string(d.Type))
		w.optional("key", d.Key)
		w.optionalTexts("option_keys", d.OptionKeys)
		if d.Exploration {
			w.truth("exploration", true)
		}
		w.optional("context", d.Context)
		w.texts("options", d.Options)
		w.text("chosen", d.Chosen)
		w.optional("rationale", d.Rationale)
		w.text("outcome", string(d.Outcome))
		w.optionalTexts("effects", d.Effects)
	})
}

func (w *writer) event(v *Event) {
	w.object(func() {
		w.text("id", v.ID)
		w.optional("timestamp", v.Timestamp)
		w.text("type", string(v.Type))
		w.optional("key", v.Key)
		w.text("content", v.Content)
		w.optionalTexts("caused_by", v.CausedBy)
		w.optionalTexts("leads_to", v.LeadsTo)
	})
}

func (w *writer) link(l *Link) {
	w.object(func() {
		w.text("source", l.Source)
		w.text("target", l.Target)
		w.text("type", string(l.Type))
		w.truth("explicit", l.Explicit)
		if l.Confidence != 0 {
			w.figure("confidence", l.Confidence)
		}
	})
}

func (w *writer) metrics(m *Metrics) {
	w.object(func() {
		if m.DurationMinutes != nil {
			w.figure("duration_minutes", *m.DurationMinutes)
		}
		w.count("tool_calls", m.ToolCalls)
		w.count("errors", m.Errors)
		w.count("recoveries", m.Recoveries)
		w.count("commits", m.Commits)
		w.count("files_changed", m.FilesChanged)
	})
}

func (w *writer) provenance(p *Provenance) {
	w.object(func() {
		w.field("source")
		w.object(func() {
			w.text("path", p.Source.Path)
			w.text("sha256", p.Source.SHA256)
			w.text("format", p.Source.Format)
		})
		w.optional("extractor", p.Extractor)
		w.optional("seal", p.Seal)
		w.field("spans")
		w.object(func() {
			ids := make([]string, 0, len(p.Spans))
			for id := range p.Spans {
				ids = append(ids, id)
			}
			slices.Sort(ids)
			for _, id := range ids {
				w.next()
				w.out = append(appendString(w.out, id), ':', '[')
				w.out = append(strconv.AppendInt(w.out, int64(p.Spans[id][0]), 10), ',')
				w.out = append(strconv.AppendInt(w.out, int64(p.Spans[id][1]), 10), ']')
			}
		})
	})
}

// appendString adds s as a JSON string: what encoding/json gives without escaping
// HTML.
func appendString(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c < utf8.RuneSelf && c != '"' && c != '\\' {
			i++
			continue
		}
		r, n := rune(c), 1
		if c >= utf8.RuneSelf {
			if r, n = utf8.DecodeRuneInString(s[i:]); !(r == utf8.RuneError && n == 1) && r != '\u2028' && r != '\u2029' {
				i += n
				continue
			}
		}
		b = append(b, s[from:i]...)
		switch {
		case c == '"', c == '\\':
			b = append(b, '\\', c)
		case c == '\b':
			b = append(b, '\\', 'b')
		case c == '\f':
			b = append(b, '\\', 'f')
		case c == '\n':
			b = append(b, '\\', 'n')
		case c == '\r':
			b = append(b, '\\', 'r')
		case c == '\t':
			b = append(b, '\\', 't')
		default:
			b = append(b, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
		}
		i += n
		from = i
	}
	return append(append(b, s[from:]...), '"')
}
