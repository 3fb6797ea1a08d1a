package pages

import (
	"cmp"

	"episodes/internal/ask"
	"episodes/internal/plain"
	"episodes/query"
)

func (p Page) lessons(v *ask.LessonsAnswer) markup {
	return h(`<h1>Lessons</h1>
<p class="lead">{}</p>
{}
{}
`,
		either(v.Total > 0, plain.Plural(v.Total, "lesson")+" that sessions wrote down, by what they are about.", "No session wrote down a lesson."),
		each(v.Topics, func(t ask.Topic) markup {
			more := with("and {} more", t.More)
			if t.Name != "" {
				more = h(`<a href="{}">{}</a>`, p.Link("search", "", "q", t.Name, "kind", "lesson"), more)
			}
			return h(`<section><h2>{}</h2><ul>
{}{}</ul></section>`,
				cmp.Or(t.Name, "Other lessons"),
				each(t.Lessons, func(l query.Lesson) markup {
					return h(`<li>{} <small>{}{}</small></li>
`,
						l.Text,
						p.link("session", ref(l.Episode, l.Record), session(l.Episode)),
						when(l.Sessions > 1, ", noted in {} sessions", l.Sessions))
				}),
				when(t.More > 0, "<li>{}</li>", more))
		}),
		p.more(v.Next, "topics"))
}
