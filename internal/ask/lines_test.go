package ask

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"episodes/episode"
	"episodes/extract"
	"episodes/internal/plain"
	"episodes/internal/track"
	"episodes/query"
)

// The numbers of lines that are searched for, of each transcript and of each log.
const (
	askedOfTranscript = 4
	askedOfLog        = 1
)

// Each hit that quotes a log cites the lines on which its words stand, in that order. The logs are the given
// transcripts and corpora, which are not part of the repository.
func TestHitsAreOnTheirLines(t *testing.T) {
	logs := map[string]string{}
	for _, dir := range []string{"bench/transcripts/given", "corpus/session-logs-md", "corpus/session-logs-json", "corpus/other-md"} {
		from := filepath.Join("..", "..", "..", "shared", filepath.FromSlash(dir))
		err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := os.ReadFile(path)
			rel, _ := filepath.Rel(from, path)
			logs[dir+"/"+filepath.ToSlash(rel)] = string(data)
			return err
		})
		if err != nil {
			t.Skipf("the given transcripts and corpora are not beside this repository: %v", err)
		}
	}
	ctx, o := context.Background(), repository(t, logs)
	if _, err := Extract(ctx, o, ExtractRequest{Cwd: o.Location.Root, Create: true, NoGraph: true, Logs: []string{"bench", "corpus"}}); err != nil {
		t.Fatal(err)
	}
	m := opened(t, o)
	index := track.Load(m.folder)
	set, err := index.Set()
	if err != nil {
		t.Fatal(err)
	}
	q, hits, wrong := m.quoter(), map[string]int{}, map[string]int{}
	of, in := map[string]string{}, map[string]*cited{}
	var asks []string
	for id := range index.Episodes {
		e, err := set.Load(id)
		if err != nil {
			t.Fatal(err)
		}
		at := &query.Evidence{Episode: e.ID, Source: e.Provenance.Source}
		text := logs[at.Source.Path]
		for _, part := range index.Logs[filepath.Join(o.Location.Root, filepath.FromSlash(at.Source.Path))].Parts {
			rel, _ := o.Location.Inside(part)
			text = strings.TrimSuffix(text, "\n") + "\n" + logs[rel]
		}
		text = q.reads().Redactor().String(text)
		c := &cited{lines: strings.Split(text, "\n"), markdown: strings.HasSuffix(at.Source.Path, ".md")}
		if at.Source.Unit != "" {
			var all []any
			for d := json.NewDecoder(strings.NewReader(text)); d.More(); {
				var v any
				if err := d.Decode(&v); err != nil {
					t.Fatalf("%s: %v", at.Source.Path, err)
				}
				all = append(all, v)
			}
			if c.all = all[0]; at.Source.Unit == "part" || len(all) > 1 {
				c.all = parts(all)
			}
		}
		of[e.ID], in[e.ID] = at.Source.Format, c
		var lines []string
		n := askedOfLog
		if extract.IsTranscript(at.Source.Format) {
			n = askedOfTranscript
			for _, s := range q.words(at) {
				lines = append(lines, strings.Split(s.Text, "\n")...)
			}
		} else {
			lines = strings.Split(logs[at.Source.Path], "\n")
		}
		lines = slices.DeleteFunc(lines, func(l string) bool { return len(strings.Fields(l)) < 5 })
		for i := range min(n, len(lines)) {
			words := strings.Fields(lines[i*len(lines)/n])
			asks = append(asks, strings.Join(words[:min(len(words), 12)], " "))
		}
	}
	for _, text := range asks {
		a, err := m.Search(ctx, SearchRequest{Text: text, Kind: "line", Limit: 10})
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range a.Hits {
			format := of[h.Episode]
			hits[format]++
			if !holdsAll(in[h.Episode].at(*h.Lines), h.Text) {
				if wrong[format]++; wrong[format] <= 5 {
					t.Errorf("%s %s:%v does not have %q", format, h.Log, *h.Lines, h.Text)
				}
			}
		}
	}
	for format, n := range hits {
		t.Logf("%s: %d of %d hits not on their lines", format, wrong[format], n)
	}
}

// cited is the text of a log at a place: lines, or elements of the lists in a file that is one JSON value.
type cited struct {
	lines    []string
	all      any // of a file that is one JSON value
	markdown bool
}

func (c *cited) at(at episode.Span) string {
	if c.all != nil {
		return strings.Join(elements(c.all, at), "\n")
	}
	if at[0] < 1 || at[1] > len(c.lines) {
		return ""
	}
	text := strings.Join(c.lines[at[0]-1:at[1]], "\n")
	if c.markdown {
		return text
	}
	return strings.Join(inStrings(text), "\n")
}

// inStrings are the strings of a text in JSON, and those in them.
func inStrings(text string) (out []string) {
	for _, q := range inQuotes.FindAllString(text, -1) {
		var s string
		if json.Unmarshal([]byte(q), &s) == nil && s != "" {
			out = append(append(out, s), inStrings(s)...)
		}
	}
	return out
}

// parts are the parts of the messages in a value, or the events of its sessions, in their order.
func parts(v any) (out []any) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			out = append(out, parts(e)...)
		}
	case map[string]any:
		for _, name := range []string{"parts", "history"} {
			if list, ok := v[name].([]any); ok {
				return list
			}
		}
		for _, e := range v {
			out = append(out, parts(e)...)
		}
	}
	return out
}

var inQuotes = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

// elements are the texts in a value, of each list those of the elements at a place.
func elements(v any, at episode.Span) (out []string) {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []any:
		from, to := at[0]-1, min(at[1], len(v))
		if at == (episode.Span{}) {
			from, to = 0, len(v)
		}
		for i := from; i < to; i++ {
			out = append(out, elements(v[i], episode.Span{})...)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) { // a command before its output
			out = append(out, elements(v[name], at)...)
		}
	}
	return out
}

// holdsAll reports whether a text has the words of a quotation, in their order. The last may be cut.
func holdsAll(text, quote string) bool {
	word := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	have := strings.Fields(strings.ToLower(fmt.Sprint(strings.FieldsFunc(plain.Text(text), word))))
	for _, w := range strings.FieldsFunc(strings.ToLower(quote), word) {
		i := slices.IndexFunc(have, func(h string) bool { return strings.HasPrefix(strings.Trim(h, "[]"), w) })
		if i < 0 {
			return false
		}
		have = have[i+1:]
	}
	return true
}
