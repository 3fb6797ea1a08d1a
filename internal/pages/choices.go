package pages

import (
	"fmt"
	"slices"

	"episodes/episode"
	"episodes/internal/ask"
	"episodes/internal/plain"
	"episodes/query"
)

func (p Page) choices(v *ask.ChoicesAnswer) markup {
	i := -1
	questions := each(v.Questions, func(q query.Question) markup {
		i++
		return p.question(fmt.Sprint("q", i), q)
	})
	return h(`<h1>Choices</h1>
<p class="lead">{}</p>
{}
{}
{}
`,
		either(v.Total > 0, plain.Plural(v.Total, "question")+" that more than one session decided, with the ways they went.",
			"No question was decided in more than one session, with ways to compare."),
		when(len(v.Questions) > 0, `<p class="soft">The best way first. A way went well if its log says so or, where `+
			`the log does not say how the choice turned out, if the session succeeded, which may have other reasons: `+
			`the number in the last column opens the list. `+
			`The bar is the 90 % interval of the rate of success: a long one means that little is known. The line in it is its centre.</p>`),
		questions,
		p.more(v.Next, "questions"))
}

func (p Page) question(id string, q query.Question) markup {
	untried := slices.DeleteFunc(slices.Clone(q.Options), func(o query.Tried) bool { return o.N > 0 })
	return h(`<article id="{}"><h2>{}</h2>
<p>{}{}</p>
<div class="scroll" tabindex="0" role="group" aria-label="Ways that were tried"><table>{}
{}</tbody></table></div>{}{}</article>`,
		p.Anchor(id),
		q.Text,
		plain.Plural(q.Sessions, "session"),
		with(", last on <time>{}</time>", q.Last),
		columns("Way", "Went well", "Rate of success", "Sessions"),
		each(q.Options, p.option),
		when(len(untried) > 0, `<p class="soft">Also named: {}</p>`,
			join(untried, " · ", func(o query.Tried) markup { return h("{}", o.Option) })),
		when(q.More > 0, "<p>and {}</p>", plain.Plural(q.More, "more way")))
}

func (p Page) option(o query.Tried) markup {
	if o.N == 0 {
		return ""
	}
	well, rate := markup("not known"), markup("")
	if o.Known() > 0 {
		well = h("{} of {}{}{}",
			o.Successes,
			o.Known(),
			with("<br><small>{} partly</small>", o.Partial),
			with("<br><small>{} not known</small>", o.Unknown))
		rate = interval(o.Low, o.High, h(`<rect class="point" x="{}" y="0" width="1.5" height="10"/>`,
			hundred(*o.Estimate)))
	}
	return h(`<tr><th scope="row">{}</th>
<td>{}</td>
<td>{}</td>
<td>{}</td></tr>
`,
		o.Option,
		well,
		rate,
		when(len(o.Uses) > 0, "<details><summary>{}</summary><ul>{}</ul></details>", o.N,
			each(o.Uses, func(u query.MatchedUse) markup {
				how := badge(u.Outcome)
				if !u.Own && u.Outcome != episode.Unknown {
					how = h("its session {}", outcome(u.Outcome))
				}
				return h("<li>{} {}</li>", p.link("session", ref(u.Episode, u.Decision), session(u.Episode)), how)
			})))
}
