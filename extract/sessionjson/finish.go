package sessionjson

import (
	"cmp"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/extract/internal/facts"
	"episodes/internal/lazy"
	"episodes/outcome"
)

// finish adds what fields say by themselves, and corrects what the rules for texts made of
// pieces of one entry.
func (w *writer) finish(d *facts.Draft) {
	s := w.root.get("session")
	for _, v := range []*value{s.get("id", "sessionid"), w.root.get("sessionid")} {
		if uuid().MatchString(v.string()) {
			d.SessionID = v.string()
		}
	}
	d.Instance = w.worked(s)
	for _, f := range d.Facts {
		f.Content = strings.TrimPrefix(f.Content, verified+": ")
	}
	for _, v := range w.settled {
		settle(d, v)
	}
	for _, e := range w.decided {
		w.decide(d, e)
	}
	d.Signs = slices.DeleteFunc(d.Signs, func(s outcome.Sign) bool { return !w.shows(s, d) })
	w.cited(d)
	if end := w.endingCommit(d, first(w.root.get("endingcommit"), s.get("endingcommit")),
		first(s.get("startingcommit"), w.root.get("startingcommit"))); end != nil {
		w.committed(d, end.span)
	}
	w.join(d)
	w.untold(d)
	d.Links = slices.DeleteFunc(d.Links, func(l facts.Link) bool { return !l.Explicit }) // adjacent fields imply nothing
}

// committed adds a sign to a log without one: its last check passed, or what it counts last, and a
// field names the commit with which it ended.
func (w *writer) committed(d *facts.Draft, commit episode.Span) {
	var last *facts.Fact
	for _, f := range d.Facts {
		if f.Kind == facts.Event && f.Event == episode.Test && w.text(f.Content).TestOutcome().Known() &&
			(last == nil || f.Span[0] >= last.Span[0]) {
			last = f
		}
	}
	end := w.lastCount(w.root)
	if last != nil {
		end = w.text(last.Content).TestOutcome()
	}
	if len(d.Signs) == 0 && end == episode.Success {
		d.Signs = append(d.Signs, outcome.Sign{Kind: outcome.StepsCommitted, Lines: commit})
	}
}

// lastCount is what the last sentence within v says that counts the result of a check, the gates of the
// protocol included.
func (w *writer) lastCount(v *value) (end episode.Outcome) {
	if v.str {
		for _, s := range w.text(v.text).Sentences() {
			if s.HasCount() {
				end = cmp.Or(s.TestOutcome(), end)
			}
		}
	}
	for _, f := range v.fields {
		if plainName(f.name) != "nextsteps" {
			end = cmp.Or(w.lastCount(f.value), end)
		}
	}
	for _, o := range v.items {
		end = cmp.Or(w.lastCount(o), end)
	}
	return end
}

// worked is the one thing that the session worked on.
func (w *writer) worked(session *value) string {
	var named facts.Worked
	for _, at := range []*value{session, w.root} {
		for _, v := range at.get("relatedissues", "issue").all() {
			named.Issue(v.scalar())
		}
		for _, v := range at.get("relatedprs", "prurl", "pr", "pullrequest").all() {
			named.Pull(v.scalar())
		}
		named.Branch(at.get("branch").string())
	}
	return named.One()
}

// holds reports whether a span is within the value.
func (v *value) holds(s episode.Span) bool { return v.span[0] <= s[0] && s[1] <= v.span[1] }

// settle gives a decision what its own fields say.
func settle(d *facts.Draft, v *value) {
	i := slices.IndexFunc(d.Facts, func(f *facts.Fact) bool { return f.Kind == facts.Decision && v.holds(f.Span) })
	if i < 0 {
		return
	}
	f := d.Facts[i]
	c := &f.Decision
	f.Span, f.Content = v.span, short(chosen(v).string())
	c.Chosen, c.Rationale, c.Options = f.Content, short(v.get("rationale", "reason", "reasoning", "why",
		"justification").words()), nil
	c.Context = short(v.get("question", "topic", "context", "problem").words())
	if name := asked(v); name != chosen(v) {
		c.Context = short(name.string())
	}
	for _, o := range v.get("alternatives", "alternativesconsidered", "alternative", "options",
		"optionsconsidered", "rejected").all() {
		if o.object {
			o = o.get("option", "name", "alternative", "title", "description")
		}
		if s := short(o.string()); s != "" && !placeholder().MatchString(s) && s != c.Chosen {
			c.Options = append(c.Options, s)
		}
	}
	if len(c.Options) > 0 {
		c.Options = slices.Insert(c.Options, 0, c.Chosen)
	}
}

// decide takes an entry whose title names a question and whose outcome answers it.
func (w *writer) decide(d *facts.Draft, e entry) {
	f := &facts.Fact{Kind: facts.Decision, Span: e.span, Rule: entryDecides}
	answer, why := w.text(e.get("outcome", "result").string()).Raw, ""
	if ss := w.lex.Text(answer).Sentences(); len(ss) > 1 {
		answer, why = ss[0].Raw, strings.TrimLeft(strings.TrimPrefix(answer, ss[0].Raw), " .;!?")
	}
	f.Content = short(strings.TrimRight(answer, "."))
	f.Decision = episode.Decision{Type: episode.Design, Outcome: episode.Unknown, Chosen: f.Content,
		Rationale: short(why), Context: short(e.title.string())}
	d.Facts = append(d.Facts, f)
}

const entryDecides = "entry answers a question of choice"

func short(s string) string { return episode.Shorten(s, episode.MaxContent) }

// shows reports whether a sign is one of the session: a field or a summary states it, or counted checks show
// it. What one entry of the work log calls done is a part of the work.
func (w *writer) shows(s outcome.Sign, d *facts.Draft) bool {
	if s.Kind.From == episode.Stated {
		return !slices.ContainsFunc(w.entries, func(e entry) bool { return e.holds(s.Lines) })
	}
	return slices.ContainsFunc(d.Facts, func(f *facts.Fact) bool {
		return f.Kind == facts.Event && f.Event == episode.Test && f.Span == s.Lines && w.counted(f) &&
			(s.Outcome() != episode.Failure)
	})
}

// counted reports whether a check gives its result.
func (w *writer) counted(f *facts.Fact) bool {
	t := w.text(f.Content)
	return t.HasCount()
}

var (
	hash  = lazy.Pattern(`^[0-9a-f]{7,40}\b`)
	shas  = lazy.Pattern(`\b[0-9a-f]{7,40}\b`)
	made  = lazy.Pattern(`(?i)\b(?:commit\w*|pushed|landed|amended|created)\b[^.;]*$`)
	after = lazy.Pattern(`(?i)^[^.;]{0,12}\b(?:created|pushed|committed|landed)\b`)
	cites = lazy.Pattern(`(?i)\b(?:examined|per|by|binds?|bound|for|of|via|from|onto|reviewed|since|against|in|see|at|on|to|qa)\s+(?:the\s+)?(?:[\w-]+\s+)?commits?\b[^.;]*$`)
)

// cited drops commits that an entry only mentions. A commit that is the only one in its text
// is kept with the whole text as its evidence.
func (w *writer) cited(d *facts.Draft) {
	in := map[*value][]*facts.Fact{}
	d.Facts = slices.DeleteFunc(d.Facts, func(f *facts.Fact) bool {
		sha := shas().FindString(f.Content)
		i := slices.IndexFunc(w.entries, func(e entry) bool { return e.holds(f.Span) })
		if f.Kind != facts.Event || f.Event != episode.Commit || i < 0 || sha == "" {
			return false
		}
		v := w.entries[i].says(sha)
		if v == nil {
			return false
		}
		at := strings.Index(v.text, sha)
		if cites().MatchString(v.text[:at]) || !made().MatchString(v.text[:at]) && !after().MatchString(v.text[at+len(sha):]) {
			return true
		}
		in[v] = append(in[v], f)
		return false
	})
	for v, fs := range in {
		if len(fs) == 1 {
			fs[0].Content = short(v.text)
		}
	}
}

// says is the string within v that has s in it; nil when none has.
func (v *value) says(s string) *value {
	if v.str && strings.Contains(v.text, s) {
		return v
	}
	for _, o := range v.parts() {
		if o := o.says(s); o != nil {
			return o
		}
	}
	return nil
}

// endingCommit is the field of the commit that the session ended with, nil where it names none or
// the one that the session started from. The commit is added unless another fact contains it.
func (w *writer) endingCommit(d *facts.Draft, v, from *value) *value {
	sha := hash().FindString(v.string())
	if sha == "" || strings.HasPrefix(from.string(), sha[:7]) {
		return nil
	}
	for _, f := range d.Facts {
		if f.Kind == facts.Event && f.Event == episode.Commit && strings.Contains(f.Content, sha[:7]) {
			return v
		}
	}
	d.Facts = append(d.Facts,
		&facts.Fact{Kind: facts.Event, Event: episode.Commit, Span: v.span, Content: short(v.string()),
			Rule: endsWith})
	return v
}

const endsWith = "field names the commit that the session ended with"

// join makes one event of the milestones of an entry, and of the title of a check and its
// result. A check without a result is work that was done.
func (w *writer) join(d *facts.Draft) {
	linked := map[*facts.Fact]bool{}
	for _, l := range d.Links {
		if l.Explicit {
			linked[l.From], linked[l.To] = true, true
		}
	}
	type part struct {
		entry int
		event episode.EventType
	}
	seen, joined := map[part]*facts.Fact{}, map[*facts.Fact]bool{}
	d.Facts = slices.DeleteFunc(d.Facts, func(f *facts.Fact) bool {
		if f.Kind != facts.Event || f.Event != episode.Milestone && f.Event != episode.Test {
			return false
		}
		i, found := slices.BinarySearchFunc(w.entries, f.Span, inside)
		if !found {
			return false
		}
		if f.Event == episode.Test && !w.counted(f) {
			f.Event = episode.Milestone
		}
		p := part{i, f.Event}
		first := seen[p]
		if first == nil || linked[f] || f.Event == episode.Test {
			seen[p] = f
			return false
		}
		joint := "; "
		if !joined[first] && isFrom(first, w.text(w.entries[i].title.string()).Raw) {
			joint = ": "
		}
		joined[first] = true
		first.Content = short(strings.TrimRight(first.Content, ".") + joint + f.Content)
		first.Span = episode.Span{min(first.Span[0], f.Span[0]), max(first.Span[1], f.Span[1])}
		return true
	})
}

// untold gives the result of a check the title that nothing else was made of, and takes
// what fields alone say to be done.
func (w *writer) untold(d *facts.Draft) {
	of := make([][]*facts.Fact, len(w.entries))
	for _, f := range d.Facts {
		if i, found := slices.BinarySearchFunc(w.entries, f.Span, inside); found {
			of[i] = append(of[i], f)
		}
	}
	for i, e := range w.entries {
		title := w.text(e.title.string()).Raw
		if title == "" || slices.ContainsFunc(of[i], func(f *facts.Fact) bool { return isFrom(f, title) }) {
			continue
		}
		switch check := slices.IndexFunc(of[i],
			func(f *facts.Fact) bool { return f.Kind == facts.Event && f.Event == episode.Test }); {
		case check >= 0:
			f := of[i][check]
			f.Content = short(strings.TrimRight(title, ".") + ": " + f.Content)
			f.Span[0] = min(f.Span[0], e.title.span[0])
		case e.done && len(of[i]) == 0:
			text := strings.TrimRight(title, ".") + ": " + e.get("outcome", "result", "details", "detail").string()
			d.Facts = append(d.Facts,
				&facts.Fact{Kind: facts.Event, Event: episode.Milestone, Span: e.span,
					Content: short(strings.TrimSuffix(text, ": ")), Rule: fieldDone})
		}
	}
}

// isFrom reports whether a fact was extracted from a text.
func isFrom(f *facts.Fact, text string) bool {
	for _, s := range []string{f.Content, f.Decision.Chosen, f.Decision.Rationale} {
		if len(s) > sourcePrefix {
			s = s[:sourcePrefix]
		}
		if s != "" && strings.Contains(text, s) {
			return true
		}
	}
	return false
}

// sourcePrefix is the number of bytes that isFrom compares.
const sourcePrefix = 24

const fieldDone = "field says that it is done"

// inside compares the place of an entry with that of a fact: 0 when the entry has it.
func inside(e entry, of episode.Span) int {
	switch {
	case e.span[1] < of[1]:
		return -1
	case e.span[0] > of[0]:
		return 1
	}
	return 0
}
