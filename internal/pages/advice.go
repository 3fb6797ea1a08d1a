package pages

import "episodes/internal/ask"

// advice is what episodes stats prints.
func (p Page) advice(v *ask.LedgerAnswer) markup {
	const title = "<h1>What agents were told</h1>\n"
	if v.Empty() && !p.Private {
		return h(title+`<p class="lead">What agents were told may quote your private sessions, so it is shown only with them{}.</p>
`,
			when(p.Static != nil, ": <code>episodes serve --private</code>"))
	}
	return h(title+`<pre tabindex="0">{}</pre>
`, v.Text(0))
}
