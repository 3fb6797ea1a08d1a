package recall_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"episodes/internal/plain"
	"episodes/recall"
)

// termsOf returns the terms of a question, sorted.
func termsOf(want recall.Want, text string) []string {
	return slices.Sorted(maps.Keys(recall.Analyse(want, text).Weights))
}

// What a word, an identifier, a path or a code of a text is found by.
func TestTerms(t *testing.T) {
	for _, c := range []struct {
		text string
		want string // sorted, separated by spaces
	}{
		// Words are stemmed, and those that every text has are no terms.
		{"The uploads are failing again", "fail upload"},
		{"the of and why if please", ""},
		{"Uploading UPLOADED upload", "upload"},
		{"größe überschritten, naïve café", "café größe naïve überschritten"},

		// An identifier is found whole and by its words.
		{"QuotaExceededError", "error exceed quota quotaexceedederror"},
		{"JSONFileReader", "file json jsonfilereader reader"},
		{"HTTP_PROXY", "http http_proxy proxi"},
		{"kebab-case-name", "case kebab kebab-case-name name"},
		{"flush()", "flush"},
		{"std::io::Error", "error io std"},

		// A file is found whole, without its line numbers, and by its name without the extension.
		{"parcel_index.db", "index parcel parcel_index.db"},
		{"lock.go:12:4:", "lock lock.go"},
		{"(lock.go:12)", "lock lock.go"},
		{"tests/cart.py::TestCart::test_total", "cart cart.py test test_total testcart total"},

		// Codes and exit states are names, whichever way they are written.
		{"E501 line too long", "e501 line long"},
		{"[E0382]", "e0382"},
		{"TS2304: parcel", "parcel ts2304"},
		{"exit code 137", "exit-137"},
		{"exited with status 137", "exit-137"},
		{"exit=137", "exit-137"},
		{"HTTP 503", "http-503"},
		{"HTTP status 503", "http-503"},
		{"SystemExit: 3", "exit exit-3 system systemexit"},
		{"--no-verify", "-no-verify verifi"},
		{"--force", "-force forc"},

		// What differs from one run to the next is no term.
		{"3f2a1bc 0123456789abcdef", ""},
		{"1.2.3 v2.0 12ms 45% #1234 10:11:12 2026-03-01 400GB 3rd", ""},
		{"https://example.org/parcel/index", "example.org"},
		{"http://localhost:8000/parcel/index?id=7", "id"},
		{"res://sound/boss_intro.wav", "boss boss_intro.wav intro"},
		{"user: 1337:1337 at 10:11", "1337:1337 user"},
		{"HTTPError: 502 Server Error", "error http-502 server"},
		{"HTTP/1.1 404 Not Found", "found http-404"},
		{"HTTP Error 403: Forbidden", "forbidden http-403"},
		{"a b c", ""},
		{strings.Repeat("x", 65), ""},
		{strings.Repeat("x", 300), ""},

		// Scripts without spaces are cut into pairs; a single character is one term.
		{"容量不足", "不足 容量 量不"},
		{"容", "容"},
		{"容量full不足", "full 不足 容量"},

		// A name ends where the script changes; the mark of a long vowel is a letter, and pairs of
		// hiragana are the ends of words.
		{"pandas_ta로", "panda pandas_ta ta 로"},
		{"lock.goを消す", "lock lock.go を消 消す"},
		{"サーバー", "サー バー ーバ"},
		{"保存したので", "保存 存し"},
		{"файл журналу", "журналу файл"},
	} {
		if got := strings.Join(termsOf(recall.ATask, c.text), " "); got != c.want {
			t.Errorf("terms of %q: %q, want %q", c.text, got, c.want)
		}
	}
}

// The folders of a path are terms of a task or an action, and not of an error: there they
// say where somebody's work tree is.
func TestFoldersOfPaths(t *testing.T) {
	for _, path := range []string{"src/store/lock.go", `src\store\lock.go`, "src/store/lock.go:12:4"} {
		if got := termsOf(recall.ATask, path); !slices.Equal(got, []string{"lock", "lock.go", "src", "store"}) {
			t.Errorf("task %q: %q", path, got)
		}
		if got := termsOf(recall.AnError, path); !slices.Equal(got, []string{"lock", "lock.go"}) {
			t.Errorf("error %q: %q", path, got)
		}
	}
	if got := termsOf(recall.AnError, "read/write"); !slices.Equal(got, []string{"read", "write"}) {
		t.Errorf("two words with a slash: %q", got)
	}
}

// A file that a question is about counts in full, whatever the question is.
func TestAbout(t *testing.T) {
	q := recall.Analyse(recall.AnError, "$ make\nbuilding\nfatal: the bucket is full")
	q.About("src/store/lock.go")
	for _, term := range []string{"lock.go", "lock", "store"} {
		if q.Weights[term] != 1 {
			t.Errorf("%q weighs %v", term, q.Weights[term])
		}
	}
}

// Documents and questions make the same terms of a text, in any case and between any marks:
// what a log says is found by its own words.
func TestQuestionsMeetDocuments(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(vocabulary), rapid.String()), 1, 8).Draw(t, "words")
		text := plain.Text(strings.Join(words, " ")) // as logs are indexed
		s := &recall.Session{Episode: "e", Docs: []recall.Document{{Kind: recall.Lesson, Text: text}}}
		held := s.Hashes()
		if !slices.IsSorted(held) {
			t.Fatal("hashes are not sorted")
		}
		for hash := range recall.Analyse(recall.ATask, text).Hashes() {
			if _, found := slices.BinarySearch(held, hash); !found {
				t.Fatalf("a term of %q is not one of the document", text)
			}
		}
		for _, term := range termsOf(recall.ATask, text) {
			if term == "" || len(term) > 65 || !utf8.ValidString(term) && utf8.ValidString(text) {
				t.Fatalf("%q has the term %q", text, term)
			}
		}
		bare := strings.Join(rapid.SliceOfN(rapid.SampledFrom(vocabulary), 1, 8).Draw(t, "plain"), " ")
		marked := "«" + strings.ReplaceAll(strings.ToUpper(bare), " ", "», (") + ")"
		if a, b := termsOf(recall.ATask, bare), termsOf(recall.ATask, marked); !slices.Equal(a, b) {
			t.Fatalf("%q: %q, %q: %q", bare, a, marked, b)
		}
	})
}

// vocabulary has words that are terms of their own.
var vocabulary = strings.Fields(`parcel bucket ledger tenant snapshot importer timeout garden kitchen river mountain winter summer lantern
	harbor copper violet marble engine carpet saddle walnut pepper basket candle meadow falcon tunnel ribbon anchor`)
