package extract

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.abhg.dev/goldmark/frontmatter"
	"gopkg.in/yaml.v3"

	"github.com/yuin/goldmark/parser"

	"episodes/episode"
)

func sortFacts(fs []*fact) {
	slices.SortStableFunc(fs, func(a, b *fact) int {
		return cmp.Or(cmp.Compare(a.span[0], b.span[0]), cmp.Compare(a.span[1], b.span[1]))
	})
}

// metrics counts what the log shows. What it does not show stays absent.
func (x *extraction) metrics(ep *episode.Episode) {
	count := func(t episode.EventType) *int {
		n := 0
		for _, v := range ep.Events {
			if v.Type == t {
				n++
			}
		}
		if n == 0 {
			return nil
		}
		return &n
	}
	ep.Metrics.Commits = count(episode.Commit)
	ep.Metrics.Errors = count(episode.Error)
	for _, b := range x.doc.blocks {
		if b.labelRole.has(roleDuration) && b.kind != rowBlock {
			if m, ok := minutes(b.text.s); ok {
				ep.Metrics.DurationMinutes = &m
				break
			}
		}
	}
	x.filesChanged(ep)
}

// filesChanged reads a "Files changed: 3" field; lists of files are often partial.
func (x *extraction) filesChanged(ep *episode.Episode) {
	for _, b := range x.doc.blocks {
		if b.labelRole.has(roleFiles) && len(b.text.words) > 0 && len(b.text.words) <= 3 {
			if n, err := strconv.Atoi(b.text.words[0].s); err == nil && n < 1e6 {
				ep.Metrics.FilesChanged = &n
				return
			}
		}
	}
}

var durationPart = regexp.MustCompile(`(\d+(?:\.\d+)?)\s*\+?\s*(hours?|hrs?|h|minutes?|mins?|min|m|timmar|minuter|uur|minuten)\b`)

// minutes reads "~2 h 15 min", "45 minutes", "[2.5h]".
func minutes(s string) (float64, bool) {
	total := 0.0
	found := false
	for _, m := range durationPart.FindAllStringSubmatch(strings.ToLower(s), 3) {
		n, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			continue
		}
		if m[2][0] == 'h' || m[2] == "timmar" || m[2] == "uur" {
			n *= 60
		}
		total += n
		found = true
	}
	return total, found
}

var (
	dayPattern  = regexp.MustCompile(`\b(20\d{2})-(\d{2})-(\d{2})\b`)
	timePattern = regexp.MustCompile(`\b(20\d{2}-\d{2}-\d{2})[T ](\d{2}:\d{2})(:\d{2})?(?:\.\d+)?\s*(Z|UTC|[+-]\d{2}:?\d{2})?`)
)

// timestamp is when the session started: from a date field, the title or the
// file's name; "" when none says.
func (x *extraction) timestamp(src Source) string {
	var texts []string
	for _, b := range x.doc.meta {
		if b.labelRole.has(roleDate) {
			texts = append(texts, b.text.s)
		}
	}
	for _, b := range x.doc.blocks {
		if b.labelRole.has(roleDate) && b.kind != rowBlock && len(texts) < 4 {
			texts = append(texts, b.text.s)
		}
	}
	for _, s := range x.doc.sections {
		if s.level == 1 {
			texts = append(texts, s.title.s)
		}
	}
	texts = append(texts, path.Base(src.Path))
	for _, s := range texts {
		if t, ok := parseTime(s); ok {
			return t.Format(time.RFC3339)
		}
	}
	return ""
}

func parseTime(s string) (time.Time, bool) {
	if m := timePattern.FindStringSubmatch(s); m != nil {
		sec, zone := m[3], m[4]
		if sec == "" {
			sec = ":00"
		}
		if zone == "" || zone == "UTC" {
			zone = "Z"
		}
		if len(zone) == 5 {
			zone = zone[:3] + ":" + zone[3:]
		}
		if t, err := time.Parse(time.RFC3339, m[1]+"T"+m[2]+sec+zone); err == nil {
			return t, true
		}
	}
	if m := dayPattern.FindString(s); m != "" {
		if t, err := time.Parse(time.DateOnly, m); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// hasFrontMatter reports whether the log opens with a closed front matter. An
// open one would swallow the log.
func (r *reader) hasFrontMatter() bool {
	for _, mark := range []string{"---\n", "+++\n"} {
		if !strings.HasPrefix(string(r.src[:min(len(r.src), 4)]), mark) {
			continue
		}
		if strings.Contains(string(r.src[3:]), "\n"+mark) || strings.HasSuffix(string(r.src), "\n"+mark[:3]) {
			return true
		}
		if mark == "---\n" && len(r.src) > 8 && strings.Contains(string(r.src[4:min(len(r.src), 400)]), ": ") {
			r.doc.note(1, "unclosed-front-matter", "front matter is never closed; it was read as text")
		}
	}
	return false
}

// frontMatter adds each value of the front matter as a block labelled with its key.
func (r *reader) frontMatter(ctx parser.Context) {
	data := frontmatter.Get(ctx)
	if data == nil {
		return
	}
	var doc yaml.Node
	if err := data.Decode(&doc); err != nil {
		r.doc.note(1, "front-matter", "the front matter could not be read: "+collapse(err.Error()))
		return
	}
	root := &doc
	if doc.Kind == yaml.DocumentNode && len(doc.Content) > 0 {
		root = doc.Content[0]
	}
	if root.Kind != yaml.MappingNode {
		return
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, val := root.Content[i], root.Content[i+1]
		name := plain(strings.NewReplacer("_", " ", "-", " ").Replace(key.Value))
		r.metaValue(name, val)
	}
}

func (r *reader) metaValue(name text, val *yaml.Node) {
	switch val.Kind {
	case yaml.ScalarNode:
		line := val.Line + 1 // the opening mark is line 1
		r.doc.meta = append(r.doc.meta, &block{kind: paraBlock, label: name.s, labelRole: r.lex.exact(name), text: plain(collapse(val.Value)), span: episode.Span{line, line}})
	case yaml.SequenceNode:
		for _, c := range val.Content {
			r.metaValue(name, c)
		}
	}
}
