package pages

import (
	"bufio"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
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

// fileScripts are inside the file, in this order.
var fileScripts = []string{"layout.js", "graph.js", "file.js"}

// Write writes the file.
func (f *File) Write(w io.Writer) error {
	first := f.Parts[0].Page
	first.Site = &f.Site
	style := read("style.css")
	hashes, scripts := "", markup("")
	for _, name := range fileScripts {
		text := read(name)
		hashes += " " + hash(text)
		scripts += h("<script>{}</script>\n", markup(text))
	}
	out := bufio.NewWriter(w)
	out.WriteString(string(first.begin(
		h("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src {}; script-src{}; img-src data:; form-action 'none'; base-uri 'none'\">\n",
			hash(style), hashes),
		h("Memory of {}", f.Name), h("<style>{}</style>\n", markup(style)), "")))
	for _, p := range f.Parts {
		p.Site = &f.Site
		out.WriteString(string(h("<section class=\"page\" id=\"{}\">\n{}</section>\n", p.Anchor(p.ID), p.main())))
	}
	out.WriteString(string(h(`</main>
<footer>{} One file, made by <code>episodes graph export --format html</code>.</footer>
{}</body>
</html>
`, either(f.Private, "With private sessions: not to be passed on.", "Without private sessions."), scripts)))
	return out.Flush()
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
