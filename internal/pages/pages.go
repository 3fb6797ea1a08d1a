// Package pages turns answers of package ask into pages of hypertext. A page is a function of an
// answer: nothing is computed here, and nothing is read. The same templates make the pages of a
// server and the parts of one file.
//
// A page asks for its style sheet and its script by the addresses that Site gives it, and for
// nothing else. It works without script. Text of logs is escaped by html/template; nothing of a
// log becomes markup, an address or a style.
//
// To add a page: a template NAME.html that defines "main", a line in the list of pages, and a
// route in package serve.
package pages

import (
	"embed"
	"html/template"
	"io"
	"io/fs"
	"net/url"
	"strings"
	"sync"
)

//go:embed *.html
var templates embed.FS

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
	// Projects are those of a team's store, to switch between; nil: there is one memory.
	Projects []Project
	Notes    []string // what is to be known of the memory, such as files that cannot be read
}

// Project is one of several memories.
type Project struct {
	Name, Owner, Address string
	Current              bool
}

// Page is what a template gets.
type Page struct {
	*Site
	Name  string // of its template
	Title string
	Words string     // that were searched for
	Asked url.Values // the other things that were asked of it
	View  any        // the answer
}

// Query is a value of what was asked of the page.
func (p Page) Query(name string) string { return p.Asked.Get(name) }

// list are the pages in the order of the navigation, with their titles there.
var list = []Entry{
	{"errors", "Errors that came back"},
	{"choices", "Choices"},
	{"lessons", "Lessons"},
	{"graph", "What led to what"},
	{"time", "Sessions"},
	{"advice", "What agents were told"},
	{"search", ""},
	{"session", ""},
	{"message", ""},
	{"file", ""},
}

// Entry is a page with its title in the navigation; "" if it is not listed there.
type Entry struct{ Name, Title string }

// Navigation lists the pages to choose from.
func (p Page) Navigation() (out []Entry) {
	for _, e := range list {
		if e.Title != "" {
			out = append(out, e)
		}
	}
	return out
}

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

// parsed has the templates of each page, with the layout. They are parsed when a page is first
// needed: every command would wait for it.
var parsed = sync.OnceValue(func() map[string]*template.Template {
	base := template.Must(template.New("").Funcs(functions).ParseFS(templates, "layout.html", "parts.html"))
	out := map[string]*template.Template{}
	for _, e := range list {
		out[e.Name] = template.Must(template.Must(base.Clone()).ParseFS(templates, e.Name+".html"))
	}
	return out
})

// Write writes a whole page.
func (p Page) Write(w io.Writer) error { return parsed()[p.Name].ExecuteTemplate(w, "layout", p) }

// WriteMain writes what a page has between its header and its footer.
func (p Page) WriteMain(w io.Writer) error { return parsed()[p.Name].ExecuteTemplate(w, "main", p) }
