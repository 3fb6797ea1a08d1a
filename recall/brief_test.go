package recall_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"episodes/episode"
	"episodes/recall"
)

// a turn of a session: of a person, or a call that failed, with what ended that.
type turn struct {
	says  string // a person
	stops string // a person, against the agent
	call  string // a command, or a tool and its file behind "> "
	error string // what failed: "program: message"
	ended string // what ended it; "" if nothing did
}

// transcribed is a session of an agent on a day of March.
func transcribed(id string, day int, turns ...turn) *recall.Session {
	e := &episode.Episode{ID: "episode-" + id, Session: id, Timestamp: fmt.Sprintf("2026-03-%02dT10:00:00Z", day)}
	e.Provenance.Source.Path, e.Provenance.Spans = id+".jsonl", map[string]episode.Span{}
	add := func(kind episode.EventType, text string, line int) string {
		id := fmt.Sprintf("e%03d", len(e.Events)+1)
		e.Events = append(e.Events, episode.Event{ID: id, Type: kind, Content: text})
		e.Provenance.Spans[id] = episode.Span{line, line}
		return id
	}
	for i, t := range turns {
		if t.stops != "" {
			add(episode.Correction, t.stops, 2*i+1)
		}
		if t.error == "" {
			continue
		}
		failed := add(episode.Error, t.error, 2*i+1)
		if t.ended != "" {
			cure := add(episode.ToolCall, t.ended, 2*i+2)
			e.Links = append(e.Links, episode.Link{Source: cure, Target: failed, Type: episode.Prevents, Explicit: true})
			e.Provenance.Spans[cure+">"+failed] = episode.Span{2*i + 1, 2*i + 2}
		}
	}
	s := recall.FromEpisode(e)
	for i, t := range turns {
		at := episode.Span{2*i + 1, 2*i + 1}
		if t.says != "" {
			s.AddSaid(at, 0, recall.APerson, t.says, 0)
		}
		if t.call != "" {
			_, message, _ := strings.Cut(t.error, ": ")
			s.AddSaid(at, 0, recall.ATool, t.call+"\n"+message, 0)
		}
	}
	return s
}

// brief is what is told at a prompt, each line as it is told.
func brief(t interface{ Fatal(...any) }, x *recall.Index, prompt string, want recall.Brief) (out []string) {
	if want.Lines == 0 {
		want.Lines = 20
	}
	if want.Bytes == 0 {
		want.Bytes = 3600
	}
	lines, err := x.Brief(recall.Analyse(recall.ATask, prompt), want)
	if err != nil {
		t.Fatal(err)
	}
	for i := range lines {
		out = append(out, lines[i].Line())
	}
	return out
}

const (
	quorum = "relay: QuorumError: shard seven lost its leader"
	flag   = "walnutctl: unknown flag --force for compact"
)

// What failed is told with its command, in how many sessions it did, the message, and what worked.
func TestFailuresInABrief(t *testing.T) {
	for name, c := range map[string]struct {
		sessions []*recall.Session
		want     string // "": nothing
	}{
		"once, and what ended it": {[]*recall.Session{transcribed("a", 1, turn{call: "$ walnutctl compact --force", error: flag, ended: "without `--force`"})},
			"\"walnutctl compact --force\" failed: \"unknown flag --force for compact\"; worked: \"without `--force`\""},
		"in three, the last command": {[]*recall.Session{transcribed("a", 1, turn{call: "$ relay serve", error: quorum}), transcribed("b", 2, turn{call: "$ relay serve", error: quorum}), transcribed("c", 3, turn{call: "$ cd /x && relay serve --all", error: quorum})},
			`"relay serve --all" failed in 3 sessions: "QuorumError: shard seven lost its leader"`},
		"in two, and nothing ended it": {[]*recall.Session{transcribed("a", 1, turn{call: "$ relay serve", error: quorum}), transcribed("b", 2, turn{call: "$ relay serve", error: quorum})}, ""},
		"in two, ended by the same edit": {[]*recall.Session{transcribed("a", 1, turn{call: "$ relay serve", error: quorum, ended: "edit of relay.go: adds `wait()`"}), transcribed("b", 2, turn{call: "$ relay serve", error: quorum, ended: "edit of relay.go: adds `wait()`"})},
			"\"relay serve\" failed in 2 sessions: \"QuorumError: shard seven lost its leader\"; worked: \"edit of relay.go: adds `wait()`\""},
		"ended in another folder, which the message is not about": {[]*recall.Session{transcribed("a", 1, turn{call: "$ relay serve", error: quorum, ended: "in `/r/shards`"}), transcribed("b", 2, turn{call: "$ relay serve", error: quorum, ended: "in `/r/shards`"})}, ""},
		"a rule in two, and nothing ended it": {[]*recall.Session{transcribed("a", 1, turn{call: "$ weigh .", error: "weigh: barrel.go:4: the barrel is unused here (no-unused-barrels)"}), transcribed("b", 2, turn{call: "$ weigh .", error: "weigh: barrel.go:9: the barrel is unused here (no-unused-barrels)"})},
			`"weigh ." failed in 2 sessions: "barrel.go:9: the barrel is unused here (no-unused-barrels)"`},
		"what the command does not name is not here": {[]*recall.Session{transcribed("a", 1, turn{call: "$ make lint", error: "make: sh: keep_state: command not found"}), transcribed("b", 2, turn{call: "$ make lint", error: "make: sh: keep_state: command not found"}), transcribed("c", 3, turn{call: "$ make lint", error: "make: sh: keep_state: command not found"})}, ""},
		"what worked most often": {[]*recall.Session{transcribed("a", 1, turn{call: "$ relay serve", error: quorum, ended: "with `--wait`"}), transcribed("b", 2, turn{call: "$ relay serve", error: quorum, ended: "with `--wait`"}),
			transcribed("c", 3, turn{call: "$ relay serve", error: quorum, ended: "after `relay reset`"})},
			"\"relay serve\" failed in 3 sessions: \"QuorumError: shard seven lost its leader\"; worked: \"with `--wait`\""},
		"what a person says then": {[]*recall.Session{transcribed("a", 1, turn{call: "$ relay serve", error: quorum}, turn{stops: "no quorum"}), transcribed("b", 2, turn{call: "$ relay serve", error: quorum}, turn{stops: "no quorum"}), transcribed("c", 3, turn{call: "$ relay serve", error: quorum})},
			`"relay serve" failed in 3 sessions: "QuorumError: shard seven lost its leader"; after it a person said "no quorum" in 2 sessions`},
		"only what the tool says would help":                        {[]*recall.Session{transcribed("a", 1, turn{call: "$ relay serve", error: "relay: run `relay reset` to fix this"}), transcribed("b", 2, turn{call: "$ relay serve", error: "relay: run `relay reset` to fix this"}), transcribed("c", 3, turn{call: "$ relay serve", error: "relay: run `relay reset` to fix this"})}, ""},
		"in two, twice in one":                                      {[]*recall.Session{transcribed("a", 1, turn{call: "$ relay serve", error: quorum}, turn{call: "$ relay serve", error: quorum})}, ""},
		"once, and nothing ended it":                                {[]*recall.Session{transcribed("a", 1, turn{call: "$ relay serve", error: quorum})}, ""},
		"once, ended by some edit":                                  {[]*recall.Session{transcribed("a", 1, turn{call: "$ relay serve", error: quorum, ended: "edit of relay.go: adds `wait()`"})}, ""},
		"a rule in two sessions, an edit of the file that it names": {[]*recall.Session{transcribed("z", 1, turn{call: "$ weigh .", error: "weigh: barrel.go:4: the barrel is unused here (no-unused-barrels)"}), transcribed("a", 2, turn{call: "$ weigh .", error: "weigh: barrel.go:9: the barrel is unused here (no-unused-barrels)", ended: "edit of barrel.go: adds `_ = barrel`"})}, "\"weigh .\" failed in 2 sessions: \"barrel.go:9: the barrel is unused here (no-unused-barrels)\"; worked: \"edit of barrel.go: adds `_ = barrel`\""},
		"only known in part":                                        {[]*recall.Session{transcribed("a", 1, turn{call: "$ relay serve", error: quorum, ended: "edit of relay.go, edit of shard.go, and more"})}, ""},
		"something that is not here":                                {[]*recall.Session{transcribed("a", 1, turn{call: "$ parcelctl ls", error: "parcelctl: command not found"})}, `"parcelctl ls" failed: "command not found"`},
		"a look at what is not there":                               {[]*recall.Session{transcribed("a", 1, turn{call: "$ cat notes", error: "cat: notes: No such file"}), transcribed("b", 2, turn{call: "$ cat notes", error: "cat: notes: No such file"})}, ""},
		"an agent's own edit":                                       {[]*recall.Session{transcribed("a", 1, turn{call: "> Edit /r/barrel.go", error: "edit: the string to replace was not found"}), transcribed("b", 2, turn{call: "> Edit /r/barrel.go", error: "edit: the string to replace was not found"})}, ""},
		"an agent's own write":                                      {[]*recall.Session{transcribed("a", 1, turn{call: "> Write /r/barrel.go", error: "write: the file has not been read yet"}), transcribed("b", 2, turn{call: "> Write /r/barrel.go", error: "write: the file has not been read yet"})}, ""},
		"a file that cannot be read whole":                          {[]*recall.Session{transcribed("a", 1, turn{call: "> Read /r/ledger.json", error: "read: the file has 31000 tokens, more than 25000"}), transcribed("b", 2, turn{call: "> Read /r/ledger.json", error: "read: the file has 32000 tokens, more than 25000"})}, `"Read /r/ledger.json" failed in 2 sessions: "the file has 32000 tokens, more than 25000"`},
		"two files that cannot be read whole":                       {[]*recall.Session{transcribed("a", 1, turn{call: "> Read /r/ledger.json", error: "read: the file has 31000 tokens, more than 25000"}), transcribed("b", 2, turn{call: "> Read /r/parcel.json", error: "read: the file has 32000 tokens, more than 25000"})}, ""},
		"another message, with the same command":                    {[]*recall.Session{transcribed("a", 1, turn{call: "$ relay serve", error: quorum}), transcribed("b", 2, turn{call: "$ relay serve", error: "relay: the ledger is out of ink"})}, ""},
	} {
		got := brief(t, open(t, c.sessions), "", recall.Brief{})
		if want := []string{c.want}; c.want == "" && len(got) > 0 || c.want != "" && !slices.Equal(got, want) {
			t.Errorf("%s: told %q, want %q", name, got, c.want)
		}
	}
}

// A line with a risky command needs somebody who vouches for it: the user, or two sessions in which it worked, not only met.
func TestVouchedInABrief(t *testing.T) {
	failing := func(id string, day int, ended string) *recall.Session {
		return transcribed(id, day, turn{call: "$ relay serve", error: quorum, ended: ended})
	}
	for name, c := range map[string]struct {
		sessions []*recall.Session
		by       recall.By
		want     bool
	}{
		"it worked twice":               {[]*recall.Session{failing("a", 1, "with `--wait`"), failing("b", 2, "with `--wait`")}, recall.By{Author: recall.You}, true},
		"it worked twice for another":   {[]*recall.Session{failing("a", 1, "with `--wait`"), failing("b", 2, "with `--wait`")}, recall.By{Author: "mallory"}, false},
		"met twice, and it worked once": {[]*recall.Session{failing("a", 1, ""), failing("b", 2, "with `--wait`")}, recall.By{Author: recall.You}, false},
		"the user demanded it":          {[]*recall.Session{transcribed("a", 1, turn{says: "Always serve with the relay first."})}, recall.By{Author: recall.You}, true},
		"another demanded it":           {[]*recall.Session{transcribed("a", 1, turn{says: "Always serve with the relay first."})}, recall.By{Author: "mallory"}, false},
	} {
		x := open(t, c.sessions)
		x.By = func(string) recall.By { return c.by }
		lines, err := x.Brief(recall.Analyse(recall.ATask, ""), recall.Brief{Lines: 9, Bytes: 3600})
		if err != nil || len(lines) != 1 || lines[0].Vouched != c.want {
			t.Errorf("%s: %+v, %v", name, lines, err)
		}
	}
}

// A demand of a person stands by itself, word by word.
func TestDemandsInABrief(t *testing.T) {
	const demand = "Never move a tag of the mirror by hand."
	for name, c := range map[string]struct {
		says string
		want []string
	}{
		"alone":                          {demand, []string{demand}},
		"of several sentences":           {"Please mend the relay. " + demand + " Thank you!", []string{demand}},
		"two of them":                    {demand + " Always ask before the winter sale begins.", []string{demand, "Always ask before the winter sale begins."}},
		"in an item":                     {"- Never move a tag of the mirror by hand", []string{"Never move a tag of the mirror by hand"}},
		"in another language":            {"ミラーのタグは必ず手で動かさないこと。", []string{"ミラーのタグは必ず手で動かさないこと。"}},
		"no demand":                      {"The mirror refused the tag of yesterday.", nil},
		"a question":                     {"Should we never move a tag of the mirror?", nil},
		"a heading":                      {"# Never move a tag of the mirror", nil},
		"what leads to a list":           {"Never do these things with a mirror:", nil},
		"of what was said before":        {"It must never move a tag of the mirror.", nil},
		"the middle of a sentence":       {"and never move a tag of the mirror.", nil},
		"a quotation":                    {"> Never move a tag of the mirror.", nil},
		"one of two words":               {"Never again.", nil},
		"one that is too long":           {"Never " + strings.Repeat("move a tag of the mirror or ", 12) + "sleep.", nil},
		"in a long turn that was pasted": {strings.Repeat("The lantern of the harbor is lit by hand in winter.\n\n", 40) + demand, nil},
	} {
		s := &recall.Session{Episode: "episode-a", Log: "a.jsonl", Date: "2026-03-01"}
		s.AddSaid(episode.Span{1, 1}, 0, recall.APerson, c.says, 0)
		var want []string
		for _, w := range c.want {
			want = append(want, `"`+w+`"`)
		}
		got := brief(t, open(t, []*recall.Session{s}), "", recall.Brief{})
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: told %q, want %q", name, got, want)
		}
	}
}

// What a person takes back comes with the reason, from the second turn on.
func TestTakenBackInABrief(t *testing.T) {
	const taken = "take that out again, we had it last winter and the scales at the harbor sank under two readers"
	order := turn{says: "weigh the parcels quicker"}
	for name, c := range map[string]struct {
		turns []turn
		want  string // "": nothing
	}{
		"against the agent":          {[]turn{order, {says: taken}}, taken},
		"behind a no":                {[]turn{order, {says: "no, " + taken}}, "no, " + taken},
		"the first turn":             {[]turn{{says: taken}}, ""},
		"without a reason":           {[]turn{order, {says: "take that out again"}}, ""},
		"for this once":              {[]turn{order, {says: "for now " + taken}}, ""},
		"a question":                 {[]turn{order, {says: taken + "?"}}, ""},
		"what does not work":         {[]turn{order, {says: "take that out again, the scales fail when two readers weigh the parcels"}}, ""},
		"nothing that is taken back": {[]turn{order, {says: "the scales at the harbor are old, and two readers weigh the parcels by turns"}}, ""},
		"a long one":                 {[]turn{order, {says: strings.Repeat("the harbor is foggy today and the parcels wait. ", 8) + taken}}, ""},
	} {
		got := brief(t, open(t, []*recall.Session{transcribed("a", 1, c.turns...)}), "read the scales", recall.Brief{})
		if c.want == "" && len(got) > 0 || c.want != "" && (len(got) != 1 || got[0] != `"`+c.want+`"`) {
			t.Errorf("%s: told %q, want %q", name, got, c.want)
		}
	}
}

// What an agent said is no demand, and of a session with turns no conclusion is told; of a written log each is.
func TestWhoSpeaksInABrief(t *testing.T) {
	said := &recall.Session{Episode: "episode-a", Log: "a.jsonl", Date: "2026-03-01"}
	said.AddSaid(episode.Span{1, 1}, 0, recall.AnAgent, "Never move a tag of the mirror by hand.", 0)
	if got := brief(t, open(t, []*recall.Session{said}), "", recall.Brief{}); len(got) > 0 {
		t.Errorf("of an agent's words: %q", got)
	}
	const lesson = "The mirror refuses a tag that was moved by hand."
	log := session("log", "2026-03-02", "", func(e *episode.Episode) { e.Lessons = []string{lesson} })
	for prompt, want := range map[string][]string{"why does the mirror refuse my tag?": {`"` + lesson + `"`}, "cut the wicks": nil} { // only what is near
		if got := brief(t, open(t, []*recall.Session{log}), prompt, recall.Brief{}); !slices.Equal(got, want) {
			t.Errorf("of a log, at %q: %q", prompt, got)
		}
	}
	log.AddSaid(episode.Span{1, 1}, 0, recall.APerson, "Mend the mirror.", 0)
	if got := brief(t, open(t, []*recall.Session{log}), "why does the mirror refuse my tag?", recall.Brief{}); len(got) > 0 {
		t.Errorf("of a transcript: %q", got)
	}
	left := session("left", "2026-01-02", "", func(e *episode.Episode) {
		e.Lessons = []string{"Wicks are cut in autumn"}
		e.Provenance.By = map[string]string{"l001": "agent claude"}
	})
	got := brief(t, open(t, []*recall.Session{left, transcribed("a", 9, turn{call: "$ relay serve", error: quorum, ended: "with `--wait`"})}), "relay serve", recall.Brief{})
	if len(got) != 2 || got[0] != `"Wicks are cut in autumn"` {
		t.Errorf("what was recorded is not first: %q", got)
	}
}

// The order: what came back comes before what is recent, and of what is equal what is near to the prompt before the others.
func TestOrderOfABrief(t *testing.T) {
	failing := func(id string, day int, message string) *recall.Session {
		program := "relay-" + strings.ToLower(message[:5])
		return transcribed(id, day, turn{call: "$ " + program, error: program + ": " + message, ended: "with `--" + id + "`"})
	}
	const (
		back   = "BrassError: kettle hollow below the saddle"
		recent = "VelvetError: carpet folded twice under marble"
		near   = "LanternError: wick drowned in walnut oil"
	)
	x := open(t, []*recall.Session{failing("a", 1, back), failing("b", 2, back), failing("c", 3, back), failing("d", 4, near), failing("e", 5, "CopperError: tunnel flooded by falcon meadow"), failing("f", 6, recent)})
	order := func(prompt string) (out []string) {
		for _, line := range brief(t, x, prompt, recall.Brief{}) {
			for _, m := range []string{back, recent, near} {
				if strings.Contains(line, m) {
					out = append(out, m)
				}
			}
		}
		return out
	}
	for prompt, want := range map[string][]string{
		"":                                    {back, recent, near},
		"mend the wick of the walnut":         {near, back, recent},
		"something that nobody ever heard of": {back, recent, near},
	} {
		if got := order(prompt); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", prompt, got, want)
		}
	}
	if lines, err := x.Brief(recall.Analyse(recall.ATask, ""), recall.Brief{Lines: 1, Bytes: 3600}); err != nil || len(lines) != 1 || lines[0].CameBack != 2 || lines[0].Vouched || !strings.Contains(lines[0].Why(), "met in 2 other sessions") {
		t.Errorf("%+v, %v", lines, err)
	}
	if got := brief(t, x, "", recall.Brief{Own: "episode-f"}); strings.Contains(strings.Join(got, "\n"), recent) {
		t.Errorf("a session is told of itself: %q", got)
	}
	if got := brief(t, x, "", recall.Brief{Leave: func(l *recall.BriefLine) bool { return strings.Contains(l.Text, "Brass") }}); len(got) != 3 || strings.Contains(strings.Join(got, "\n"), back) {
		t.Errorf("what is left out is told: %q", got)
	}
}

// Near-duplicates are told once; of many lines people have a third.
func TestSharesOfABrief(t *testing.T) {
	var all []*recall.Session
	for i := range 30 {
		w := vocabulary[i%len(vocabulary)] + vocabulary[(i+7)%len(vocabulary)]
		all = append(all, transcribed(fmt.Sprint("f", i), i+1, turn{call: "$ relay-" + w, error: fmt.Sprintf("relay-"+w+": %sError: no %s in the %s%s", w, w, w, w), ended: "with `--" + w + "`"}))
	}
	for i, words := range []string{"Never move a tag of the mirror by hand.", "Always ask the keeper before winter begins.", "Never ever move any tag of the mirror by hand."} {
		all = append(all, transcribed(fmt.Sprint("p", i), i+1, turn{says: words}))
	}
	demands := func(lines []string) (n int) {
		for _, l := range lines {
			if !strings.Contains(l, " failed: ") {
				n++
			}
		}
		return n
	}
	got := brief(t, open(t, all), "", recall.Brief{Lines: 9})
	if len(got) != 9-1 || demands(got) != 2 { // three demands keep three places, of which two say the same
		t.Errorf("%d lines, %d of people: %q", len(got), demands(got), got)
	}
	if got := brief(t, open(t, all[:30]), "", recall.Brief{Lines: 9}); len(got) != 9 {
		t.Errorf("without people's words: %q", got)
	}
}

// Laws: the same index gives the same brief, it is within its bounds, each line's words stand in the index, and more lines
// may be asked for without another order.
func TestLawsOfABrief(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SampledFrom(vocabulary)
		some := func(least, most int) string {
			return strings.Join(rapid.SliceOfN(words, least, most).Draw(t, "words"), " ")
		}
		var all []*recall.Session
		known := map[string]bool{}
		note := func(texts ...string) {
			for _, text := range texts {
				for w := range recall.Terms(text) {
					known[w] = true
				}
			}
		}
		for i := range rapid.IntRange(0, 12).Draw(t, "sessions") {
			var turns []turn
			for range rapid.IntRange(0, 4).Draw(t, "turns") {
				one := turn{}
				if rapid.Bool().Draw(t, "person") {
					one.says = rapid.SampledFrom([]string{"Never ", "Always ", "We saw "}).Draw(t, "start") + some(1, 60) + "."
				} else {
					program := rapid.SampledFrom([]string{"relay", "walnutctl", "edit", "read"}).Draw(t, "program")
					one.call, one.error = "$ "+program+" "+some(0, 60), program+": "+some(1, 60)
					if rapid.Bool().Draw(t, "ended") {
						one.ended = "with `" + some(1, 40) + "`"
					}
				}
				turns = append(turns, one)
				note(one.says, one.call, one.error, one.ended)
			}
			all = append(all, transcribed(fmt.Sprint(i), i+1, turns...))
		}
		x, q := open(t, all), recall.Analyse(recall.ATask, some(0, 5))
		want := recall.Brief{Lines: rapid.IntRange(1, 30).Draw(t, "lines"), Bytes: rapid.IntRange(0, 4000).Draw(t, "bytes")}
		lines, err := x.Brief(q, want)
		again, err2 := open(t, all).Brief(q, want)
		if err != nil || err2 != nil || len(lines) != len(again) || len(lines) > want.Lines {
			t.Fatalf("%d lines, %d again, of at most %d: %v, %v", len(lines), len(again), want.Lines, err, err2)
		}
		size := 0
		for i := range lines {
			line, most := lines[i].Line(), 260
			if lines[i].Of == recall.AFailure {
				most = 320
			}
			if line != again[i].Line() {
				t.Fatalf("told %q, and then %q", line, again[i].Line())
			}
			if size += len(line); len(line) > most || strings.Contains(line, "\n") {
				t.Fatalf("%d bytes: %q", len(line), line)
			}
			for _, q := range strings.Split(line, `"`)[1:] {
				for w := range recall.Terms(strings.TrimSuffix(q, "…")) {
					if !known[w] && !strings.HasSuffix(q, "…") && !strings.Contains(" failed in sessions; worked: ", w) {
						t.Fatalf("%q of %q is in no session", w, line)
					}
				}
			}
		}
		if size > want.Bytes {
			t.Fatalf("%d bytes of %d", size, want.Bytes)
		}
	})
}
