package track

import (
	"encoding/json"
	"fmt"
	"hash/crc32"
	"maps"
	"slices"
	"strconv"
	"strings"

	"episodes/internal/fsstore"
)

// On disk the index is its key, then lines: the head in JSON, a line of fields
// between tabs for each episode and each log, and the CRC-32 of all these lines. An
// index that does not end so is not believed.
const (
	indexName = "index"
	indexKey  = "episodes index 4"

	episodeLine = "episode"
	logLine     = "log"
	sumLine     = "crc32"
)

func (x *Index) encode() ([]byte, error) {
	first, err := json.Marshal(x.head)
	if err != nil {
		return nil, fmt.Errorf("encode the index: %w", err)
	}
	b := make([]byte, 0, 1024+256*(len(x.Episodes)+len(x.Logs)))
	b = append(append(b, first...), '\n')
	for _, id := range slices.Sorted(maps.Keys(x.Episodes)) {
		e := x.Episodes[id]
		l := appendStat(line(b, episodeLine).word(id), e.Stat)
		b = l.word(e.SHA256).text(e.Log).word(e.Start).end()
	}
	for _, path := range slices.Sorted(maps.Keys(x.Logs)) {
		e := x.Logs[path]
		l := appendStat(line(b, logLine).text(path), e.Stat)
		l = l.word(e.SHA256).text(e.Extractor).word(e.Episode).word(e.EpisodeSHA256).word(e.Outcome)
		l = l.number(int64(e.Decisions)).number(int64(e.Events)).number(int64(e.Links)).number(int64(e.Lessons))
		for _, part := range e.Parts {
			l = l.text(part)
		}
		b = l.end()
	}
	return line(b, sumLine).number(int64(crc32.ChecksumIEEE(b))).end(), nil
}

// lineWriter appends fields to a line.
type lineWriter []byte

func line(b []byte, kind string) lineWriter { return append(b, kind...) }

func appendStat(l lineWriter, s fsstore.Stat) lineWriter {
	return l.number(s.Size).number(s.Modified).number(s.Changed)
}

// word adds a text that can hold no tab and no line end.
func (l lineWriter) word(s string) lineWriter { return append(append(l, '\t'), s...) }

func (l lineWriter) text(s string) lineWriter { return strconv.AppendQuote(append(l, '\t'), s) }

func (l lineWriter) number(n int64) lineWriter { return strconv.AppendInt(append(l, '\t'), n, 10) }

func (l lineWriter) end() []byte { return append(l, '\n') }

// decode leaves x empty when data is not what encode wrote.
func (x *Index) decode(data []byte) {
	x.Logs, x.Episodes, x.head = map[string]Log{}, map[string]Episode{}, head{}
	text := string(data)
	end := strings.LastIndexByte(strings.TrimSuffix(text, "\n"), '\n') + 1
	sum := newLineReader(text[end:])
	if sum.word() != sumLine || sum.number() != int64(crc32.ChecksumIEEE(data[:end])) || sum.failed {
		return
	}
	first, lines, _ := strings.Cut(text[:end], "\n")
	if json.Unmarshal([]byte(first), &x.head) != nil {
		return
	}
	x.Episodes = make(map[string]Episode, strings.Count(lines, "\n"))
	for text := range strings.Lines(lines) {
		x.decodeLine(newLineReader(text))
	}
}

func (x *Index) decodeLine(l *lineReader) {
	switch l.word() {
	case episodeLine:
		id := l.word()
		e := Episode{Stat: l.stat(), SHA256: l.word(), Log: l.text(), Start: l.word()}
		if !l.failed {
			x.Episodes[id] = e
		}
	case logLine:
		path := l.text()
		e := Log{Stat: l.stat(), SHA256: l.word(), Extractor: l.text(), Episode: l.word(), EpisodeSHA256: l.word(),
			Counts: Counts{Outcome: l.word(), Decisions: int(l.number()), Events: int(l.number()),
				Links: int(l.number()), Lessons: int(l.number())}}
		for l.rest != "" {
			e.Parts = append(e.Parts, l.text())
		}
		if !l.failed {
			x.Logs[path] = e
		}
	}
}

// lineReader takes fields from the beginning of a line.
type lineReader struct {
	rest   string
	failed bool // a field was not what it should be
}

func newLineReader(line string) *lineReader {
	return &lineReader{rest: strings.TrimSuffix(line, "\n")}
}

func (r *lineReader) word() (s string) {
	s, r.rest, _ = strings.Cut(r.rest, "\t")
	return s
}

func (r *lineReader) text() string {
	s, err := strconv.Unquote(r.word())
	r.failed = r.failed || err != nil
	return s
}

func (r *lineReader) number() int64 {
	n, err := strconv.ParseInt(r.word(), 10, 64)
	r.failed = r.failed || err != nil
	return n
}

func (r *lineReader) stat() fsstore.Stat {
	return fsstore.Stat{Size: r.number(), Modified: r.number(), Changed: r.number()}
}
