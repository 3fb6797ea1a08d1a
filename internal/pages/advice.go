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
	return h(title+`<p class="lead">Agents were told something {}.{}</p>
<section><h2>Did it help?</h2>
<table>{}
{}
{}
{}
</tbody></table>
<p class="soft">{}{} The bar is the rate that the counts allow for, with 95 % confidence.</p></section>
{}
{}
{}
`,
		times(v.Given),
		when(v.Followed.Of > 0, " Of {} where it can be known, they followed {}.",
			v.Followed.Of,
			v.Followed.Count),
		columns("After an error, agents", "The error came back", "Rate"),
		rate("were told, and followed it", v.Back),
		rate("were told, and did not follow it", v.Ignored),
		rate("were not told", v.Control),
		either(v.Held > 0, h("{} nothing was said on purpose, at random, to compare with.", times(v.Held)),
			"Sessions that were not told are no fair comparison: with <code>holdout</code> in the settings, a part is kept back at random."),
		with(" {} of those without a return have been watched for less than a week.", v.Early),
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

func rate(label string, r ask.LedgerRate) markup {
	seen, bar := markup("never observed"), markup("")
	if r.Of > 0 {
		seen, bar = of(r), interval(r.Interval[0], r.Interval[1], "")
	}
	return h(`<tr><th scope="row">{}</th><td>{}</td><td>{}</td></tr>`, label, seen, bar)
}

func (p Page) fact(f ask.LedgerFact) markup {
	return h(`<li>{}
<br><small>told {}{}{}{}</small></li>`,
		p.quoted(f.Evidence.Episode, "", cmp.Or(f.Text, session(f.Evidence.Episode))),
		times(f.Given),
		when(f.Followed.Of > 0, ", followed {}", of(f.Followed)),
		when(f.Back.Of > 0, ", came back after {}", of(f.Back)),
		with("; no longer told: {}", f.Verdict.Silence))
}
