package pages

import (
	"cmp"

	"episodes/internal/ask"
	"episodes/internal/plain"
	"episodes/query"
)

func (p Page) errors(v *ask.RecurrencesAnswer) markup {
	if p.Query("node") != "" {
		return h(`<h1>An error that came back</h1>
{}{}
<p>{}</p>`,
			each(v.Errors, p.error),
			when(len(v.Errors) == 0, `<p class="lead">No error with this address was met in more than one session.</p>`),
			p.link("errors", "", "All errors that came back"))
	}
	sessions := h("<a href=\"{}\">sessions</a>", p.Link("time", ""))
	in := "more than one session" + either(v.Since != "", " and seen "+since(v.Since), "")
	lead := h("No error was met in {}. Look through the {}, or search for an error.", in, sessions)
	if v.Total > 0 {
		lead = h("{} {} met in {}.\n", plain.Plural(v.Total, "error"), either(v.Total == 1, "was", "were"), in)
	}
	list := func(id, title string, about markup, errors []ask.Recurrence) markup {
		return when(len(errors) > 0, "{}\n{}{}\n</section>", p.section(id, title), about, each(errors, p.error))
	}
	timed := v.Costly > 0 && v.Errors[0].Minutes > 0
	return h(`<h1>Errors that came back</h1>
<p class="lead">{}</p>
<p>{}{}{} {}</p>
{}
{}
{}
{}
`,
		lead,
		plain.Plural(v.Sessions.Total(), "session"),
		either(v.Since != "", " "+since(v.Since), ""),
		with("; the newest is of <time>{}</time>", v.Newest),
		tally(v.Sessions),
		p.otherTimes(),
		list("costly", either(timed, "Most expensive", "Met in the most sessions"), h(`<p class="soft">{}</p>
`,
			either(timed, "By the time lost, as far as logs give times: from the first sign of the error in a session to what was done about it.",
				"What they cost is not known, since no log gives times.")), v.Errors[:v.Costly]),
		list("others", either(v.Costly > 0, "The others, last seen first", "Last seen first"), "", v.Errors[v.Costly:]),
		p.more(v.Next, "errors", "since", v.Since))
}

// otherTimes are links to the errors of other times.
func (p Page) otherTimes() markup {
	if p.Static == nil {
		return ""
	}
	to := func(text, since string) markup {
		return h(`<a href="{}">{}</a>`, p.Link("errors", "", "since", since), text)
	}
	return h(`<p class="soft">Seen in the last {}, the last {}, or {}.</p>`, to("week", "7d"), to("month", "30d"), to("ever", ""))
}

func (p Page) error(e ask.Recurrence) markup {
	return h(`<article id="{}">
<h3 class="quoted">{}</h3>
<p>Met {} in {}{}{}.{}{}</p>
<dl>
{}
{}
{}
{}
</dl>
<details><summary>{} that met it</summary>
<ul>{}{}</ul></details>
</article>`,
		p.Anchor(e.Node),
		e.Text,
		times(e.Times),
		plain.Plural(e.Sessions, "session"),
		when(e.Last != "", ", {}on <time>{}</time>", either(e.Sessions > 1, "last ", ""), e.Last),
		when(e.First != "" && e.First != e.Last, ", first on <time>{}</time>", e.First),
		when(e.Timed > 0, " Time lost: {}{}.",
			duration(e.Minutes),
			when(e.Timed < e.Sessions, ", in the {} whose {} times",
				plain.Plural(e.Timed, "session"),
				either(e.Timed == 1, "log gives", "logs give"))),
		when(e.Linked, " {}", p.link("graph", e.Node, "What led to it, and what it led to")),
		cmp.Or(p.remedies(e, query.Stated, `<dt class="good">What ended it</dt>`), "<dt>What ended it</dt><dd>No log says.</dd>"),
		p.remedies(e, query.Held, "<dt>Tried, and the session succeeded</dt>"),
		p.remedies(e, query.Failed, `<dt class="bad">What did not</dt>`),
		p.remedies(e, query.Unknown, "<dt>Tried, outcome unknown</dt>"),
		plain.Plural(e.Sessions, "session"),
		each(e.Met, func(m query.MetIn) markup {
			return h("<li>{}{} {}{}</li>",
				with("<time>{}</time> ", m.Date),
				p.link("session", ref(m.Episode, m.Record), session(m.Episode)),
				badge(m.Outcome),
				when(m.Times > 1, " met {}", times(m.Times)))
		}),
		when(e.Sessions > len(e.Met), "<li>and older ones</li>"))
}

// remedies are those of an error with a label, under a title.
func (p Page) remedies(e ask.Recurrence, label string, title markup) markup {
	list := each(e.Remedies, func(r query.Remedy) markup {
		return when(r.Label() == label, "<dd>{}{}{}</dd>",
			p.quoted(r.Episode, r.Record, r.Text),
			when(r.Sessions > 1, " <small>or similar, in {} sessions</small>", r.Sessions),
			when(r.Of != "", " <small>done about “{}”, which logs link to this error</small>",
				plain.Clip(r.Of, 90)))
	})
	return when(list != "", "{}{}", title, list)
}
