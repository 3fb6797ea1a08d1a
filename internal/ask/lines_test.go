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

// Each hit that quotes a log cites the lines on which its words stand, in that order, and so do the facts and statements
// that are read from it. The given transcripts and corpora are not part of the repository.
func TestQuotesAreOnTheirLines(t *testing.T) {
	t.Run("own", func(t *testing.T) { quotesOnLines(t, "../..", "testdata/sessions") })
	t.Run("given", func(t *testing.T) {
		if testing.Short() {
			t.Skip("it reads some 800 logs")
		}
		quotesOnLines(t, "../../../shared", "bench/transcripts/given", "corpus/session-logs-md", "corpus/session-logs-json", "corpus/other-md")
	})
}

// quotesOnLines looks at all logs in folders; it skips the test if one of them is missing.
func quotesOnLines(t *testing.T, root string, dirs ...string) {
	logs := map[string]string{}
	for _, dir := range dirs {
		from := filepath.FromSlash(root + "/" + dir)
		err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || strings.HasSuffix(path, ".go") {
				return err
			}
			data, err := os.ReadFile(path)
			rel, _ := filepath.Rel(from, path)
			logs[dir+"/"+filepath.ToSlash(rel)] = string(data)
			return err
		})
		if err != nil {
			t.Skipf("%s is not beside this repository: %v", dir, err)
		}
	}
	ctx, o := context.Background(), repository(t, logs)
	if _, err := Extract(ctx, o, ExtractRequest{Cwd: o.Location.Root, Create: true, NoGraph: true, Logs: []string{"."}}); err != nil {
		t.Fatal(err)
	}
	m := opened(t, o)
	index := track.Load(m.folder)
	set, err := index.Set()
	if err != nil {
		t.Fatal(err)
	}
	q := m.quoter()
	of, in := map[string]string{}, map[string]*cited{}
	found, wrong := map[string]int{}, map[string]int{}
	is := func(there bool, kind, log string, at episode.Span, text string) {
		found[kind]++
		if !there {
			if wrong[kind]++; wrong[kind] <= 5 {
				t.Errorf("%s %s:%v does not have %q", kind, log, at, text)
			}
		}
	}
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
		for id, texts := range textsOf(e) {
			for _, x := range texts {
				is(c.holds(e.Provenance.Spans[id], x), at.Source.Format+" "+id[:1], at.Source.Path+" "+id, e.Provenance.Spans[id], x)
			}
		}
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
	for path, text := range logs {
		res, err := extract.New(extract.Vocabulary{}).Read(extract.Source{Path: path}, strings.NewReader(text))
		if err != nil {
			continue // no log
		}
		for _, r := range append([]*extract.Result{res}, res.More...) {
			for _, s := range r.Statements() {
				if c := in[r.Episode.ID]; c != nil {
					is(c.holds(s.At, s.Text), r.Episode.Provenance.Source.Format+" statement", path+" "+string(s.Kind), s.At, s.Text)
				}
			}
		}
	}
	for _, text := range asks {
		a, err := m.Search(ctx, SearchRequest{Text: text, Kind: "line", Limit: 10})
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range a.Hits {
			is(holdsAll(in[h.Episode].at(*h.Lines), h.Text), of[h.Episode]+" hit", h.Log, *h.Lines, h.Text)
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(found)) {
		t.Logf("%s: %d of %d are not on their lines", kind, wrong[kind], found[kind])
	}
}

// textsOf are the texts of an episode that quote its log, by the ids of its spans.
func textsOf(e *episode.Episode) map[string][]string {
	all := map[string][]string{}
	if at := e.Provenance.Spans["task"]; at[0] > 0 {
		all["task"] = []string{e.Task}
	}
	for _, d := range e.Decisions {
		all[d.ID] = []string{d.Chosen, d.Rationale} // its context may stand elsewhere
		if slices.ContainsFunc(e.Events, func(v episode.Event) bool { return v.Content == d.Rationale }) {
			// it answers a correction
			all[d.ID] = []string{d.Chosen}
		}
		if extract.IsTranscript(e.Provenance.Source.Format) && d.Type == episode.Recovery {
			all[d.ID] = differs(d.Chosen)
		}
	}
	for _, v := range e.Events {
		all[v.ID] = quotes(e, v)
	}
	for i, l := range e.Lessons {
		all[fmt.Sprintf("l%03d", i+1)] = []string{l}
	}
	return all
}

var (
	counted     = regexp.MustCompile(`(?:^|: )(?:passed|failed|\d+ (?:passed|failed)\b.*)$`)
	ours        = regexp.MustCompile(`^package | failed(: |$)|^(?:shows how it is used|failed without a message|exit code \d+)$`)
	missing     = regexp.MustCompile("(?:without|instead of) `[^`]*`")
	quotedWords = regexp.MustCompile("`[^`]*`")
)

// quotes are the words of a log in an event: neither counts, nor what extraction says of what differs.
func quotes(e *episode.Episode, v episode.Event) []string {
	name, text, _ := strings.Cut(v.Content, ": ")
	switch {
	case counted.MatchString(v.Content):
		return nil
	case !extract.IsTranscript(e.Provenance.Source.Format):
		return []string{strings.TrimPrefix(v.Content, "Commit ")}
	case v.Type == episode.ToolCall:
		return differs(v.Content)
	case text == "":
		return []string{name}
	}
	return []string{ours.ReplaceAllString(text, "$1")} // behind our name of the call
}

// differs are the words of a log in what extraction says of what differs.
func differs(text string) []string {
	return quotedWords.FindAllString(missing.ReplaceAllString(strings.ReplaceAll(text, "`the project's folder`", ""), ""), -1)
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

// joints part what extraction joins.
var joints = regexp.MustCompile("; |: |`")

func notWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// holds reports whether a place has the words of a text.
func (c *cited) holds(at episode.Span, text string) bool {
	have := c.at(at)
	letters := strings.Join(strings.FieldsFunc(have, notWord), "")
	return !slices.ContainsFunc(joints.Split(text, -1), func(part string) bool {
		return !holdsAll(have, part) && !strings.Contains(letters, strings.Join(strings.FieldsFunc(part, notWord), ""))
	})
}

// holdsAll reports whether a text has the words of a quotation, in their order. The last may be cut.
func holdsAll(text, quote string) bool {
	have := strings.Fields(strings.ToLower(fmt.Sprint(strings.FieldsFunc(plain.Text(text), notWord))))
	for _, w := range strings.FieldsFunc(strings.ToLower(quote), notWord) {
		i := slices.IndexFunc(have, func(h string) bool { return strings.HasPrefix(strings.Trim(h, "[]"), w) })
		if i < 0 {
			return false
		}
		have = have[i+1:]
	}
	return true
}
