package pages

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"strings"
)

// File is what one file holds that needs no server: pages, with the style sheet and the scripts.
// Its policy allows these, by their hashes, and nothing else. Without script all pages are shown,
// one after another.
type File struct {
	Site
	Parts []Part
}

// Part is a page of a file. Of several pages with one name each is about the thing with an ID.
type Part struct {
	Page
	ID string
}

// Place is where links to the part lead.
func (p Part) Place() string { return p.Anchor(p.ID) }

// NewFile makes an empty file, which is to have some sessions. Links to others lead to its message.
func NewFile(name string, private bool, sessions []string) *File {
	numbers := map[string]int{} // ids are long and many
	for i, id := range sessions {
		numbers[id] = i + 1
	}
	link := func(page, id string, _ ...string) string {
		session, record, _ := strings.Cut(id, "#")
		if page != "session" || session == "" {
			return "#" + anchor(page+"-"+strings.TrimPrefix(id, "#"))
		}
		if numbers[session] == 0 {
			return "#message-"
		}
		return strings.TrimSuffix(fmt.Sprintf("#s%d.%s", numbers[session], anchor(record)), ".")
	}
	return &File{Site: Site{Name: name, Private: private, Link: link}}
}

// fileScripts are inside the file, in this order, the library with its licence.
var fileScripts = []string{"dagre.min.js", "graph.js", "file.js"}

// fileHead is what the head of the file holds.
type fileHead struct {
	Page
	Policy  string
	Style   template.CSS
	Scripts []template.JS
}

// Write writes the file.
func (f *File) Write(w io.Writer) error {
	first := f.Parts[0].Page
	first.Site = &f.Site
	head := fileHead{Page: first, Style: template.CSS(read("style.css"))}
	hashes := ""
	for _, name := range fileScripts {
		text := strings.ReplaceAll(read(name), "\x01", `\x01`) // in strings: a file has no control characters
		if licence := read(strings.TrimSuffix(name, ".min.js") + ".LICENSE.txt"); licence != "" {
			text = "/*\n" + licence + "*/\n" + text
		}
		hashes += " " + hash(text)
		head.Scripts = append(head.Scripts, template.JS(text))
	}
	head.Policy = fmt.Sprintf("default-src 'none'; style-src %s; script-src%s; img-src data:; form-action 'none'; base-uri 'none'", hash(string(head.Style)), hashes)
	if err := parsed()["file"].ExecuteTemplate(w, "head", head); err != nil {
		return err
	}
	for _, p := range f.Parts {
		p.Site = &f.Site
		if err := parsed()["file"].ExecuteTemplate(w, "begin", p); err != nil {
			return err
		}
		if err := p.WriteMain(w); err != nil {
			return err
		}
		if err := parsed()["file"].ExecuteTemplate(w, "end", p); err != nil {
			return err
		}
	}
	return parsed()["file"].ExecuteTemplate(w, "tail", head)
}

// read returns a file of Static, or "".
func read(name string) string {
	data, err := static.ReadFile("static/" + name)
	if err != nil {
		return ""
	}
	return string(data)
}

// hash names an inline script or style in a policy.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
