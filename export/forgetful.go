package export

import (
	"cmp"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"unicode"

	"episodes/episode"
	"episodes/internal/plain"
)

// Forgetful is the name of the format of the memories of Forgetful: what its tool
// create_memory and its POST /api/v1/memories take, in the list that its GET gives.
const Forgetful = "forgetful"

// Limits of Forgetful for what it takes, in characters; here they are in bytes, so that
// they hold either way.
const (
	titleMost    = 200
	contentMost  = 2000
	contextMost  = 500
	wordsMost    = 10
	versionMost  = 50
	pathMost     = 500
	shortestWord = 4
)

// What a memory is worth on Forgetful's scale of 1 to 10: 6 a milestone, 7 what is useful
// again, 8 a solution.
const (
	worthSession = 6
	worthLesson  = 7
	worthFix     = 8
)

type forgetfulMemory struct {
	Title       string   `json:"title"`
	Content     string   `json:"content"`
	Context     string   `json:"context"`
	Keywords    []string `json:"keywords"`
	Tags        []string `json:"tags"`
	Importance  int      `json:"importance"`
	SourceFiles []string `json:"source_files,omitempty"`
	Agent       string   `json:"encoding_agent"`
	Version     string   `json:"encoding_version,omitempty"`
}

// WriteForgetful writes episodes as memories of Forgetful, one each. version is that of the
// program.
func WriteForgetful(w io.Writer, list []*episode.Episode, version string) error {
	doc := struct {
		Memories []forgetfulMemory `json:"memories"`
	}{[]forgetfulMemory{}}
	for _, e := range list {
		doc.Memories = append(doc.Memories, memoryOf(e, version))
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(doc)
}

func memoryOf(e *episode.Episode, version string) forgetfulMemory {
	d := digestOf(e)
	m := forgetfulMemory{Importance: worthSession, Agent: Agent,
		Version: plain.Cut(plain.Words(version), versionMost),
		Tags:    []string{"episode", string(outcomeOf(e.Outcome))}}
	session := plain.Cut(name(SerenaName(e)), titleMost/2)
	m.Title = "Session " + session
	if d.Task != "" {
		m.Title += ": " + quotedTo(e.Task, titleMost-len(m.Title)-len(`: ""`))
	}
	m.Context = plain.Cut(quoteNotice+" Outcome: "+d.Outcome+".", contextMost)
	if path := plain.Words(e.Provenance.Source.Path); path != "" && len(path) <= pathMost {
		m.SourceFiles = []string{path}
		m.Context = plain.Cut(m.Context+" Log: "+name(path)+", episode "+name(e.ID), contextMost)
	}
	lines := []string{"Session " + session + ", outcome " + d.Outcome + "."}
	if d.Task != "" {
		lines = append(lines, "Task: "+d.Task)
	}
	for _, part := range []struct {
		word, tag string
		lines     []string
		worth     int
	}{{"Failed: ", "failure-mode", d.Failures, worthSession}, {"Lesson: ", "lesson", d.Lessons, worthLesson},
		{"Decided ", "decision", d.Choices, worthSession},
		{"Names the Serena memory ", "", d.Memories, worthSession}} {
		for _, l := range part.lines[:min(len(part.lines), mostOfKind)] {
			lines = append(lines, part.word+l)
		}
		if len(part.lines) > 0 {
			m.Importance = max(m.Importance, part.worth)
			if part.tag != "" {
				m.Tags = append(m.Tags, part.tag)
			}
		}
	}
	if d.Fixed {
		m.Importance, m.Tags = worthFix, append(m.Tags, "solution")
	}
	m.Content = joined(lines, contentMost)
	m.Keywords = keywords(e)
	return m
}

// joined are the first lines of a text that fit whole.
func joined(lines []string, most int) string {
	text := plain.Cut(lines[0], most)
	for _, l := range lines[1:] {
		if len(text)+1+len(l) <= most {
			text += "\n" + l
		}
	}
	return text
}

// keywords are the words that an episode says most often in what it decided, failed at and
// learned.
func keywords(e *episode.Episode) []string {
	texts := append([]string{e.Task}, e.Lessons...)
	for i := range e.Decisions {
		texts = append(texts, e.Decisions[i].Context, e.Decisions[i].Chosen)
	}
	for i := range e.Events {
		if e.Events[i].Type == episode.Error {
			texts = append(texts, e.Events[i].Content)
		}
	}
	count, list := map[string]int{}, []string{}
	for _, text := range texts {
		for _, word := range strings.FieldsFunc(strings.ToLower(plain.Words(text)),
			func(r rune) bool { return !unicode.IsLetter(r) && r != '_' }) {
			if len(word) < shortestWord || len(word) > nameBytes || strings.Contains(common, " "+word+" ") {
				continue
			}
			if count[word] == 0 {
				list = append(list, word)
			}
			count[word]++
		}
	}
	slices.SortStableFunc(list, func(a, b string) int { return cmp.Compare(count[b], count[a]) })
	return list[:min(len(list), wordsMost)]
}

// common are words that do not characterise a session.
const common = " about after again also because been before both does done each else error even ever every failed failure fails first from have here into just last like made make more most must next none once only other over same session should since some such than that their them then there these they this those until used uses using very want were what when where which while will with without work worked would your redacted "
