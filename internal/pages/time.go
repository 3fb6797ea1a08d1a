package pages

import (
	"cmp"

	"episodes/episode"
	"episodes/internal/ask"
	"episodes/internal/plain"
	"episodes/query"
)

func (p Page) time(v *ask.TimelineAnswer) markup {
	ended, task := p.Query("outcome"), p.Query("task")
	form, next := markup(""), markup("")
	if p.Static != nil {
		form = h(`<form action="{}" method="get" class="filter"><label>Outcome <select name="outcome"><option value="">any</option>{}</select></label>
<label>Words of the task <input type="search" name="task" value="{}" maxlength="200"></label> <button>Show</button></form>`,
			p.Link("time", ""),
			each(episode.Outcomes(), func(o episode.Outcome) markup {
				return option(string(o), outcome(o), string(o) == ended)
			}),
			task)
	}
	older := plain.Plural(v.Older, "older session")
	switch {
	case v.Next == "":
	case p.Static == nil:
		next = h("<p>{} {} not in this file; <code>episodes serve</code> shows all.</p>",
			older,
			either(v.Older == 1, "is", "are"))
	default:
		next = h(`<nav aria-label="More"><a rel="next" href="{}">{}</a></nav>`,
			p.Link("time", "", "after", v.Next, "outcome", ended, "task", task),
			older)
	}
	return h(`<h1>Sessions</h1>
<p class="lead">{}{}{}, the newest first.</p>
{}
{}
{}
{}
`,
		plain.Plural(v.Total, "session"),
		when(ended != "", "{}", either(ended == string(episode.Unknown), " whose outcome is not known",
			" that "+outcome(episode.Outcome(ended)))),
		with(", the task with the words “{}”", task),
		when(len(v.Months) > 0, `<section><h2>How they ended, by month</h2>
<table class="months">{}
{}</tbody></table></section>
<h2>One by one</h2>`,
			columns("Month", "Sessions", "How they ended"),
			each(v.Months, func(m ask.Month) markup {
				return h(`<tr><th scope="row">{}</th><td>{}</td><td>{}</td></tr>
`, cmp.Or(m.Name, "No date"), m.Of.Total(), tally(m.Of))
			})),
		form,
		either(len(v.Episodes) > 0, h(`<ol class="plain">{}</ol>`,
			each(v.Episodes, p.summary)), "<p>No session fits.</p>"),
		next)
}

func (p Page) summary(e query.EpisodeSummary) markup {
	return h(`
<li>{} {}{}
<br><small>{}{}{}{}</small></li>`,
		badge(e.Outcome),
		when(e.Timestamp != "", "<time>{}</time> ", day(e.Timestamp)),
		p.link("session", e.ID, cmp.Or(e.Task, session(e.ID))),
		session(e.ID),
		when(e.Decisions > 0, ", {}", plain.Plural(e.Decisions, "decision")),
		when(e.Lessons > 0, ", {}", plain.Plural(e.Lessons, "lesson")),
		when(e.Private, ", private"))
}
