package sessionjson

import (
	"cmp"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/extract/internal/doc"
	"episodes/extract/internal/lex"
	"episodes/internal/lazy"
)

// writer makes a document of a log.
type writer struct {
	*doc.Builder
	lex     *lex.Lexicon
	root    *value
	entries []entry  // of the work log
	settled []*value // decisions with fields of their own
	decided []entry  // of the work log, which are decisions
}

// entry is one of the work log.
type entry struct {
	*value
	title *value // the field that names what was done; nil when none does
	done  bool   // a field says that it was done, regardless of the title
}

func (w *writer) write() {
	w.head()
	w.work()
	w.decisions()
	w.checks()
	w.commits()
	w.lessons()
	w.results()
	slices.SortStableFunc(w.entries, func(a, b entry) int { return cmp.Compare(a.span[0], b.span[0]) })
}

// text reads a string; what it quotes between backticks is code.
func (w *writer) text(s string) lex.Text {
	s = lex.Collapse(s)
	var out strings.Builder
	var code [][2]int
	for {
		before, rest, found := strings.Cut(s, "`")
		quoted, after, closed := strings.Cut(rest, "`")
		if !found || !closed {
			out.WriteString(s)
			return w.lex.TextWithCode(out.String(), code)
		}
		out.WriteString(before)
		from := out.Len()
		out.WriteString(quoted)
		code = append(code, [2]int{from, out.Len()})
		s = after
	}
}

// placeholder is what a template or a migration left behind.
var placeholder = lazy.Pattern(`(?i)^(?:\[[^\]]*\]|<[^>]*>|tbd|todo|n/?a|none|pending|to be filled.*|-+)\.?$`)

func (w *writer) heading(name string, v *value) {
	w.OpenSection(w.lex.Text(name), 2, v.span[0])
}

// put adds a block with a label, "" for none, below parent, if there is one.
func (w *writer) put(kind doc.Kind, label, text string, span episode.Span, parent *doc.Block) *doc.Block {
	if text = strings.TrimSpace(text); text == "" || placeholder().MatchString(text) {
		return nil
	}
	b := &doc.Block{Kind: kind, Span: span, Text: w.text(text), Ordered: kind == doc.Item}
	if label != "" {
		b.Label = label
		b.LabelText = w.lex.Text(label)
		b.LabelRoles = w.lex.Label(b.LabelText)
	}
	w.Add(b, parent)
	return b
}

func (w *writer) labelled(label string, v *value) {
	if s := v.string(); s != "" {
		w.put(doc.Paragraph, label, s, v.span, nil)
	}
}

// head are the fields that other logs have under their title.
func (w *writer) head() {
	s := w.root.get("session")
	w.labelled("Objective", first(s.get("objective"), w.root.get("objective"), s.get("title"), w.root.get("title")))
	w.labelled("Date",
		first(s.get("date"), w.root.get("date"), s.get("starttime", "timestamp"), w.root.get("starttime", "timestamp")))
	w.labelled("Starting commit", first(s.get("startingcommit"), w.root.get("startingcommit")))
	for _, v := range []*value{w.root.get("outcome"), s.get("outcome"), w.root.get("outcomes").get("episode").get("outcome")} {
		if v != nil && v.object {
			w.labelled("Outcome", v.get("status", "result", "outcome"))
		} else {
			w.labelled("Outcome", v)
		}
	}
	for _, v := range []*value{w.root.get("status"), s.get("status"), w.root.get("outcomes").get("status"),
		w.root.get("work").get("status")} {
		w.labelled("Status", v)
	}
}

func first(vs ...*value) *value {
	for _, v := range vs {
		if s := v.string(); s != "" && !placeholder().MatchString(s) {
			return v
		}
	}
	return nil
}

// Fields of an entry of the work log. The first of titles that an entry has names the
// work; the others give its result.
var (
	titles = []string{"action", "task", "entry", "activity", "event", "summary", "step", "item", "title", "name", "phase"}
	bodies = []string{"result", "outcome", "detail", "details", "description", "finding", "findings", "notes",
		"note", "content", "disposition", "verification", "evidence"}
	parts   = []string{"actions", "activities", "steps", "tasks"}
	special = map[string]string{"error": "Error", "rootcause": "Root cause", "fix": "Fix", "resolution": "Fix",
		"decision": "Decision", "decisions": "Decision", "learning": "Lesson", "learnings": "Lesson",
		"commit": "Commit", "sha": "Commit"}
)

// work writes the work log and the fields that some logs have in its place.
func (w *writer) work() {
	var logs []*value
	for _, name := range []string{"worklog", "work", "workcompleted", "actionstaken", "actions", "tasks",
		"agentactivities", "timeline"} {
		log := w.root.get(name)
		if log == nil || log.object && log.get(parts...) != nil {
			log = log.get(parts...)
		}
		logs = append(logs, log)
	}
	w.list("Work log", w.entry, logs...)
}

// list writes each element of the fields under one heading; an empty list has none.
func (w *writer) list(heading string, write func(*value), fields ...*value) {
	opened := false
	for _, field := range fields {
		for _, v := range field.all() {
			if !opened {
				w.heading(heading, field)
				opened = true
			}
			write(v)
		}
	}
}

// said writes the words of a value as an item.
func (w *writer) said(v *value) { w.put(doc.Item, "", v.words(), v.span, nil) }

func (w *writer) entry(e *value) {
	if !e.object {
		w.entries = append(w.entries, entry{value: e, title: e})
		w.put(doc.Item, "", e.string(), e.span, nil)
		return
	}
	var title *value
	name := ""
	for _, name = range titles {
		if title = e.get(name); title.string() != "" {
			break
		}
	}
	if title.string() == "" {
		name = ""
	}
	if upkeep().MatchString(title.string()) {
		return
	}
	if toDecide().MatchString(title.string()) && e.get("outcome", "result") != nil {
		w.decided = append(w.decided, entry{value: e, title: title})
		return
	}
	w.entries = append(w.entries, entry{e, title, w.done(name, e)})
	if list := e.get(parts...); list != nil && list.list {
		for _, p := range list.items {
			w.said(p)
		}
	} else {
		w.put(doc.Item, "", title.string(), title.at(e), nil)
	}
	for _, f := range e.fields {
		switch n := plainName(f.name); {
		case n == name:
		case special[n] != "":
			for _, v := range f.all() {
				w.put(doc.Item, special[n], v.words(), v.span, nil)
			}
		case slices.Contains(bodies, n):
			for _, v := range f.all() {
				w.body(v)
			}
		}
	}
}

// done reports whether an entry says that what its title names is done: by its status, or
// as a task that has an outcome.
func (w *writer) done(titledBy string, e *value) bool {
	if s := e.get("status").string(); s != "" {
		return w.text(s).StatusOf() == episode.Success
	}
	end := w.text(e.get("outcome", "result").string())
	return titledBy == "task" && !end.Empty() && !end.StrongFail() && !end.Is(lex.ClassUnderway) &&
		!end.Is(lex.ClassNeeded) && !end.At(0, lex.ClassNot) && !end.At(0, lex.ClassRefuseAct) &&
		!end.At(0, lex.ClassChoose)
}

// toDecide opens a title that names a question: its result is a choice.
var toDecide = lazy.Pattern(`(?i)^(?:decide|choose|select|pick|settle)\b`)

// upkeep opens entries about the log itself and the steps of its protocol.
var upkeep = lazy.Pattern(`(?i)^(?:\W*(?:complet|start|initiali[sz]|creat|updat|read|load|review|record|finali[sz]|validat|clos|open|run|ran|fix)\w*\W+(?:the\s+)?)?(?:session[ -](?:init|start|log|end|clos|protocol|json|setup|gate)|serena|handoff|protocol compliance|(?:project )?(?:context|memor(?:y|ies)) (?:load|read|retriev))`)

// at returns the span of v, or that of its parent if v is nil.
func (v *value) at(in *value) episode.Span {
	if v == nil {
		return in.span
	}
	return v.span
}

// body writes the result of an entry. Counts of checks are written as words.
func (w *writer) body(v *value) {
	s, label := v.words(), ""
	if t := w.text(s); t.HasCount() && (t.Is(lex.ClassPass) || t.Is(lex.ClassTest) || t.StrongFail()) {
		label = verified
	}
	w.put(doc.Item, label, s, v.span, nil)
}

// verified is the label of a text that counts the results of checks.
const verified = "Verification"

// decisions writes the fields for decisions.
func (w *writer) decisions() {
	outcomes := w.root.get("outcomes")
	w.list("Decisions", w.decision, w.root.get("decisions"), w.root.get("technicaldecisions"), w.root.get("decision"),
		w.root.get("work").get("decisions"), outcomes.get("decisions"), outcomes.get("episode").get("decisions"))
}

func (w *writer) decision(d *value) {
	if !d.object {
		w.put(doc.Item, "", d.string(), d.span, nil)
		return
	}
	b := w.put(doc.Item, "", chosen(d).string(), d.span, nil)
	if b == nil {
		return
	}
	w.settled = append(w.settled, d)
	for _, v := range []*value{d.get("outcome", "result"), d.get("status")} {
		if v.string() != "" {
			w.put(doc.Paragraph, "Outcome", v.string(), v.span, b)
		}
	}
}

// chosen is the field of a decision that says what was chosen.
func chosen(d *value) *value {
	if v := d.get("chosen", "chosenapproach", "choice", "selected"); v.string() != "" {
		return v
	}
	return asked(d)
}

// asked is the field of a decision that gives it its name.
func asked(d *value) *value {
	return d.get("decision", "description", "summary", "title", "action", "question", "topic")
}

var (
	testsOf = map[string]string{"testspassed": "passed", "testspass": "passed", "passed": "passed",
		"testsfailed": "failed", "testsfail": "failed", "failed": "failed", "failures": "failed"}
	number = lazy.Pattern(`^\d+$`)
)

// checks writes the fields for results of checks.
func (w *writer) checks() {
	opened := false
	check := func(in *value, text string, span episode.Span) {
		if !opened {
			w.heading("Test results", in)
			opened = true
		}
		w.put(doc.Item, "", text, span, nil)
	}
	for _, v := range []*value{w.root.get("outcome"), w.root.get("outcomes"), w.root.get("verification"),
		w.root.get("testresults"), w.root.get("testing"), w.root.get("validation"),
		w.root.get("outcomes").get("validationresults"), w.root.get("metrics")} {
		if v == nil || !v.object {
			continue
		}
		var counts []string
		var span episode.Span
		for _, f := range v.fields {
			what := testsOf[plainName(f.name)]
			if what == "" || !number().MatchString(f.text) {
				continue
			}
			if counts == nil {
				span = f.span
			}
			span[1] = f.span[1]
			counts = append(counts, f.text+" "+what)
		}
		if counts != nil {
			check(v, "Tests: "+strings.Join(counts, ", "), span)
		}
	}
	for _, v := range []*value{w.root.get("testresults"), w.root.get("testing"), w.root.get("validation"),
		w.root.get("outcomes").get("testresults")} {
		for _, f := range v.named() {
			if f.str {
				check(v, strings.TrimPrefix(f.name+": ", ": ")+f.text, f.span)
			}
		}
	}
}

// named are the fields of an object, or the elements of a list without names.
func (v *value) named() []field {
	if v != nil && v.object {
		return v.fields
	}
	var out []field
	for _, o := range v.all() {
		out = append(out, field{"", o})
	}
	return out
}

// commits writes the commits that a log lists.
func (w *writer) commits() {
	w.list("Commits", func(c *value) {
		text := c.string()
		if c.object {
			text = strings.TrimSpace(c.get("sha", "hash", "commit", "id").string() + " " + c.get("message",
				"subject", "title", "description").string())
		}
		w.put(doc.Item, "", text, c.span, nil)
	}, w.root.get("commits"), w.root.get("outcomes").get("commits"), w.root.get("outcome").get("commits"))
}

// lessons writes what was learned.
func (w *writer) lessons() {
	opened := false
	put := func(in, v *value, texts ...string) {
		texts = slices.DeleteFunc(texts, func(s string) bool { return s == "" })
		if len(texts) == 0 {
			return
		}
		if !opened {
			w.heading("Lessons learned", in)
			opened = true
		}
		w.put(doc.Item, "", strings.Join(texts, ": "), v.span, nil)
	}
	retro := w.root.get("retrospective")
	for _, field := range []*value{w.root.get("learnings", "lessonslearned", "lessons"),
		w.root.get("outcomes").get("learnings", "lessons"), retro.get("learnings"), retro.get("learningscaptured"),
		retro.get("keylearnings"), retro.get("lessonslearned"), retro.get("lessons")} {
		lists := []*value{field}
		if field != nil && field.object {
			lists = field.parts()
		}
		for _, list := range lists {
			for _, l := range list.all() {
				if !l.object {
					put(field, l, l.string())
					continue
				}
				what := l.get("pattern", "antipattern", "insight", "learning", "lesson", "topic", "title", "content", "description")
				how := l.get("application", "correction", "solution", "description", "context")
				rest := slices.DeleteFunc([]string{l.get("consequence").words(), how.words()}, func(s string) bool { return s == "" })
				put(field, l, what.words(), strings.Join(rest, "; "))
			}
		}
	}
}

// results writes what a log says at its end of what there is now.
func (w *writer) results() {
	o := w.root.get("outcomes")
	w.list("Deliverables", func(d *value) {
		text := d.string()
		if d.object {
			text = strings.Trim(d.get("path", "name", "file").string()+": "+d.get("description", "summary").string(), ": ")
		}
		w.put(doc.Item, "", text, d.span, nil)
	}, o.get("deliverables"))
	if o != nil && o.list {
		w.list("Outcome", func(r *value) { w.put(doc.Item, "", r.string(), r.span, nil) }, o)
	}
	if s := first(w.root.get("outcome").get("summary"), o.get("summary"), w.root.get("summary"),
		w.root.get("worksummary")); s != nil {
		w.heading("Summary", s)
		w.put(doc.Paragraph, "", s.string(), s.span, nil)
	}
	w.list("Findings", w.said, w.root.get("keyfindings", "findings"))
	w.list("Problems", w.said, w.root.get("blockers", "issues", "problems"))
}

// open are the fields of what is left to do.
func (w *writer) open() {
	w.list("Next steps", w.said, w.root.get("nextsteps"), w.root.get("outcomes").get("nextsteps"))
	w.list("Blocked", w.said, w.root.get("blockers"))
}
