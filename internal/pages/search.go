package pages

import (
	"strconv"

	"episodes/internal/ask"
)

func (p Page) search(v *ask.SearchAnswer) markup {
	ofKind, after := p.Query("kind"), p.Query("since")
	form, hits := markup(""), markup("")
	if p.Static != nil && p.Words != "" {
		form = h(`<form action="{}" method="get" class="filter"><input type="hidden" name="q" value="{}">
<label>Kind <select name="kind"><option value="">any</option>{}</select></label>
<label>Since <input name="since" value="{}" placeholder="30d or 2026-01-31" maxlength="40"></label> <button>Show</button></form>`,
			p.Link("search", ""),
			p.Words,
			each(ask.SearchKinds(), func(k string) markup { return option(k, kind(k), k == ofKind) }),
			after)
	}
	switch {
	case p.Words == "":
		hits = h("<p>Type words, or paste the output of a command, into the field above.</p>\n")
	case len(v.Hits) == 0:
		hits = h("<p>Nothing that is kept of any session fits <q>{}</q>{}.</p>\n",
			p.Words,
			when(ofKind != "" || after != "",
				` of this kind and time; <a href="{}">search without them</a>`, p.Link("search", "", "q", p.Words)))
	default:
		next := markup("")
		if v.Next != nil {
			next = h(`<p><a rel="next" href="{}">More</a></p>`,
				p.Link("search", "", "q", p.Words, "kind", ofKind, "since", after, "skip", strconv.Itoa(*v.Next)))
		}
		hits = h("<h2>Found for <q>{}</q></h2>\n<ol>{}</ol>\n{}\n", p.Words, each(v.Hits, p.hit), next)
	}
	return h("<h1>Search</h1>\n{}\n<div class=\"hits\">\n{}</div>", form, hits)
}

func (p Page) hit(s ask.SearchHit) markup {
	to, where, line := p.Link("search", "", "q", p.Words), s.Source+" in "+s.Log, markup("")
	if s.Episode != "" {
		to = p.Link("session", ref(s.Episode, s.Record))
	}
	if s.Source == "" {
		where = session(s.Episode)
	}
	if s.Lines != nil {
		line = h(", line {}", s.Lines[0])
	}
	return h(`
<li><a class="quoted" href="{}">{}</a><br>
<small>{}{}, {}{}{}{}{}{}</small></li>`,
		to,
		s.Text,
		kind(s.Kind),
		with(", <time>{}</time>", s.Date),
		where,
		line,
		when(s.Private, ", private"),
		origin(s.Origin),
		with(", {}", s.Doubt),
		with(", {}", s.Note))
}

// option is one of a list to choose from.
func option(value, text string, chosen bool) markup {
	return h(`<option value="{}"{}>{}</option>`, value, when(chosen, " selected"), text)
}
