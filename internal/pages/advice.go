package pages

import (
	"cmp"

	"episodes/internal/ask"
	"episodes/internal/plain"
)

func (p Page) advice(v *ask.LedgerAnswer) markup {
	const title = "<h1>What agents were told</h1>\n"
	if v.Given == 0 && v.Held == 0 {
		return h(title+`<p class="lead">{} <code>episodes setup</code> connects agents, which are then told what is known when a command fails.</p>
`,
			either(p.Private, "Nothing yet.", h("What agents were told may quote your private sessions, so it is shown only with them{}.",
				when(p.Static != nil, ": <code>episodes serve --private</code>"))))
	}
	readers := markup("")
	if v.Readers != nil {
		readers = h("<section><h2>Readers</h2><p>{}</p></section>", v.Readers.Text())
	}
	return h(title+`<p class="lead">{}</p>
<section><h2>Did it help?</h2>
<p>{}</p>
<p class="soft">{}</p></section>
{}
{}
{}
`,
		either(v.Week.Given > 0, "In this week agents were told something "+times(v.Week.Given)+".", "In this week agents were told nothing."),
		p.told(v),
		either(v.Held > 0, h("{} something was held back at random, to compare with.{}", times(v.Held),
			when(v.Control.Of > 0, " Of {} so held back, {} came back.", plain.Plural(v.Control.Of, "error"), v.Control.Count)),
			"With <code>holdout</code> in the settings, a part is held back at random, to compare with."),
		when(len(v.Kinds) > 0, `<section><h2>When they were told</h2><table>{}
{}</tbody></table></section>`,
			columns("Moment", "Told", "Followed"),
			each(v.Kinds, func(k ask.LedgerKind) markup {
				return h(`<tr><th scope="row">{}</th><td>{}</td><td>{}</td></tr>`, cmp.Or(moments[k.Kind], k.Kind), k.Given,
					either(k.Followed.Of > 0, of(k.Followed), "not known"))
			})),
		when(len(v.Facts) > 0, `<section><h2>What they were told most</h2><ul>
{}</ul>
{}</section>`,
			each(v.Facts, p.fact),
			when(v.More > 0, "<p>and {}: <code>episodes stats --limit 100</code></p>",
				plain.Plural(v.More, "more fact"))),
		readers)
}

// told says what was told, and what came of it.
func (p Page) told(v *ask.LedgerAnswer) markup {
	return h("In all they were told {} and {} in {}.{}{}",
		plain.Plural(v.Briefs, "brief"),
		plain.Plural(v.Given-v.Briefs, "single line"),
		plain.Plural(v.Sessions, "session"),
		when(v.Followed.Of > 0, " Of {} for which it can be known, {} were followed.", plain.Plural(v.Followed.Of, "fact"), v.Followed.Count),
		when(v.Back.Of > 0, " After {} they were told what ended it; {} came back in that session.", plain.Plural(v.Back.Of, "error"), v.Back.Count))
}

func (p Page) fact(f ask.LedgerFact) markup {
	return h(`<li>{}
<br><small>told {}{}{}{}</small></li>`,
		p.quoted(f.Evidence.Episode, "", cmp.Or(f.Text, session(f.Evidence.Episode))),
		times(f.Given),
		when(f.Followed.Of > 0, ", followed {}", of(f.Followed)),
		when(f.Back.Of > 0, ", came back after {}", of(f.Back)),
		when(f.Silent, "; no longer told as a single line"))
}
