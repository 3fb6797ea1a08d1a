package hook

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"episodes/ledger"
)

// aReader is a world whose user lets a script read sessions in the background.
type aReader struct {
	*world
	home, path string
	dir        string // of the script: it leaves each prompt there
	clock      time.Time
}

// newReader configures a script; more goes into the configuration as well.
func newReader(t *testing.T, script, more string) *aReader {
	t.Helper()
	w := newWorld(t, lockLog)
	r := &aReader{world: w, dir: t.TempDir(), clock: time.Now()}
	r.home, r.path = w.home("TestOfThePrivatePart")
	config := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", config)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("ASKED", r.dir)
	must(t, os.MkdirAll(filepath.Join(config, "episodes"), 0o700))
	w.put(filepath.Join(r.dir, "reader.sh"), "cat > \"$ASKED/prompt.$$\"\n"+script)
	w.put(filepath.Join(config, "episodes", "config.toml"),
		fmt.Sprintf("reader = \"sh %s/reader.sh\"\n%s", r.dir, more))
	return r
}

const (
	allowed = "reader_day = 100000\nreader_session = 50000\n"
	agrees  = `echo 'outcome unknown 1'`
	// learns answers with a lesson from the line of the first error of the draft.
	learns = `sed -n 's/^e[0-9]* \([0-9]*\)[0-9-]* error .*/+l1 lesson \1/p' "$ASKED/prompt.$$" | head -1`
)

func (r *aReader) end(event string) {
	r.t.Helper()
	r.run("claude", event, fmt.Sprintf(`{"session_id":"s-1","cwd":%q,"transcript_path":%q}`, r.root, r.path))
}

// workAfter works on what waits when some time has passed.
func (r *aReader) workAfter(d time.Duration) {
	r.clock = r.clock.Add(d)
	Work(context.Background(), WorkerOptions{Home: r.home, Getenv: func(string) string { return "" }, Now: func() time.Time { return r.clock }})
}

func (r *aReader) prompts() (out []string) {
	r.t.Helper()
	names, err := filepath.Glob(filepath.Join(r.dir, "prompt.*"))
	must(r.t, err)
	for _, name := range names {
		data, err := os.ReadFile(name)
		must(r.t, err)
		out = append(out, string(data))
	}
	return out
}

func (r *aReader) asked(want int, when string) {
	r.t.Helper()
	if got := r.prompts(); len(got) != want {
		r.t.Fatalf("%s: asked %d times, want %d; log %s", when, len(got), want, r.log())
	}
}

func (r *aReader) spent() ledger.Reading {
	r.t.Helper()
	sum, err := ledger.Readers(func(a ledger.Reading) bool { return a.Background })
	must(r.t, err)
	return sum
}

// A session that ended is read once; one that only paused when it stayed so for a while.
func TestReadAfterTheSession(t *testing.T) {
	r := newReader(t, learns, allowed)
	r.end("Stop")
	r.workAfter(0)
	if !strings.Contains(r.private(), "TestOfThePrivatePart") {
		t.Fatalf("not taken in; log %s", r.log())
	}
	r.asked(0, "while the session may go on")
	r.workAfter(quiet)
	r.asked(1, "after a pause")
	if !strings.Contains(r.private(), `"lessons": [`) {
		t.Errorf("the answer was not taken: %s", r.private())
	}
	r.workAfter(24 * time.Hour)
	r.end("SessionEnd")
	r.workAfter(0)
	r.asked(1, "about the same transcript")

	grown := strings.Replace(transcript("s-1", r.root, "TestOther"), "mend the upload", "and the download", 1)
	r.put(r.path, transcript("s-1", r.root, "TestOfThePrivatePart")+grown)
	r.end("SessionEnd")
	r.workAfter(0)
	r.asked(2, "when the session went on and ended")
	if s := r.spent(); s.In == 0 || s.Out == 0 || s.Answers != 2 || s.Failed != 0 {
		t.Errorf("the account has %+v", s)
	}
}

// Nobody is asked without the user's leave.
func TestNotRead(t *testing.T) {
	for name, c := range map[string]struct {
		config string
		env    string
	}{
		"no budget":         {"", ""},
		"a budget of none":  {"reader_day = 0\n", ""},
		"not of this one":   {allowed + "reader_never = [\"ROOT\"]\n", ""},
		"not of its folder": {allowed + "reader_never = [\"/nowhere\", \"PARENT\"]\n", ""},
		"all is off":        {allowed, "1"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newReader(t, learns, "")
			config := strings.NewReplacer("ROOT", r.root, "PARENT", filepath.Dir(r.root)).Replace(c.config)
			at := filepath.Join(os.Getenv("XDG_CONFIG_HOME"), "episodes", "config.toml")
			before, _ := os.ReadFile(at)
			r.put(at, string(before)+config)
			r.end("SessionEnd")
			Work(context.Background(), WorkerOptions{Home: r.home, Getenv: func(key string) string {
				if key == "EPISODES_OFF" {
					return c.env
				}
				return ""
			}})
			r.asked(0, name)
			if taken := r.private() != ""; taken != (c.env == "") {
				t.Errorf("taken in: %v", taken)
			}
		})
	}
}

// What the user wants of a working tree counts when the tree is gone.
func TestNotReadOfTreeThatIsGone(t *testing.T) {
	for asked, never := range []string{`reader_never = ["TREE"]`, ""} {
		r := newReader(t, learns, "")
		tree, remove := r.linked()
		at := filepath.Join(os.Getenv("XDG_CONFIG_HOME"), "episodes", "config.toml")
		before, err := os.ReadFile(at)
		must(t, err)
		r.put(at, string(before)+allowed+strings.Replace(never, "TREE", tree, 1)+"\n")
		r.put(r.path, transcript("s-1", tree, "TestOfThePrivatePart"))
		r.run("claude", "SessionEnd", fmt.Sprintf(`{"session_id":"s-1","cwd":%q,"transcript_path":%q}`, tree, r.path))
		remove()
		r.workAfter(0)
		r.asked(asked, never)
		if r.private() == "" {
			t.Errorf("%s: not taken in; log %s", never, r.log())
		}
	}
}

// A reader that fails is asked again later, a few times.
func TestReaderFails(t *testing.T) {
	for name, script := range map[string]string{"exit code": "exit 7", "nothing": "true", "too much": "yes drop e001 | head -c 400000"} {
		t.Run(name, func(t *testing.T) {
			r := newReader(t, script, allowed)
			r.end("SessionEnd")
			r.workAfter(0)
			r.asked(1, "at the end")
			r.workAfter(0)
			r.asked(1, "at once")
			for range 8 {
				r.workAfter(12 * time.Hour)
			}
			r.asked(mostTries, "later")
			if s := r.spent(); s.Failed != mostTries || s.Answers != 0 || s.In == 0 {
				t.Errorf("the account has %+v", s)
			}
			if !strings.Contains(r.private(), "TestOfThePrivatePart") || !strings.Contains(r.log(), "try 3 to ask the reader") {
				t.Errorf("episode %s, log %s", r.private(), r.log())
			}
		})
	}
}

// What a day or a session may cost is not exceeded, and what is left over is read the next day.
func TestReadWithinTheBudget(t *testing.T) {
	r := newReader(t, learns, "reader_day = 100\n")
	r.end("SessionEnd")
	r.workAfter(0)
	r.asked(0, "over the budget of a day")
	r = newReader(t, learns, "reader_day = 100000\nreader_session = 100\n")
	r.end("SessionEnd")
	for range 6 {
		r.workAfter(24 * time.Hour)
	}
	r.asked(0, "over the budget of a session")

	r = newReader(t, learns, allowed)
	err := ledger.NoteReader(context.Background(), ledger.Reading{Time: r.clock, Background: true, In: 99_990, Out: 10})
	must(t, err)
	r.end("SessionEnd")
	r.workAfter(0)
	r.asked(0, "on a day on which all is spent")
	r.workAfter(24 * time.Hour)
	r.asked(1, "on the next day")
}

// The order has neither secrets nor what is of other repositories, and the reader calls no hook.
func TestWhatAReaderGets(t *testing.T) {
	r := newReader(t, `echo "off=$EPISODES_OFF" > "$ASKED/env"; pwd > "$ASKED/pwd"; `+agrees, allowed)
	secret := "ghp_" + strings.Repeat("aB3dE5fG7", 4)
	r.put(r.path, strings.Replace(transcript("s-1", r.root, "TestX"), "mend the upload", "mend the upload with "+secret, 1))
	r.end("SessionEnd")
	r.workAfter(0)
	for _, prompt := range r.prompts() {
		if strings.Contains(prompt, secret) || !strings.Contains(prompt, "mend the upload with") {
			t.Errorf("the prompt has the secret, or not the turn: %s", prompt)
		}
	}
	env, _ := os.ReadFile(filepath.Join(r.dir, "env"))
	pwd, _ := os.ReadFile(filepath.Join(r.dir, "pwd"))
	if string(env) != "off=1\n" || strings.HasPrefix(string(pwd), r.root) {
		t.Errorf("asked in %s with %s; log %s", pwd, env, r.log())
	}
}
