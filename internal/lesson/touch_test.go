package lesson

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"episodes/internal/corrections"
	"episodes/internal/fsstore"
	"episodes/internal/testing/few"
	"episodes/internal/turns"
)

// project is a small tree in git.
var project = map[string]string{
	"price/price.go": "package price\n\n// Round drops cents.\nfunc Round(c int) int {\n\treturn c / 100\n}\n\n// Format writes cents.\nfunc Format(c int) string {\n\twhole := c / 100\n\n\treturn fmt.Sprintf(\"%d.%02d\", whole, c%100)\n}\n",
	"price/doc.go":   "// Package price has prices.\npackage price\n",
	"web/price.go":   "package web\n",
	"deploy.yaml":    "limits:\n  memory: 512Mi\nretries: 3\n",
	"README.md":      "# Shop\n\nRun it.\n",
	".env":           "A=1\n",
}

// aTree writes files and commits them; git runs a command of git there.
func aTree(t testing.TB, files map[string]string) (dir string, tree *Tree, git func(args ...string) string) {
	t.Helper()
	dir = t.TempDir()
	git = func(args ...string) string {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.email=a@example.com", "-c", "user.name=a", "-c", "commit.gpgsign=false"}, args...)...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	for name, text := range files {
		put(t, dir, name, text)
	}
	git("init", "-q")
	git("add", "-A")
	git("commit", "-q", "-m", "all")
	return dir, treeOf(t, dir), git
}

func put(t testing.TB, dir, name, text string) {
	t.Helper()
	file := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// treeOf opens a tree as it is now.
func treeOf(t testing.TB, dir string) *Tree {
	t.Helper()
	d, err := fsstore.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return NewTree(d)
}

// transcript is a session with two exchanges. The agent edits, is refused, writes a file, edits outside of the tree, and
// changes its own text later.
func transcript(t testing.TB) *Session {
	t.Helper()
	s, err := readAny([]byte(claudeLog(
		"user", `"cents are lost, and raise the memory"`, // 1
		"assistant", editCall("c1", "/src/shop/price/price.go", "c/100, c%100", "whole, c%100"), // 2
		"user", result("c1", "The file has been updated.", false),
		"assistant", editCall("c2", "/src/shop/README.md", "Run it.", "Stop it."), // 4
		"user", result("c2", "The user doesn't want to proceed with this tool use. The tool use was rejected", true),
		"assistant", editCall("c3", "/src/shop/deploy.yaml", "  memory: 256Mi", "  memory: 384Mi"), // 6
		"user", result("c3", "The file has been updated.", false),
		"assistant", editCall("c4", "/home/a/.netrc", "x", "y"), // 8
		"user", result("c4", "The file has been updated.", false),
		"user", `"say so in the package too"`, // 10
		"assistant", `[{"type":"text","text":"I add the sentence."}]`, // 11
		"assistant", editCall("c5", "/src/shop/price/doc.go", "// Package price.", "// Package price has prices."), // 12
		"user", result("c5", "The file has been updated.", false),
		"assistant", editCall("c6", "/src/shop/deploy.yaml", "384Mi", "512Mi"), // 14
		"user", result("c6", "The file has been updated.", false),
		"assistant", `[{"type":"text","text":"All is done."}]`, // 16
	)), nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// fill is what a lesson touches, as FILE SYMBOL STATE.
func fill(l Lesson, s *Session, tree *Tree) (out []string) {
	Fill(&l, s, tree, "c0ffee")
	for _, x := range l.Touches {
		if x.Commit != "c0ffee" {
			return []string{"commit " + x.Commit}
		}
		out = append(out, strings.Join(strings.Fields(x.File+" "+x.Symbol+" "+State(x, tree)), " "))
	}
	return out
}

func TestFill(t *testing.T) {
	_, tree, _ := aTree(t, project)
	s := transcript(t)
	for name, c := range map[string]struct {
		lesson Lesson
		want   []string
	}{
		"an edit on the lines":       {Lesson{Say: "Cents are kept.", Lines: Lines{{2, 3}}}, []string{"price/price.go Format fresh"}},
		"named, edited elsewhere":    {Lesson{Say: "deploy.yaml has the limit.", Lines: Lines{{2, 2}}}, []string{"deploy.yaml memory fresh", "price/price.go Format fresh"}},
		"with the lesson's word":     {Lesson{Say: "Ask for 512Mi of memory.", Lines: Lines{{11, 11}}}, []string{"deploy.yaml memory fresh"}},
		"the nearest of an exchange": {Lesson{Say: "Say it.", Lines: Lines{{11, 11}}}, []string{"price/doc.go fresh", "deploy.yaml memory fresh"}},
		"not of another exchange":    {Lesson{Say: "Say it.", Lines: Lines{{10, 10}}}, []string{"price/doc.go fresh", "deploy.yaml memory fresh"}},
		"nearest first":              {Lesson{Say: "Say it.", Lines: Lines{{16, 16}}}, []string{"deploy.yaml memory fresh", "price/doc.go fresh"}},
		"a refused edit is none":     {Lesson{Say: "Say it.", Lines: Lines{{4, 5}}}, []string{"deploy.yaml memory fresh", "price/price.go Format fresh"}},
		"named and in the tree":      {Lesson{Say: "README.md is short.", Lines: Lines{{16, 16}}}, []string{"README.md fresh"}},
		"outside of the tree":        {Lesson{Say: "See /home/a/.netrc and ~/.netrc.", Lines: Lines{{8, 8}}}, []string{"deploy.yaml memory fresh", "price/price.go Format fresh"}},
		"without lines":              {Lesson{Say: "Cents are kept in price/price.go."}, []string{"price/price.go Format fresh"}},
		"of two files named so":      {Lesson{Say: "See price.go."}, []string{"price/price.go Format fresh"}},
		"nothing":                    {Lesson{Say: "Be kind."}, nil},
	} {
		if got := fill(c.lesson, s, tree); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
	var all []string
	for i := range 9 {
		all = append(all, fmt.Sprintf("f%d.go", i))
		project := map[string]string{}
		for _, name := range all {
			project[name] = name + "\n"
		}
		_, tree, _ := aTree(t, project)
		if got := fill(Lesson{Say: strings.Join(all, " ")}, s, tree); len(got) != min(i+1, MaxTouches) {
			t.Errorf("%d files: %q", i+1, got)
		}
	}
}

// A Markdown log touches the files that it names, if they are there.
func TestFillMarkdown(t *testing.T) {
	_, tree, _ := aTree(t, project)
	s := FromMarkdown(corrections.Split([]byte("# Cents\n\nWe changed `price/price.go:9`, gone.go and\n`price.go`; see deploy.yaml.\n\nREADME.md stays. Nothing else\n\n- nothing here\n")))
	for name, c := range map[string]struct {
		lesson Lesson
		want   []string
	}{
		"on the lines":     {Lesson{Say: "Cents are lost.", Lines: Lines{{6, 6}}}, []string{"README.md fresh"}},
		"around them":      {Lesson{Say: "Cents are lost.", Lines: Lines{{4, 4}}}, []string{"deploy.yaml limits fresh", "price/price.go Round fresh"}},
		"with its words":   {Lesson{Say: "Ask for 512Mi.", Lines: Lines{{3, 4}}}, []string{"deploy.yaml limits fresh"}},
		"in the lesson":    {Lesson{Say: "web/price.go is empty.", Lines: Lines{{3, 4}}}, []string{"web/price.go fresh"}},
		"none is named":    {Lesson{Say: "Cents are lost.", Lines: Lines{{8, 8}}}, nil},
		"not in the tree":  {Lesson{Say: "gone.go is gone.", Lines: Lines{{8, 8}}}, nil},
		"two have the end": {Lesson{Say: "price.go is long.", Lines: Lines{{8, 8}}}, nil},
	} {
		if got := fill(c.lesson, s, tree); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// What was put into parts of lines is found as whole lines, with whatever line ends, also if the session worked in a folder of
// the tree.
func TestFillInAFolder(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "src/shop/a.txt", "x one\r\ntwo y\r\n")
	put(t, dir, ".git/wt/f/b.txt", "x one\ntwo y\n")
	for edited, want := range map[string]string{
		"/src/shop/a.txt":                         "src/shop/a.txt",
		"/src/shop/.trees/f/src/shop/a.txt":       "src/shop/a.txt", // another tree of the project
		"/src/shop/.git/wt/f/src/shop/a.txt":      "src/shop/a.txt",
		"/src/shop/.git/wt/f/b.txt":               "",
		"/src/other/src/shop/a.txt":               "",
		"/src/shop/../other/src/shop/a.txt":       "",
		"/src/shop/.trees/f/src/shop/../../a.txt": ".trees/f/a.txt", // it is not in this tree
	} {
		s, err := readAny([]byte(claudeLog("user", `"one"`, "assistant", editCall("c1", edited, "1\n2", "one\ntwo"))), nil)
		if err != nil {
			t.Fatal(err)
		}
		l := Lesson{Say: "One.", Lines: Lines{{2, 2}}}
		Fill(&l, s, treeOf(t, dir), "")
		if len(l.Touches) == 0 && want == "" {
			continue
		}
		if len(l.Touches) != 1 || l.Touches[0].File != want || strings.HasPrefix(want, "src") && l.Touches[0].Hash != hash([]string{"x one", "two y"}) {
			t.Errorf("%s: %+v", edited, l.Touches)
		}
	}
}

// However much a log names or edits, some of it is looked at.
func TestFillOfALot(t *testing.T) {
	dir := t.TempDir()
	var text strings.Builder
	for i := range mostSeen + 1 {
		put(t, dir, fmt.Sprintf("f%02d.txt", i), map[bool]string{true: "raiseCrane"}[i == mostSeen-1 || i == mostSeen])
		fmt.Fprintf(&text, "f%02d.txt ", i)
	}
	got := fill(Lesson{Say: "Say raiseCrane.", Lines: Lines{{1, 1}}}, FromMarkdown(corrections.Lines{text.String()}), treeOf(t, dir))
	if want := []string{fmt.Sprintf("f%02d.txt fresh", mostSeen-1)}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	s := FromTurns(corrections.Lines{"a"}, []Turn{{At: [2]int{1, 1}, Who: ByCall, Text: "a", Edits: []Edit{{"f00.txt", "", "a"}}}})
	for range 400 {
		s.turns[0].Edits = append(s.turns[0].Edits, Edit{"f00.txt", "a", strings.Repeat("a", 10<<10)})
	}
	for _, x := range s.edited(Lines{{1, 1}}, nil, nil, treeOf(t, dir)) {
		if len(x.text) > 20*turns.MaxText {
			t.Fatalf("%d bytes", len(x.text))
		}
	}
}

// What was edited since has drifted; what was moved, indented or stands in a file with other changes is fresh.
func TestStateInGit(t *testing.T) {
	dir, tree, git := aTree(t, project)
	l := Lesson{Say: "Format keeps cents.", Lines: Lines{{2, 3}}}
	Fill(&l, transcript(t), tree, git("rev-parse", "HEAD"))
	if len(l.Touches) != 1 || l.Touches[0].File != "price/price.go" || l.Touches[0].Symbol != "Format" || l.Touches[0].Commit != git("rev-parse", "HEAD") {
		t.Fatalf("%+v", l.Touches)
	}
	now := project["price/price.go"]
	head, format, _ := strings.Cut(now, "// Format")
	for _, c := range []struct{ name, text, want string }{
		{"as it was", now, Fresh},
		{"moved", "package price\n\n// Format" + format + strings.TrimPrefix(head, "package price"), Fresh},
		{"indented, with carriage returns", strings.ReplaceAll(strings.ReplaceAll(now, "\n", "\r\n"), "\t", "    "), Fresh},
		{"edited elsewhere", strings.Replace(now, "c / 100\n}", "c / 1000\n}", 1), Fresh},
		{"edited", strings.Replace(now, "whole, c%100", "whole, c%1000", 1), Drifted},
		{"taken out", head, Drifted},
		{"empty", "", Drifted},
		{"back", now, Fresh},
	} {
		put(t, dir, "price/price.go", c.text)
		git("commit", "-q", "-a", "--allow-empty", "-m", c.name)
		if got := State(l.Touches[0], treeOf(t, dir)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	git("mv", "price/price.go", "price/cents.go")
	if got := State(l.Touches[0], tree); got != Gone {
		t.Errorf("renamed: %s", got)
	}
	git("rm", "-q", "-r", "-f", "price")
	if got := State(l.Touches[0], tree); got != Gone {
		t.Errorf("its folder is gone: %s", got)
	}
}

// An edit whose text was changed by later sessions has drifted from the start.
func TestFillOfAnOldSession(t *testing.T) {
	dir, _, _ := aTree(t, project)
	put(t, dir, "deploy.yaml", "limits:\n  memory: 1Gi\nretries: 3\n")
	got := fill(Lesson{Say: "deploy.yaml has the limit."}, transcript(t), treeOf(t, dir))
	if want := []string{"deploy.yaml memory drifted"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestPart(t *testing.T) {
	long := "type Crane struct {\n" + strings.Repeat("\tlift int\n", 50) + "}\n\nfunc (c *Crane) LowerAll() {\n\tc.lift = 0\n}\n"
	for name, c := range map[string]struct {
		text, file, words, symbol string
		lines                     []string
	}{
		"part of a line":           {"c.lift", "func (c *Crane) Lower() {\n\tc.lift = 0\n}\n", "", "Lower", []string{"c.lift = 0"}},
		"not in the file":          {"c.lift", "func (c *Crane) Lower() {\n}\n", "", "", []string{"c.lift"}},
		"twice in the file":        {"lift", "a: lift\nb: lift\n", "", "a", []string{"a: lift", "b: lift"}},
		"a comment before its own": {"// Lift lifts.\nfunc Lift() {", "func Lower() {}\n\n// Lift lifts.\nfunc Lift() {\n}\n", "", "Lift", []string{"// Lift lifts.", "func Lift() {"}},
		"long, with a word":        {"", long, "lowerall", "LowerAll", []string{"func (c *Crane) LowerAll() {", "c.lift = 0", "}"}},
		"long, without":            {"", "a:\n" + strings.Repeat("\n\n- b", 50), "crane", "", append([]string{"a:"}, strings.Split(strings.TrimSuffix(strings.Repeat("- b\n", 50), "\n"), "\n")...)},
		"long paragraph":           {"", strings.Repeat("a\n", 50) + "crane\n" + strings.Repeat("a\n", 50), "crane", "", []string{"crane"}},
		"a patch":                  {"*** Begin Patch\n*** Update File: a\n@@\na\n@@ b\nthe longer one\n*** End Patch", "", "", "", []string{"the longer one"}},
		"a secret within":          {"a: 1\nkey: [redacted token]\nb: 22\nc: 3", "", "", "b", []string{"b: 22", "c: 3"}},
		"cut":                      {"first\n[…]\nlast one", "", "", "", []string{"last one"}},
		"Python":                   {"return 1", "class Crane:\n    def lift(self):\n        if self.up:\n            return 1\n", "", "lift", []string{"return 1"}},
		"JavaScript":               {"up()", "export default async function lift() {\n  up()\n}\n", "", "lift", []string{"up()"}},
		"JSON":                     {`"x": 1`, "{\n  \"lift\": {\n    \"x\": 1\n  }\n}\n", "", "lift", []string{`"x": 1`}},
		"nothing":                  {"", "", "", "", nil},
		"only space":               {" \n\t\n", "", "", "", nil},
	} {
		symbol, sum := part(c.text, c.file, strings.Fields(c.words))
		if symbol != c.symbol || sum != hash(c.lines) {
			t.Errorf("%s: %q %s, want %q %s", name, symbol, sum, c.symbol, hash(c.lines))
		}
	}
}

// Moved text is fresh, edited text has drifted, wherever in a file and however indented.
func TestStateLaws(t *testing.T) {
	few.Checks(t, 30)
	dir := t.TempDir()
	tree := treeOf(t, dir)
	line := rapid.StringMatching(`[ \t]{0,3}[a-z(){};= ]{0,12}`)
	rapid.Check(t, func(r *rapid.T) {
		lines := rapid.SliceOfN(line, 1, 60).Draw(r, "lines")
		from := rapid.IntRange(0, len(lines)-1).Draw(r, "from")
		own := lines[from:rapid.IntRange(from+1, len(lines)).Draw(r, "to")]
		if len(solid(strings.Join(own, "\n"))) == 0 {
			r.Skip("no words")
		}
		touch := Touch{File: "a.txt", Hash: hash(solid(strings.Join(own, "\n")))}
		expect := func(want string, lines []string) {
			put(t, dir, "a.txt", strings.Join(lines, "\n"))
			if got := State(touch, tree); got != want {
				r.Fatalf("%s, want %s: %q in %q", got, want, own, lines)
			}
		}
		expect(Fresh, lines)
		moved := rapid.SliceOfN(line, 0, 60).Draw(r, "before")
		for _, l := range own {
			moved = append(moved, rapid.SampledFrom([]string{"", " ", "\t\t"}).Draw(r, "indent")+l, "")
		}
		expect(Fresh, append(moved, rapid.SliceOfN(line, 0, 9).Draw(r, "after")...))
		edited := append([]string{}, lines...)
		for i, l := range edited { // all like it, for one of them may be what is left
			if strings.TrimSpace(l) == solid(strings.Join(own, "\n"))[0] {
				edited[i] = l + "X"
			}
		}
		expect(Drifted, edited)
	})
}

// Paths of logs lead to files of the tree only.
func TestHostilePaths(t *testing.T) {
	for file, want := range map[string]string{
		"a/b.go":                        "a/b.go",
		"./a//b.go":                     "a/b.go",
		"/src/shop/a/b.go":              "a/b.go",
		"/src/shop/../a.go":             "",
		"/src/shopping/a.go":            "",
		"/etc/passwd":                   "",
		"../a.go":                       "",
		"a/../../b.go":                  "",
		"~/.ssh/id":                     "",
		`a\b.go`:                        "a/b.go",
		`C:\Windows\x`:                  "",
		`..\x`:                          "",
		"a:stream":                      "",
		"a\x1b[2Jb.go":                  "",
		"a\nb.go":                       "",
		"a\x00b":                        "",
		"a\u202eb.go":                   "",
		"\xff.go":                       "",
		"":                              "",
		".":                             "",
		"/":                             "",
		strings.Repeat("a/", 999) + "b": "",
		"app/(shop)/[id]/page.tsx":      "app/(shop)/[id]/page.tsx",
	} {
		if got := inTree(file, "/src/shop"); got != want {
			t.Errorf("%q: got %q, want %q", file, got, want)
		}
	}
	if got := inTree(`C:\src\shop\a.go`, `C:\src\shop`); got != "a.go" {
		t.Errorf("of Windows: %q", got)
	}
}

// Nothing is followed out of a tree, and what is no file there says nothing.
func TestStateOfWhatIsNoFile(t *testing.T) {
	outside := t.TempDir()
	put(t, outside, "secret.txt", "secret\n")
	dir := t.TempDir()
	put(t, dir, "in/a.txt", "secret\n")
	put(t, dir, ".git/config", "secret\n")
	put(t, dir, "node_modules/x/lib.js", "secret\n")
	put(t, dir, "large.txt", strings.Repeat("\n", maxCode)+"secret\n")
	put(t, dir, "work.txt", strings.Repeat("a\n", maxCode/3))
	if runtime.GOOS != "windows" {
		for link, to := range map[string]string{"link.txt": filepath.Join(outside, "secret.txt"), "out": outside, "inner.txt": "in/a.txt", "modules": "node_modules"} {
			if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
				t.Fatal(err)
			}
		}
	}
	tree, sum := treeOf(t, dir), hash([]string{"secret"})
	for _, c := range []struct{ file, hash, want string }{
		{"in/a.txt", sum, Fresh},
		{"in/b.txt", sum, Gone},
		{"nowhere/b.txt", sum, Gone},
		{"in", sum, Unsure},
		{"link.txt", sum, Unsure},
		{"out/secret.txt", sum, Unsure},
		{"inner.txt", sum, Unsure},
		{".git/config", sum, Unsure},
		{".GIT/config", sum, Unsure},
		{"sub/.git/config", sum, Unsure},
		{filepath.Join(outside, "secret.txt"), sum, Unsure},
		{"../" + filepath.Base(outside) + "/secret.txt", sum, Unsure},
		{"", sum, Unsure},
		{"large.txt", sum, Unsure},
		{"work.txt", fmt.Sprint(maxCode/6, "-0000000000000000"), Unsure},
		{"in/a.txt", "", Unsure},
		{"in/a.txt", "secret", Unsure},
		{"in/a.txt", "-1-" + sum[2:], Unsure},
		{"in/a.txt", "0-" + sum[2:], Unsure},
		{"in/a.txt", "999999999999-" + sum[2:], Drifted},
		{"in/a.txt", "2-" + sum[2:], Drifted},
	} {
		if got := State(Touch{File: c.file, Hash: c.hash}, tree); got != c.want && (runtime.GOOS != "windows" || c.want != Unsure) {
			t.Errorf("%q with %q: %s, want %s", c.file, c.hash, got, c.want)
		}
	}
	for name, want := range map[string]string{"a.txt": "in/a.txt", "secret.txt": "", "lib.js": "", "config": "", "link.txt": "", "out": ""} {
		if got := tree.find(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

func FuzzInTree(f *testing.F) {
	for _, seed := range []string{"a/b.go", "/src/shop/a.go", `..\..\x`, "a/.git/b", "~/x", "C:x"} {
		f.Add(seed, "/src/shop")
	}
	f.Fuzz(func(t *testing.T, file, dir string) {
		got := inTree(file, dir)
		if got != "" && (!fs.ValidPath(got) || !filepath.IsLocal(got) || strings.ContainsAny(got, "\\:~\n") || inTree(got, "") != got) {
			t.Errorf("%q in %q is %q", file, dir, got)
		}
	})
}

// No text of a log makes the program fail, or leads out of the tree.
func FuzzFill(f *testing.F) {
	f.Add("see price/price.go:9", "/src/shop/price/price.go", "c/100", "whole", "func Format")
	f.Add("../x.go", "../x.go", "", "@@\n-a\n+b", "")
	dir := f.TempDir()
	for name, text := range project {
		put(f, dir, name, text)
	}
	d, err := fsstore.Open(dir)
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(d.Close)
	f.Fuzz(func(t *testing.T, say, file, old, new, more string) {
		s := FromTurns(corrections.Lines{"a", "b"}, []Turn{{Who: ByCall, At: [2]int{1, 1}, Text: more, Edits: []Edit{{file, old, new}, {file, new, old}}}})
		l := Lesson{Say: say, More: more, Lines: Lines{{1, 2}}}
		Fill(&l, s, NewTree(d), "")
		for _, x := range l.Touches {
			if inTree(x.File, "") != x.File || inGit(x.File) || len(l.Touches) > MaxTouches {
				t.Errorf("%+v", x)
			}
			State(x, NewTree(d))
		}
	})
}
