package lesson

import (
	"cmp"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"sync"

	"episodes/internal/fsstore"
	"episodes/internal/lazy"
	"episodes/internal/plain"
	"episodes/internal/turns"
)

// The states of a touch.
const (
	Fresh   = "fresh"   // its text is in the file, wherever
	Drifted = "drifted" // the file is there, its text is not
	Gone    = "gone"    // the file is not there
	Unsure  = "unknown"
)

// Limits of touches.
const (
	MaxTouches = 5       // of a lesson
	maxNear    = 2       // of those of which only their place in the log speaks
	maxCode    = 1 << 20 // bytes of a file that is looked into
	maxTree    = 50_000  // files of a tree that are known by name
	maxWork    = 1 << 20 // lines that are hashed to find a text
	mostSeen   = 30      // files of a tree that are looked into for a lesson
)

// Tree is the working tree of a project. It is only read: regular files, through no link.
type Tree struct {
	dir   *fsstore.Dir
	files func() map[string][]string // by their last names
}

// NewTree is the tree in a folder, which stays the caller's.
func NewTree(dir *fsstore.Dir) *Tree {
	return &Tree{dir, sync.OnceValue(func() map[string][]string {
		out := map[string][]string{}
		n := 0
		_ = fs.WalkDir(os.DirFS(dir.Path("")), ".", func(file string, d fs.DirEntry, err error) error {
			switch name := path.Base(file); {
			case n > maxTree:
				return fs.SkipAll
			case err != nil:
			case d.Type().IsRegular() && !inGit(file):
				out[name] = append(out[name], file)
				n++
			case d.IsDir() && (name == ".git" || name == "node_modules"):
				return fs.SkipDir
			}
			return nil
		})
		return out
	})}
}

// find is the file of the tree that is named by its path or the end of it, or by that in another tree of the project, which lies
// below this one; "" if there is none, or more than one.
func (t *Tree) find(name string) string {
	var some []string
	for _, file := range t.files()[path.Base(name)] {
		switch {
		case file == name:
			return name
		case names(name, file), names(file, name) && strings.Contains(file, "/"):
			some = append(some, file)
		}
	}
	if len(some) == 1 {
		return some[0]
	}
	return ""
}

// names reports whether a name is a path or the end of it.
func names(name, file string) bool { return strings.HasSuffix("/"+file, "/"+name) }

// text is what a file of the tree has.
func (t *Tree) text(file string) (string, error) {
	if inTree(file, "") != file || inGit(file) {
		return "", errors.ErrUnsupported
	}
	data, err := t.dir.ReadLarge(file, maxCode)
	return strings.ReplaceAll(string(data), "\r\n", "\n"), err
}

// inTree is a file of a log as a path below the folder of the session; "" if it is none.
func inTree(file, dir string) string {
	slash := func(file string) string { return path.Clean(strings.ReplaceAll(file, `\`, "/")) }
	file = strings.TrimPrefix(slash(file), slash(dir)+"/")
	if !fs.ValidPath(file) || file == "." || len(file) > MaxSay || strings.ContainsAny(file, ":~") || plain.Words(file) != file {
		return ""
	}
	return file
}

// inGit reports whether a path leads to what is git's own.
func inGit(file string) bool { return strings.Contains("/"+strings.ToLower(file)+"/", "/.git/") }

// State is what became of the text of a touch.
func State(t Touch, tree *Tree) string {
	text, err := tree.text(t.File)
	lines, n := solid(text), 0
	_, _ = fmt.Sscanf(t.Hash, "%d-", &n)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Gone
	case err != nil, n < 1, n*(len(lines)-n) > maxWork:
		return Unsure
	}
	for i := range len(lines) - n + 1 {
		if hash(lines[i:i+n]) == t.Hash {
			return Fresh
		}
	}
	return Drifted
}

// solid are the lines of a text that have words, without the white space around them.
func solid(text string) (out []string) {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return out
}

// hash is the number of lines and a hash of them; "" of none.
func hash(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	h := fnv.New64a()
	for _, line := range lines {
		_, _ = io.WriteString(h, line+"\n")
	}
	return fmt.Sprintf("%d-%016x", len(lines), h.Sum64())
}

// touched is a file that a lesson may touch, and the text that was put into it.
type touched struct {
	file, text string
	score      int // how much speaks for it; 0: its place
	away       int // lines from those of the lesson
}

// Fill sets what a lesson touches: files that were edited and that it names, or on its lines, or with its words of code; and
// files of the tree that it names. Where there is none of these: the nearest edits before a person speaks again, or files of
// the tree that are named around its lines. The lesson is one that was taken; commit is that of the tree.
func Fill(l *Lesson, s *Session, tree *Tree, commit string) {
	told := strings.Join([]string{l.Say, l.More, l.Because, l.Was}, "\n")
	var words []string // of code
	for _, w := range atoms(strings.Join(codeWords(told), " ")) {
		if len(w) > 3 && codeAtom().MatchString(w) {
			words = append(words, strings.ToLower(w))
		}
	}
	list := s.edited(l.Lines, filesIn(told, s.dir), words, tree)
	mentioned := func(text string, score int) {
		for _, name := range filesIn(text, s.dir) {
			if file := tree.find(name); file != "" && len(list) < mostSeen {
				content, _ := tree.text(file)
				list = append(list, touched{file, "", score + shared(content, words), len(s.Lines)})
			}
		}
	}
	if mentioned(told, named/2); len(list) == 0 {
		mentioned(s.Of(l.Lines)+s.around(l.Lines), 0)
	}
	slices.SortStableFunc(list, func(a, b touched) int { return cmp.Or(b.score-a.score, a.away-b.away) })
	l.Touches = nil
	for _, x := range list {
		if n := len(l.Touches); n == MaxTouches || x.score == 0 && (n == maxNear || list[0].score > 0) {
			break
		}
		if !slices.ContainsFunc(l.Touches, func(t Touch) bool { return t.File == x.file }) {
			content, _ := tree.text(x.file)
			t := Touch{File: x.file, Commit: commit}
			t.Symbol, t.Hash = part(x.text, content, words)
			l.Touches = append(l.Touches, t)
		}
	}
}

// How much speaks for a file; each word of code of the lesson that was edited counts besides.
const (
	named   = 1000
	onLines = 100
)

var nameLike = lazy.Pattern(`[\w@.+-]*(?:[/\\][\w@.+-]+)+|[\w@+-]*\.\w[\w.]*|\w+file\b`)

// filesIn are words of a text that may name files.
func filesIn(text, dir string) (out []string) {
	for _, w := range nameLike().FindAllString(text, -1) {
		out = append(out, inTree(strings.TrimRight(w, "."), dir))
	}
	return out
}

// shared counts the words that a text has.
func shared(text string, words []string) (n int) {
	text = strings.ToLower(text)
	for _, w := range words {
		n += min(1, strings.Count(text, w))
	}
	return n
}

// edited are the edits of a session that have to do with a lesson, each with what those after it left of its text.
func (s *Session) edited(l Lines, files, words []string, tree *Tree) (out []touched) {
	exchange := func(line int) (n int) {
		for _, t := range s.turns {
			if t.Who == ByPerson && t.At[0] <= line {
				n++
			}
		}
		return n
	}
	for _, t := range s.turns {
		for _, e := range t.Edits {
			x := touched{inTree(e.File, s.dir), e.New, shared(e.Old+e.New, words), len(s.Lines)}
			if x.file = cmp.Or(tree.find(x.file), x.file); x.file == "" || inGit(x.file) {
				continue
			}
			for i := range out {
				if out[i].file == x.file && e.Old != "" && len(out[i].text) < turns.MaxText {
					out[i].text = strings.Replace(out[i].text, e.Old, e.New, maxNear*MaxTouches)
				}
			}
			near := false
			for _, c := range l {
				away, in := max(0, c[0]-t.At[1], t.At[0]-c[1]), exchange(t.At[0])
				x.away, near = min(x.away, away), near || in >= exchange(c[0]) && in <= exchange(c[1])
			}
			if x.away == 0 {
				x.score += onLines
			}
			if slices.ContainsFunc(files, func(name string) bool { return names(name, x.file) }) {
				x.score += named
			}
			if x.score > 0 || near {
				out = append(out, x)
			}
		}
	}
	return out
}

var (
	// broken is a line that is not as its file has it.
	broken = lazy.Pattern(`(?m)^(?:.*(?:\[redacted |\[…\])|@@|\*\*\* |diff |index |\+\+).*$`)
	// begins is a line that begins a function or type, or has a key of data.
	begins = lazy.Pattern(`(?m)^(?: {0,4}|\t)(?:(?:export|default|async|pub|public|private|protected|static|abstract|final) )*(?:func|function|def|fn|class|struct|interface|type|enum|trait|impl|const)\s+(?:\([^()\n]*\)\s*)?([\w$]+)|^ {0,2}["']?([\w.-]+)["']?:(?:\s|$)`)
)

// part is the name of what a text stands in, and a hash of its lines, which are whole if the file has them now, once. Of a long
// text, and of the file where its text is not known or stands there twice, it is the paragraph that has most of some words; with
// none of these it is all of it, which has no name.
func part(text, file string, words []string) (symbol, sum string) {
	text = strings.TrimSpace(slices.MaxFunc(broken().Split(text, -1), func(a, b string) int { return len(a) - len(b) }))
	if strings.Count(file, text) > 1 {
		text = file
	}
	at := strings.Index(file, text)
	if at < 0 {
		file, at = text, 0
	}
	from, to := strings.LastIndex(file[:at], "\n")+1, at+len(text)
	line := func(at int) int { return at + strings.Index(file[at:]+"\n", "\n") } // the end of one
	text = file[from:line(to)]
	for _, between := range []string{"\n\n", "\n"} {
		most, all := 0, text
		for p := range strings.SplitSeq(all, between) {
			if n := shared(p, words); n > most && strings.Count(all, "\n") > MaxCited {
				most, text = n, p
			}
		}
		from += strings.Index(all, text)
	}
	m := begins().FindStringSubmatch(text)
	if all := begins().FindAllStringSubmatch(file[:line(from)], -1); all != nil && (m == nil || text != strings.TrimLeft(text, " \t")) {
		m = all[len(all)-1]
	}
	if m != nil && strings.Count(text, "\n") <= MaxCited {
		symbol = m[1] + m[2]
	}
	return symbol, hash(solid(text))
}
