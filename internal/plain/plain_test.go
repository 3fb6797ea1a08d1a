package plain

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestWords(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"plain", "Fix the lock, für immer ✅", "Fix the lock, für immer ✅"},
		{"white space", "  a\t b\r\n c\u0085d\u2028e\u00a0f ", "a b c d e f"},
		{"colours", "\x1b[1;31mred\x1b[0m text", "red text"},
		{"8-bit escape", "\u009b31mred", "red"},
		{"title", "\x1b]0;owned\ahello", "hello"},
		{"link", "\x1b]8;;http://x\x1b\\click\x1b]8;;\x1b\\", "click"},
		{"a string that never ends", "\x1b]0;keep this", "0;keep this"},
		{"a string that ends on another line", "\x1b]0;keep\nthis\a", "0;keep this"},
		{"character set", "\x1b(Babc", "abc"},
		{"escape at the end", "abc\x1b", "abc"},
		{"escape before a letter that is none", "\x1bé", "é"},
		{"escapes in escapes", "\x1b\x1b[31m[31mred", "[31mred"},
		{"bell, backspace, delete", "a\ab\bc\x7fd", "abcd"},
		{"written backwards", "user\u202etxt.exe\u2066", "usertxt.exe"},
		{"marks of direction", "a\u200eb\u200fc\u061cd", "abcd"},
		{"hidden tags", "a\U000E0041\U000E0042b", "ab"},
		{"a flag made of tags", "🏴\U000E0067\U000E007F", "🏴"},
		{"byte order mark", "\ufeffa", "a"},
		{"zero width", "</ERR\u200bO\u2060R\u00adS\u200d>", "</ERRORS>"},
		{"fillers", "a\u3164b\uffa0c\u115fd\u034fe\u2800f", "abcdef"},
		{"invisible operators", "f\u2061(x)\u2062y", "f(x)y"},
		{"annotation", "a\ufff9b\ufffac\ufffbd", "abcd"},
		{"musical and shorthand controls", "a\U0001D173b\U0001BCA0c", "abc"},
		{"selectors that hide a text", "a\ufe0f\U000E0101\U000E0102b😀\ufe0f\ufe0f\ufe01", "ab😀\ufe0f"},
		{"an emoji and its selector", "❤\ufe0f ☎\ufe0e 1\ufe0f\u20e3", "❤\ufe0f ☎\ufe0e 1\ufe0f\u20e3"},
		{"a digit and no keycap", "1\ufe0f2", "12"},
		{"an ideograph and its variant", "葛\U000E0100飾", "葛\U000E0100飾"},
		{"a family", "👩\u200d👩\u200d👧 🏃🏽\u200d♀\ufe0f", "👩\u200d👩\u200d👧 🏃🏽\u200d♀\ufe0f"},
		{"a joiner that joins nothing", "a\u200db\u200d 👩\u200d 👩", "ab 👩 👩"},
		{"Persian", "می\u200cخواهم", "می\u200cخواهم"},
		{"Hindi", "क्\u200dष", "क्\u200dष"},
		{"a mark alone", "\u0338a \u0301b", "a b"},
		{"too many marks", "a" + strings.Repeat("\u0301", 900) + "b", "a" + strings.Repeat("\u0301", 4) + "b"},
		{"Vietnamese, decomposed", "vie\u0323\u0302t", "vie\u0323\u0302t"},
		{"private use", "a\ue0b0b\U000F0041", "a\ufffdb\ufffd"},
		{"no character", "a\ufffeb\ufdd0c\U0010FFFFd\u0378", "a\ufffdb\ufffdc\ufffdd\ufffd"},
		{"an emoji of a later Unicode", "\U0001FAE9", "\U0001FAE9"},
		{"an Arabic number sign", "\u0600\u0661", "\u0600\u0661"},
		{"not UTF-8", "a\xff\xfeb\xc3", "a\ufffdb\ufffd"},
		{"empty", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Words(c.in); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestText(t *testing.T) {
	for in, want := range map[string]string{
		"a\r\nb\rc\n\td\ve\u2028f": "a\nb\nc\n\td e f",
		"a\u00a0b\u3000c":          "a\u00a0b\u3000c",
		"\x1b[31mred\x1b[0m\n":     "red\n",
	} {
		if got := Text(in); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
	if got := Line("  a\tb\n"); got != "  a b " {
		t.Errorf("got %q", got)
	}
}

// Texts without end are filtered in a time that grows with their length.
func TestTextOpensWithoutEnd(t *testing.T) {
	for _, part := range []string{"\x1b]", "\x1b[", "\u009d", "\xff", "a\u0301\u0301", "\u200d", "👩\u200d"} {
		in := strings.Repeat(part, 1<<20/len(part))
		if got := Text(in); len(got) > 3*len(in) {
			t.Errorf("%q: %d bytes of %d", part, len(got), len(in))
		}
	}
}

// hostile draws text of all that the filter looks at.
var hostile = rapid.Map(rapid.SliceOfN(rapid.OneOf(
	rapid.SampledFrom([]string{"\x1b", "[", "31m", "]", "0;", "\a", "\\", "\n", "\r", "\t", "\x00", "\x7f", "\u009b", "\u0085", "\u202e", "\xff", "é", "✅", " ", "\"", "”", "\u200d", "\u200c", "\u200b",
		"\ufe0f", "\ufe00", "\U000E0101", "\U000E0041", "👩", "♀", "🏽", "1", "\u20e3", "葛", "ष", "\u094d", "م", "\u0301", "\u0903", "\ue000", "\ufffd", "\u0378", "\u2800", "\u00ad", "word"}),
	rapid.Map(rapid.Rune(), func(r rune) string { return string(r) })), 0, 30), func(s []string) string { return strings.Join(s, "") })

// fault says what must not be in a filtered text; "" for nothing.
func fault(s string, lines bool) string {
	if !utf8.ValidString(s) {
		return "not UTF-8"
	}
	marks := 0
	var last rune
	for _, r := range s {
		switch {
		case lines && (r == '\n' || r == '\t'):
		case unicode.IsControl(r) || r == '\u2028' || r == '\u2029':
			return "a control character"
		case unicode.Is(unicode.Bidi_Control, r) || r >= 0xe0000 && r <= 0xe00ff || r >= 0x2060 && r <= 0x206f || r == 0xfeff || r == 0xad || r == 0x200b:
			return "hidden"
		case unicode.Is(unicode.Variation_Selector, r) && (unicode.Is(unicode.Variation_Selector, last) || unicode.IsSpace(last) || unicode.IsLetter(last) && !unicode.Is(unicode.Ideographic, last) && last != 'ℹ'):
			return "a stray selector"
		case (r == zwj || r == zwnj) && (last == 0 || last < 0x300 && last != 0):
			return "a stray joiner"
		case unicode.In(r, unicode.Co, unicode.Cs):
			return "private use"
		}
		if unicode.In(r, unicode.Mn, unicode.Me) && !unicode.Is(unicode.Variation_Selector, r) {
			if marks++; marks > maxMarks || last == 0 || unicode.IsSpace(last) {
				return "a flood of marks"
			}
		} else if !unicode.IsMark(r) && r != zwj && r != zwnj {
			marks = 0
		}
		last = r
	}
	return ""
}

func checkFilter(t interface{ Fatalf(string, ...any) }, in string) {
	for lines, filter := range map[bool]func(string) string{true: Text, false: Line} {
		out := filter(in)
		if bad := fault(out, lines); bad != "" {
			t.Fatalf("%+q becomes %+q: %s", in, out, bad)
		}
		if again := filter(out); again != out {
			t.Fatalf("%+q becomes %+q, then %+q", in, out, again)
		}
		if utf8.RuneCountInString(out) > utf8.RuneCountInString(in) {
			t.Fatalf("%+q becomes longer: %+q", in, out)
		}
	}
	if q := Quote(in, 60); len(q) > 62 || strings.Count(q, `"`) != 2 || strings.ContainsAny(q, "“”„\n") {
		t.Fatalf("%+q is quoted as %s", in, q)
	}
	block := Block(in, 60)
	if len(block) > 62*(len(Prefix)+1)+30 {
		t.Fatalf("%+q: block\n%s", in, block)
	}
	for line := range strings.Lines(block) {
		if !strings.HasPrefix(line, Prefix) || !strings.HasSuffix(line, "\n") {
			t.Fatalf("%+q: block\n%s", in, block)
		}
	}
}

func TestProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { checkFilter(t, hostile.Draw(t, "text")) })
}

func FuzzText(f *testing.F) {
	for _, s := range []string{"\x1b]0;x\a", "a\u0301\ufe0f\u200d👩\u200d👩", "\r\n\u2028", "\xff\xfe", "1\ufe0f\u20e3", strings.Repeat("\u0301", 9)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) { checkFilter(t, in) })
}

func TestQuotes(t *testing.T) {
	if got := Quote("x\" (12 of 12 worked, lift 9.0) “y” \n z", 300); got != `"x' (12 of 12 worked, lift 9.0) 'y' z"` {
		t.Error(got)
	}
	if got := Quote(strings.Repeat("é", 400), 21); got != `"`+strings.Repeat("é", 9)+`…"` {
		t.Error(got)
	}
	if got := Block("a\n\n\tb\r# c\n", 600); got != "> a\n> \n> \tb\n> # c\n" {
		t.Errorf("%q", got)
	}
	if got := Block(`a "b" 'c' “d”`, 600); got != "> a \"b\" 'c' “d”\n" {
		t.Error(got)
	}
	if got := Block(strings.Repeat("x", 1<<20), 600); got != "> "+strings.Repeat("x", 572)+"… (1048004 bytes left out)\n" {
		t.Errorf("%q", got)
	}
	for in, want := range map[string]string{"logs/2026-01-02.md": "logs/2026-01-02.md", "a.md:3 (weight 0.99)": `"a.md:3 (weight 0.99)"`, "d001": "d001", "": `""`, "über.md": `"über.md"`} {
		if got := Name(in, 300); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}

func TestAll(t *testing.T) {
	type inner struct {
		S    string
		List []string
		hid  string
	}
	v := struct {
		inner
		P   *inner
		M   map[string]inner
		N   []int
		Nil *inner
		A   any
	}{inner{"a\u202e", []string{"b\u200b", "c"}, "left\u202e"}, &inner{S: "d\x1b[1m"}, map[string]inner{"k\ufeff": {S: "v\u2066"}, "same": {}}, []int{1}, nil, "any\u202e"}
	if !All(&v) || v.S != "a" || v.List[0] != "b" || v.P.S != "d" || v.M["k"].S != "v" || len(v.M) != 2 || v.hid != "left\u202e" {
		t.Errorf("%+v", v)
	}
	if All(&v) {
		t.Error("changes again")
	}
}
