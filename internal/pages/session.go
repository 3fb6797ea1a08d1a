package pages

import (
	"cmp"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/internal/ask"
	"episodes/internal/plain"
	"episodes/query"
)

func (p Page) session(v *ask.SessionAnswer) markup {
	item := func(r ask.SessionRecord, what markup) markup {
		return h(`
<li id="{}">{}{} {}{}</li>`,
			p.Anchor(p.record(r.Record)),
			what,
			r.Text,
			by(r.By),
			either(p.Static != nil, place(r), ""))
	}
	return h(`<h1>{}</h1>
<p class="lead" id="{}">{}{}</p>
<p>{}{}{}{}{}{}{}{}{}</p>
{}

<section id="{}"><h2>How it ended</h2>
<p>{}</p>
{}</section>

{}

{}

{}

{}
{}

<section><h2>The log</h2>
<p>{}{}</p></section>

{}
`,
		session(v.Episode),
		p.Anchor(p.record("task")),
		v.Task.Text,
		by(v.Task.By),
		badge(v.Outcome.Outcome),
		by(v.Outcome.By),
		with(" {}", v.State),
		with(", replaced by {}", v.SupersededBy),
		with(" · <time>{}</time>", v.Date),
		with(" · worked on {}", v.WorkedOn),
		with(" · {}", v.Measured),
		when(v.Private, " · private, yours alone"),
		origin(v.Origin),
		when(len(v.Disputed) > 0, "<p>Readers disagree: {}</p>",
			each(v.Disputed, func(d string) markup {
				return h("{} ",
					d)
			})),
		p.Anchor(p.record("outcome")),
		cmp.Or(shown[v.Source], "The log does not show how it ended."),
		place(v.Outcome),
		records("Decisions", each(v.Decisions, p.decided)),
		records("What went wrong", each(v.Errors, p.wrong)),
		records("Lessons", when(len(v.Lessons) > 0, "<ul>{}</ul>",
			each(v.Lessons, func(r ask.SessionRecord) markup { return item(r, "") }))),
		records("What else happened", when(len(v.Others) > 0, "<ul>{}</ul>",
			each(v.Others, func(r ask.SessionRecord) markup {
				return item(r, h("<small>{}{}</small> ", kind(r.Kind), when(r.Outcome != "", ", {}", outcome(r.Outcome))))
			}))),
		when(v.More > 0, "<p>{}: <code>episodes show {}</code></p>",
			plain.Plural(v.More, "more record"),
			session(v.Episode)),
		either(v.Log != "", h("<code>{}</code>{}",
			v.Log,
			with(` · <a href="{}" rel="noreferrer">open it at the forge</a>`, v.Address)), "No log is named."),
		with("<br>The log {}, so no lines of it are quoted.", states[v.LogState]),
		either(p.Static != nil, commands(v), ""))
}

// records are those of one kind, under a title.
func records(title string, list markup) markup {
	return when(list != "", "<section><h2>{}</h2>{}\n</section>", title, list)
}

func (p Page) decided(r ask.SessionRecord) markup {
	came, known := markup(""), r.Outcome != episode.Unknown
	if r.Superseded != nil {
		came = h(" later replaced{}", when(*r.Superseded != "", " by {}", *r.Superseded))
	}
	return h(`
<article id="{}">{}
<h3>{} {}</h3>
<dl>{}{}
{}</dl>
{}{}</article>`,
		p.Anchor(p.record(r.Record)),
		with(`<p class="soft">{}</p>`, r.Question),
		r.Text,
		by(r.By),
		when(len(r.Options) > 0, "<dt>Instead of</dt><dd>{}</dd>", strings.Join(r.Options, " · ")),
		with("<dt>Because</dt><dd>{}</dd>", r.Reason),
		when(known || r.Superseded != nil || len(r.Led) > 0, "<dt>What came of it</dt><dd>{}{}{}</dd>",
			either(known, badge(r.Outcome), ""), came, p.led(r)),
		p.inGraph(r),
		place(r))
}

func (p Page) wrong(r ask.SessionRecord) markup {
	remedy := func(x query.Remedy, outcome markup) markup {
		return h("<li>{}{}</li>", p.quoted(x.Episode, x.Record, x.Text), outcome)
	}
	return h(`
<article id="{}"><h3 class="quoted">{} {}</h3>
<dl>{}{}{}</dl>
{}{}</article>`,
		p.Anchor(p.record(r.Record)),
		r.Text,
		by(r.By),
		when(len(r.Remedies) > 0, `<dt>Remedies</dt><dd><ul class="bare">{}</ul></dd>`,
			each(r.Remedies, func(x query.Remedy) markup {
				return remedy(x, h(" <small>{}</small>", x.Label()))
			})),
		when(r.Seen > 0, "<dt>Elsewhere</dt><dd>{}{}</dd>",
			p.link("errors", ref("", r.Node), "Met in "+plain.Plural(r.Seen, "session")+" in all"),
			either(len(r.Elsewhere) > 0, h(`; what was done there:<ul class="bare">{}</ul>`,
				each(r.Elsewhere, func(x query.Remedy) markup { return remedy(x, "") })), ".")),
		when(len(r.Led) > 0 && len(r.Remedies) == 0, "<dt>What it led to</dt><dd>{}</dd>", p.led(r)),
		p.inGraph(r),
		place(r))
}

// record names a record of the session that the page shows.
func (p Page) record(id string) string { return ref(p.View.(*ask.SessionAnswer).Episode, id) }

// led is what a log says that a record led to.
func (p Page) led(r ask.SessionRecord) markup {
	return each(r.Led, func(l ask.SessionLink) markup {
		return h("<div><small>{}</small> {}</div>",
			either(l.Verb == "causes", "led to", l.Verb),
			p.link("session", p.record(l.Record), l.Text))
	})
}

func (p Page) inGraph(r ask.SessionRecord) markup {
	return when(r.Linked, "<p>{}</p>", p.link("graph", r.Node, "In the graph of what led to what"))
}

// place are the lines of the log that show a record.
func place(r ask.SessionRecord) markup {
	lines := markup("Lines")
	switch s := r.Lines; {
	case s != nil && s[0] == s[1]:
		lines = h("Line {}", s[0])
	case s != nil:
		lines = h("Lines {} to {}", s[0], s[1])
	}
	if r.Repeated {
		return h(`<p class="soft">{} of the log, as above</p>`, lines)
	}
	return when(len(r.Quote) > 0, `<details{}><summary>{} of the log</summary><pre tabindex="0">{}</pre>{}</details>`,
		when(r.Kind == "outcome", " open"),
		lines,
		strings.Join(r.Quote, "\n"),
		with(`<p><a href="{}" rel="noreferrer">These lines at the forge</a></p>`, r.Address))
}

// commands are those that change what is kept of a session.
func commands(v *ask.SessionAnswer) markup {
	id, wrong := session(v.Episode), markup("")
	if all := slices.Concat(v.Decisions, v.Errors, v.Lessons); len(all) > 0 {
		wrong = h("<dt>A fact is wrong</dt><dd><code>episodes correct {}#{} --wrong</code></dd>", id, all[0].Record)
	}
	return h(`<section><h2>Change it</h2>
<p>This page changes nothing. To do so, copy a command into a terminal:</p>
<dl><dt>It ended otherwise</dt><dd><code>episodes correct {} --outcome {}</code></dd>
{}{}
<dt>Forget it</dt><dd><code>episodes forget {}</code></dd></dl></section>`,
		id,
		either(v.Outcome.Outcome == episode.Success, episode.Failure, episode.Success),
		wrong,
		when(v.Private, "<dt>Share it</dt><dd><code>episodes share {} --dry-run</code></dd>", id),
		id)
}
