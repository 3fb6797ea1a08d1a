package pages

import (
	"episodes/episode"
	"episodes/internal/plain"
	"episodes/query"
)

// GraphView is what the page of the graph shows.
type GraphView struct {
	*query.Drawing
	// NotFound is not nil where what was asked for names nothing; then there is no drawing.
	NotFound *query.NotFoundError
	At, To   string // as they were asked for, to be asked for again
	// More is the address of more of the graph, as JSON; "" where all of it is in the page.
	More string
}

// Step is a link with the fact at its end.
type Step struct {
	query.DrawnLink
	Of    query.DrawnFact // from which it leads
	Other query.DrawnFact // to which it leads
}

// Verb is that of the link. What a log gives as a cause may be a reason or an occasion, and after what was done about
// an error it may have ended for another reason.
func (s Step) Verb() string {
	switch {
	case s.Type == episode.Correlates:
		return "goes with"
	case s.Type == episode.Causes:
		return "led to"
	case s.Type == episode.Prevents && s.Of.Kind == string(episode.ToolCall):
		return "tried against"
	}
	return string(s.Type)
}

// Linked is a fact with the links at it.
type Linked struct {
	query.DrawnFact
	Steps []Step
}

// List is the drawing as a list: each fact with the links that leave it.
func (v GraphView) List() []Linked {
	at := map[string]int{}
	out := make([]Linked, len(v.Facts))
	for i, f := range v.Facts {
		at[f.ID], out[i].DrawnFact = i, f
	}
	for _, l := range v.Links {
		from := &out[at[l.Source]]
		from.Steps = append(from.Steps, Step{DrawnLink: l, Of: from.DrawnFact, Other: v.Facts[at[l.Target]]})
	}
	return out
}

// fact is one of the drawing, or nil.
func (v GraphView) fact(id string) *query.DrawnFact {
	for _, f := range v.Facts {
		if f.ID == id {
			return &f
		}
	}
	return nil
}

// Way is the path, step by step, beginning with the fact that it begins with.
func (v GraphView) Way() (out []Step) {
	for i, id := range v.Path {
		f := v.fact(id)
		if f == nil {
			return nil
		}
		step := Step{Other: *f}
		for _, l := range v.Links {
			if i > 0 && l.Source == v.Path[i-1] && l.Target == id && l.Weight > step.Weight {
				step.DrawnLink, step.Of = l, *v.fact(l.Source)
			}
		}
		out = append(out, step)
	}
	return out
}

func (p Page) graph(v GraphView) markup {
	form, at := markup(""), v.At
	if v.NotFound == nil && v.fact(v.Drawing.At) != nil {
		at = v.fact(v.Drawing.At).Label
	}
	if v.More != "" {
		form = h(`<form class="between" action="{}" method="get">
<label for="at">Around this error, choice or event</label>
<input id="at" name="at" value="{}" autocomplete="off" maxlength="500">
<label for="to">and the path from it to (may be left out)</label>
<input id="to" name="to" value="{}" autocomplete="off" maxlength="500">
<button>Draw</button>
</form>`,
			p.Link("graph", ""),
			at,
			v.To)
	}
	return h("<h1>What led to what</h1>\n{}\n{}", form, p.drawing(v))
}

func (p Page) drawing(v GraphView) markup {
	if v.NotFound != nil {
		return h(`<p class="lead">Nothing in the memory matches “{}”.</p>
{}
`,
			v.NotFound.Ref,
			when(len(v.NotFound.Nearest) > 0, "<p>What comes closest:</p><ul>{}</ul>",
				each(v.NotFound.Nearest, func(m query.Match) markup {
					return h("<li>{}</li>", p.link("graph", m.ID, m.Label))
				})))
	}
	if len(v.Facts) == 0 {
		return "<p class=\"lead\">No session says yet what led to what.</p>\n"
	}
	around := markup("")
	if f := v.fact(v.Drawing.At); f != nil {
		around = h(`<p class="lead">Around: <strong>{}</strong></p>
{}
{}`,
			f.Label,
			when(p.Static != nil && f.Kind == "error" && f.Sessions > 1, "<p>{}</p>",
				p.link("errors", ref("", f.ID), "Where this error was met, and what ended it")),
			when(p.Static != nil, `<p><a href="{}">Search for the sessions that say it</a></p>`,
				p.Link("search", "", "q", f.Label)))
	}
	return h(`{}
{}
<div class="graph-box"{}>
<p class="script-only">Choose a fact to see what else is linked to it; “+2” says that two more are.</p>
<div class="drawing script-only" tabindex="0" role="region" aria-label="Drawing of the graph"></div>
<p role="status" class="soft script-only"></p>
<ul class="key script-only" aria-label="Legend">
{}</ul>
<div class="detail panel script-only" aria-live="polite"></div>
<script type="application/json">{}</script>
</div>
{}
<ul class="facts">{}</ul></section>
`,
		around,
		p.path(v),
		with(` data-more="{}"`, v.More),
		swatch("", `<path class="line" d="M2 7H50"/><path class="head" d="M48 2L58 7L48 12z"/>`, "read from the words or the layout of a log: led to, or enables")+
			swatch("", `<path class="line" d="M2 7H54"/><path class="head" d="M54 0H58V14H54z"/>`, "prevents, or was tried against")+
			swatch(" on-path", `<path class="line" d="M2 7H50"/><path class="head" d="M46 1L58 7L46 13z"/>`, "thick: on the path")+
			swatch("", `<rect x="1" y="1" width="58" height="12" rx="6"/>`, "a choice")+
			swatch("", `<rect x="1" y="1" width="58" height="12"/>`, "an error or another event"),
		data(v.Drawing),
		p.section("text", "The same as text"),
		each(v.List(), p.linked))
}

// path is the way to the other end, where one was asked for.
func (p Page) path(v GraphView) markup {
	to := v.fact(v.Drawing.To)
	switch {
	case to == nil:
		return ""
	case len(v.Path) == 0:
		return h(`{}
<p>No session says that “{}” led to {}, or the other way.</p></section>`,
			p.section("path", either(v.Back, wayBack, "No path")),
			v.fact(v.Drawing.At).Label,
			p.link("graph", to.ID, to.Label))
	}
	steps := markup("")
	for i, s := range v.Way() {
		steps += h("<li>{}{}</li>", when(i > 0, "{} ", s.says()), p.link("graph", s.Other.ID, s.Other.Label))
	}
	return h("{}\n<ol>{}</ol>\n</section>", p.section("path", either(v.Back, wayBack, "The path")), steps)
}

const wayBack = "A path only the other way, to where it began"

func (p Page) linked(f Linked) markup {
	return h(`<li id="{}">{} <small>{}, in {}{}{}</small>{}</li>
`,
		p.Anchor(f.ID),
		p.link("graph", f.ID, f.Label),
		f.Kind,
		plain.Plural(f.Sessions, "session"),
		when(f.Known > 0, ", {} of {} ended well", f.Good, f.Known),
		with(", {} more linked", f.More),
		when(len(f.Steps) > 0, "<ul>{}</ul>", each(f.Steps, func(s Step) markup {
			return h("<li>{} {}</li>", s.says(), p.link("graph", s.Other.ID, s.Other.Label))
		})))
}

func (s Step) says() markup {
	return h("{} <small>(read from {})</small>",
		s.Verb(),
		plain.Plural(s.Sessions, "session"))
}

// swatch is a line of the legend: how something is drawn, and what it means.
func swatch(class string, drawn markup, means string) markup {
	return h(`<li><svg class="swatch{}" viewBox="0 0 60 14" aria-hidden="true">{}</svg> {}</li>
`, class, drawn, means)
}
