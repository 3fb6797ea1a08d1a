package capture

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"episodes/episode"
	"episodes/extract"
	"episodes/internal/lazy"
	"episodes/internal/memory"
)

// Support says whether a log has the words of a fact that was read from it.
type Support int

// The values of Support.
const (
	Has   Support = iota
	Lacks         // it has not
	NoLog         // the log is not in the working tree
)

// Logs compares facts with the logs below a root that episodes name. Each log is read once.
type Logs struct {
	Root string
	// Most is how many bytes of logs are read in all, 0 for no limit. A larger log does not say anything.
	Most int64
	size int64
	read map[[2]string]*logText // by path, and by the digest that an episode states
}

type logText struct {
	lines []string
	all   map[string]bool // its words, where they are not those of the lines that a fact cites
}

// supportShare is the share of the words of a fact that have to be in the lines that it cites, and
// linesAround how many lines before and after count: headings, and the rest of a paragraph.
const (
	supportShare = 0.75
	linesAround  = 25
)

// Support looks for the words of a fact in the lines that it cites, in any order: facts leave out and
// join. If the log has changed since, or is a transcript, all of it counts.
func (l *Logs) Support(source episode.Source, lines episode.Span, text string) Support {
	log := l.of(source)
	if log == nil {
		return NoLog
	}
	have := log.all
	if have == nil && lines[0] > 0 {
		first, last := max(0, lines[0]-1-linesAround), min(len(log.lines), lines[1]+linesAround)
		have = wordSet(log.lines[min(first, last):last])
	} else if have == nil {
		have = wordSet(log.lines)
	}
	text = strings.TrimPrefix(text, "Commit ") // which extraction adds to a bare hash
	words, found := wordsOf(removed().ReplaceAllString(text, " ")), 0
	for _, w := range words {
		if have[w] {
			found++
		}
	}
	if float64(found) < supportShare*float64(len(words)) {
		return Lacks
	}
	return Has
}

// removed matches what redaction puts in place of a secret.
var removed = lazy.Pattern(`\[redacted [^\]]*\]`)

func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

func wordSet(lines []string) map[string]bool {
	set := map[string]bool{}
	for _, line := range lines {
		for _, w := range wordsOf(line) {
			set[w] = true
		}
	}
	return set
}

// of reads a log, as a regular file out of which no link leads; nil if it cannot be read.
func (l *Logs) of(source episode.Source) *logText {
	id := [2]string{source.Path, source.SHA256}
	if log, read := l.read[id]; read {
		return log
	}
	if l.read == nil {
		l.read = map[[2]string]*logText{}
	}
	l.read[id] = nil
	root, err := os.OpenRoot(l.Root)
	if err != nil {
		return nil
	}
	defer root.Close()
	name := filepath.FromSlash(source.Path)
	info, err := root.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	if l.size += info.Size(); l.Most > 0 && l.size > l.Most {
		l.size -= info.Size()
		l.read[id] = &logText{all: map[string]bool{}}
		return l.read[id]
	}
	f, err := root.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, min(info.Size(), extract.MaxBytes)))
	if err != nil {
		return nil
	}
	log := &logText{lines: strings.Split(string(data), "\n")}
	if memory.Hash(data) != source.SHA256 || extract.IsTranscript(source.Format) {
		log.all = wordSet(log.lines)
	}
	l.read[id] = log
	return log
}
