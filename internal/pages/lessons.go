package pages

import (
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
		either(v.Total > 0, plain.Plural(v.Total, "lesson")+" that sessions wrote down, those of most sessions first.", "No session wrote down a lesson."),
		when(len(v.Lessons) > 0, "<ul>\n{}</ul>", each(v.Lessons, func(l query.Lesson) markup {
			return h(`<li>{} <small>{}{}</small></li>
`,
				l.Text,
				p.link("session", ref(l.Episode, l.Record), session(l.Episode)),
				when(l.Sessions > 1, ", noted in {} sessions", l.Sessions))
		})),
		p.more(v.Next, "lessons"))
}
