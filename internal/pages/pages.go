// Package pages turns answers of package ask into pages of hypertext. A page is a function of an
// answer: nothing is computed here, and nothing is read. The same functions make the pages of a
// server and the parts of one file.
//
// A page asks for its style sheet and its script by the addresses that Site gives it, and for
// nothing else. It works without script. Text of logs is escaped by the function h; nothing of a
// log becomes markup, an address or a style.
//
// To add a page: a method of Page that makes it of an answer, a case in main, a line in Navigation,
// and a route in package serve.
package pages

import (
	"embed"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"strconv"
	"strings"

	"episodes/causal"
	"episodes/episode"
	"episodes/internal/ask"
)

//go:embed static
var static embed.FS

// Static are the style sheet and the scripts.
func Static() fs.FS {
	sub, err := fs.Sub(static, "static")
	if err != nil {
		panic(err) // the folder is embedded
	}
	return sub
}

// Site is what all pages of a memory have in common.
type Site struct {
	Name    string // what the memory is of
	Private bool   // the private part is shown, too
	// Link is the address of a page, or of the thing with an id on it: of a session, or of a record
	// as SESSION#e001. query are names and values of what is asked of the page.
	Link func(page, id string, query ...string) string
	// Static is the address of a file of Static; nil: the pages are parts of a file that has them.
	Static func(name string) string
	Notes  []string // what is to be known of the memory, such as files that cannot be read
}

// Page is one page.
type Page struct {
	*Site
	Name  string // of its route
	Title string
	Words string     // that were searched for
	Asked url.Values // the other things that were asked of it
	View  any        // the answer
}

// Query is a value of what was asked of the page.
func (p Page) Query(name string) string { return p.Asked.Get(name) }

// Navigation are the pages to choose from.
var Navigation = []Entry{
	{"errors", "Errors that came back"},
	{"choices", "Choices"},
	{"lessons", "Lessons"},
	{"graph", "What led to what"},
	{"time", "Sessions"},
	{"advice", "What agents were told"},
}

// Message is the view of a page that says what went wrong.
type Message struct{ Text, Hint string }

// Entry is a page with its title in the navigation.
type Entry struct{ Name, Title string }

// Anchor is the id of an element about the thing with an id.
func (p Page) Anchor(id string) string {
	if p.Static == nil { // several pages are in one file
		return strings.TrimPrefix(p.Link(p.Name, id), "#")
	}
	_, record, ok := strings.Cut(id, "#")
	if !ok {
		record = id
	}
	return anchor(record)
}

// anchor makes an id that is one word of an address.
func anchor(id string) string {
	return strings.Map(func(r rune) rune {
		if r == '#' || r == ' ' || r == '>' {
			return '.'
		}
		return r
	}, id)
}

// Write writes a whole page, or returns why it cannot be made.
func (p Page) Write(w io.Writer) (err error) {
	defer func() {
		if broken := recover(); broken != nil {
			err = fmt.Errorf("%v", broken)
		}
	}()
	head := h(`<link rel="stylesheet" href="{}">
<script src="{}" defer></script>
`, p.Static("style.css"), p.Static("app.js"))
	if p.Name == "graph" {
		head += h(`<script src="{}" defer></script>
<script src="{}" defer></script>
`, p.Static("layout.js"), p.Static("graph.js"))
	}
	notes := when(len(p.Notes) > 0, `<aside class="soft" aria-label="Notes"><ul>{}</ul></aside>`,
		each(p.Notes, func(note string) markup { return h("<li>{}</li>", note) }))
	_, err = io.WriteString(w, string(p.begin("", h("{} · {}", p.Title, p.Site.Name), head, notes+"\n")+h(`{}
</main>
<footer>Read-only. {}</footer>
</body>
</html>
`, p.main(), either(p.Private, "Your private sessions are shown.",
		h("Private sessions, if there are any, are left out: <code>episodes serve --private</code> shows them.")))))
	return err
}

// begin is a page until its main part begins. policy and head are what only some have in their heads.
func (p Page) begin(policy, title, head, notes markup) markup {
	return h(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
{}<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>{}</title>
<link rel="icon" href="data:,">
{}</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
{}
{}<main id="main" tabindex="-1">
`,
		policy,
		title,
		head,
		p.header(),
		notes)
}

// main is what a page has between its header and its footer.
func (p Page) main() markup {
	switch v := p.View.(type) {
	case *ask.RecurrencesAnswer:
		return p.errors(v)
	case *ask.ChoicesAnswer:
		return p.choices(v)
	case *ask.LessonsAnswer:
		return p.lessons(v)
	case GraphView:
		return p.graph(v)
	case *ask.TimelineAnswer:
		return p.time(v)
	case *ask.LedgerAnswer:
		return p.advice(v)
	case *ask.SearchAnswer:
		return p.search(v)
	case *ask.SessionAnswer:
		return p.session(v)
	case Message:
		return h("<h1>{}</h1>\n<p>{}</p>\n{}", p.Title, v.Text, with("<p>{}</p>", v.Hint))
	default:
		panic(fmt.Sprintf("no page shows %T", p.View))
	}
}

func (p Page) header() markup {
	return h(`<header>
<p class="name">Memory of <strong>{}</strong></p>
<form role="search" action="{}" method="get">
<label for="q" class="hidden">Search all sessions</label>
<input id="q" type="search" name="q" value="{}" placeholder="Search all sessions" autocomplete="off" maxlength="500">
<button>Search</button>
</form>
<div id="results" role="status" aria-live="polite"></div>
<nav aria-label="Pages"><ul>{}
</ul></nav>
</header>`,
		p.Site.Name,
		p.Link("search", ""),
		p.Words,
		each(Navigation, func(e Entry) markup {
			return h(`
<li><a href="{}"{}>{}</a></li>`, p.Link(e.Name, ""), when(e.Name == p.Name, ` aria-current="page"`), e.Title)
		}))
}

// more ends a list that goes on: with a link to the next page, or, in a file, that it has no more.
func (p Page) more(next *int, what string, query ...string) markup {
	switch {
	case next == nil:
		return ""
	case p.Static == nil:
		return h(`<p class="soft">This file has no more of them; <code>episodes serve</code> shows all.</p>`)
	}
	return h(`<nav aria-label="More"><a rel="next" href="{}">More {}</a></nav>`,
		p.Link(p.Name, "", append(query, "skip", strconv.Itoa(*next))...), what)
}

// link is a link to a page, or to a thing on it.
func (p Page) link(page, id string, text any) markup {
	return h(`<a href="{}">{}</a>`, p.Link(page, id), text)
}

// quoted is a link to a record, with text of its log.
func (p Page) quoted(episode, record, text string) markup {
	return h(`<a class="quoted" href="{}">{}</a>`, p.Link("session", ref(episode, record)), text)
}

// section is the begin of a section that its title names.
func (p Page) section(id string, title any) markup {
	return h(`<section aria-labelledby="{}"><h2 id="{}">{}</h2>`, p.Anchor(id), p.Anchor(id), title)
}

func badge(o episode.Outcome) markup { return h(`<span class="badge {}">{}</span>`, o, outcome(o)) }

func by(name string) markup {
	return when(name != "", `<span class="added">added by {}</span>`, who(name))
}

func origin(o ask.Origin) markup {
	return with(" · brought by {}", o.By) + when(o.NotReviewed, " · new, not reviewed")
}

// tally is a bar by outcomes.
func tally(t causal.Tally) markup {
	var bars, texts markup
	x := 0.0
	for _, s := range []struct {
		class, text string
		n           int
	}{
		{"success", "succeeded", t.Success},
		{"partial", "partly succeeded", t.Partial},
		{"failure", "failed", t.Failure},
		{"unknown", "not known", t.Unknown},
	} {
		if s.n > 0 {
			width := 100 * float64(s.n) / float64(t.Total())
			bars += h(`<rect class="{}" x="{}" width="{}" height="8"/>`, s.class, x, width)
			texts += h("{}{} {}", either(texts == "", "", ", "), s.n, s.text)
			x += width
		}
	}
	return when(bars != "", `<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">{}</svg>
<span class="legend">{}</span>`, bars, texts)
}

// interval is a bar from low to high, with what is marked in it.
func interval(low, high float64, mark markup) markup {
	return h(`<svg class="interval" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">`+
		`<rect class="axis" x="0" y="4.5" width="100" height="1"/><rect class="range" x="{}" y="2" width="{}" height="6"/>{}</svg><small>{} to {}</small>`,
		hundred(low),
		hundred(high-low),
		mark,
		percent(low),
		percent(high))
}

// columns is the head of a table.
func columns(names ...string) markup {
	return h(`<thead><tr>{}</tr></thead><tbody>`, each(names, func(name string) markup { return h(`<th scope="col">{}</th>`, name) }))
}
