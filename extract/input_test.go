package extract

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"episodes/episode"
)

func TestRefusedInput(t *testing.T) {
	long := bytes.Repeat([]byte("x"), MaxLine+1)
	for _, c := range []struct {
		name string
		data []byte
		want error
		line int
	}{
		{"zero byte", []byte("# Log\n\nab\x00c\n"), ErrNotText, 3},
		{"bytes of an image", slices.Concat([]byte("\x89PNG\n\x00"), bytes.Repeat([]byte("\xfe\xdc text "), 99)), ErrNotText, 2},
		{"long line", slices.Concat([]byte("# Log\n"), long), ErrTooLarge, 2},
		{"too many bytes", bytes.Repeat([]byte("line\n"), MaxBytes/5+1), ErrTooLarge, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, err := extractor.Log(Source{Path: "x.md"}, c.data)
			var in *InputError
			if res != nil || !errors.As(err, &in) || !errors.Is(err, c.want) || in.Line != c.line {
				t.Fatalf("got %v, %v (want %v on line %d)", res, err, c.want, c.line)
			}
			if msg := err.Error(); msg == "" || strings.HasSuffix(msg, ".") || msg != strings.ToLower(msg[:1])+msg[1:] {
				t.Errorf("message %q", msg)
			}
		})
	}
}

func TestInputAtTheLimit(t *testing.T) {
	data := append(bytes.Repeat([]byte("word "), (MaxLine-1)/5), '\n')
	sound(t, read(t, Source{Path: "x.md"}, data), data)
}

// badLogs are texts that no writer meant; they are read for what they show.
var badLogs = map[string]string{
	"empty":                     "",
	"byte order mark only":      "\xef\xbb\xbf",
	"a zero byte":               "# Log\n\n- **Decision**: use a lock instead of a queue\n\nThe header of the file is `format 3\x00`, so that it is not damaged by the copy.\n",
	"invalid utf-8":             "# L\xff\xfeog\n\n- **Decision**: use a \xc3\x28 lock\n",
	"lone carriage returns":     "# Log\r\r## Decisions\r\r- Use a lock instead of a queue\r",
	"carriage returns in text":  "# Log\n\nProgress 10%\rProgress 20%\rProgress 100%\n\n## Decisions\n\n- Use a lock instead of a queue\n",
	"front matter only":         "---\ntitle: Lock\ndate: 2026-01-02\nstatus: complete\n---\n",
	"front matter without end":  "---\ntitle: Lock\n\n# Log\n\n## Decisions\n\n- Use a lock instead of a queue\n",
	"front matter not yaml":     "---\n: : [\n\t- }\n---\n# Log\n",
	"front matter nested":       "---\na: {b: {c: [d, {e: f}]}}\nstatus: [complete, failed]\n---\n",
	"front matter alias bomb":   "---\na: &a [x, x, x]\nb: &b [*a, *a, *a]\nc: [*b, *b, *b]\n---\n# Log\n",
	"fence never closed":        "# Log\n\n```\nerror: it broke\n\n## Decisions\n\n- Use a lock instead of a queue\n",
	"html comment never closed": "<!-- ## Decisions\n- Use a lock\n",
	"ragged table":              "| Issue | Fix | Commit |\n|---|---|---|\n| the build fails |\n| a | b | c | d | e |\n",
	"label without text":        "**Decision**:\n\n**Problem**:\n**Fix**:\n",
	"setext":                    "Log\n===\n\nDecisions\n---------\n\n- Use a lock instead of a queue\n",
	"control characters":        "# L\x01og\n\n- Use\x0ba\x0clock \x7f\x1b[31m\n",
	"combining marks":           "## Decisions\n\n- Use " + strings.Repeat("\u0301", 3000) + " lock\n",
	"right to left":             "## Decisions\n\n- \u202eUse a lock\u202c instead of a queue\n",
	"punctuation":               strings.Repeat("*_`[]()<>|#-+~:;.,!?\\ ", 100),
}

func TestBadLogs(t *testing.T) {
	for name, log := range badLogs {
		t.Run(name, func(t *testing.T) {
			res := read(t, Source{Path: "x.md"}, []byte(log))
			sound(t, res, []byte(log))
			if strings.Contains(log, "Use a lock instead of a queue") && len(res.Episode.Decisions) != 1 {
				t.Errorf("the decision is lost: %+v", res.Episode.Decisions)
			}
		})
	}
}

func TestNothingIsUnknown(t *testing.T) {
	for _, log := range []string{"", "\n", " \n\t\n", "\xef\xbb\xbf"} {
		ep := read(t, Source{Path: "x.md"}, []byte(log)).Episode
		if len(ep.Decisions)+len(ep.Events)+len(ep.Lessons)+len(ep.Links) != 0 || ep.Outcome != episode.Unknown || ep.OutcomeSource != "" || ep.Task != "" || ep.Timestamp != "" || ep.Metrics != (episode.Metrics{}) {
			t.Errorf("%q gives %+v", log, ep)
		}
	}
}

func TestDiagnostics(t *testing.T) {
	for _, c := range []struct {
		log, code string
		line      int
	}{
		{"", "no-facts", 1},
		{"# Log\n\ntext\n", "no-outcome", 1},
		{"# Log\n\nab\n\xff\n", "invalid-utf8", 4},
		{"# Log\n\n```\ncode\n", "unclosed-fence", 3},
		{"# Log\n\n" + strings.Repeat("[", 3000), "too-many-marks", 3},
		{"# Log\n\n\n" + strings.Repeat(">", 300), "too-deep", 4},
		{"# Log\n\n" + strings.Repeat("_a*", 3000), "too-many-marks", 3},
		{"# Log\n\n- a\n" + strings.Repeat("\n", 30000), "too-many-blank-lines", 20004},
		{"---\ntitle: x\nstatus: done\n\n# Log\n", "unclosed-front-matter", 1},
		{"---\n: : [\n---\n# Log\n", "front-matter", 1},
	} {
		res := read(t, Source{Path: "x.md"}, []byte(c.log))
		if !slices.ContainsFunc(res.Diagnostics, func(d Diagnostic) bool { return d.Code == c.code && d.Line == c.line && d.Message != "" }) {
			t.Errorf("%q: no %s on line %d in %v", c.log, c.code, c.line, res.Diagnostics)
		}
	}
}

// Each shape is a legal text that nobody writes. One that takes time in the square of its
// length would run into the test's time limit.
func TestHugeLogs(t *testing.T) {
	for name, shape := range shapes {
		t.Run(name, func(t *testing.T) {
			log := []byte(shape(96 << 10))
			sound(t, read(t, Source{Path: "x.md"}, log), log)
		})
	}
}

// What looks like JSON is no Markdown log; what only starts like it is.
func TestLooksJSON(t *testing.T) {
	for text, want := range map[string]bool{
		"[link](x.md)":      false,
		"[ ] task":          false,
		"{{template}}":      false,
		"\ufeff {\"a\": 1}": true,
		" [\n {\"a\": 1}":   true,
	} {
		if got := looksJSON([]byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// What would make an episode larger than a log may be is refused before it is worked on.
func TestTooManyFacts(t *testing.T) {
	log := func(n int) string {
		var b strings.Builder
		b.WriteString("# Session\n\n| Error | Fix |\n|---|---|\n")
		for i := range n {
			fmt.Fprintf(&b, "| PumpError %d: no valve | turned valve %d |\n", i, i)
		}
		return b.String()
	}
	if _, err := New(Vocabulary{}).Log(Source{Path: "a.md"}, []byte(log(50))); err != nil {
		t.Error(err)
	}
	if _, err := New(Vocabulary{}).Log(Source{Path: "a.md"}, []byte(log(mostFacts))); !errors.Is(err, ErrTooLarge) {
		t.Errorf("%v", err)
	}
}
