package markdown

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"episodes/episode"
	"episodes/extract/internal/doc"
	"episodes/extract/internal/lex"
)

// cutFrontMatter returns the front matter that the log opens with, if it is YAML, and where the
// text after it begins. One that is not closed would swallow the log.
func (r *reader) cutFrontMatter() (front []byte, after int) {
	text := string(r.src)
	for _, mark := range []string{"---\n", "+++\n"} {
		if !strings.HasPrefix(text, mark) {
			continue
		}
		if end := strings.Index(text[3:]+"\n", "\n"+mark); end >= 0 {
			after = min(len(mark)+end+len(mark), len(text))
			if mark == "---\n" {
				front = r.src[len(mark):][:end]
			}
			return front, after
		}
		if mark == "---\n" && len(text) > 8 && strings.Contains(text[4:min(len(text), 400)], ": ") {
			r.Note(1, "unclosed-front-matter", "front matter is never closed; it was read as text")
		}
	}
	return nil, 0
}

// frontMatter adds each value of the front matter as a block labelled with its key.
func (r *reader) frontMatter(front []byte) {
	var tree yaml.Node
	if err := yaml.Unmarshal(front, &tree); err != nil {
		r.Note(1, "front-matter", "the front matter could not be read: "+lex.Collapse(err.Error()))
		return
	}
	root := &tree
	if tree.Kind == yaml.DocumentNode && len(tree.Content) > 0 {
		root = tree.Content[0]
	}
	if root.Kind != yaml.MappingNode {
		return
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, val := root.Content[i], root.Content[i+1]
		name := r.lex.Text(strings.NewReplacer("_", " ", "-", " ").Replace(key.Value))
		r.metaValue(name, val)
	}
}

func (r *reader) metaValue(name lex.Text, val *yaml.Node) {
	switch val.Kind {
	case yaml.ScalarNode:
		line := val.Line + 1 // the opening mark is line 1
		r.PutMeta(&doc.Block{Kind: doc.Paragraph, Label: name.Raw, LabelText: name, LabelRoles: r.lex.Exact(name),
			Text: r.lex.Text(lex.Collapse(val.Value)), Span: episode.Span{line, line}})
	case yaml.SequenceNode:
		for _, c := range val.Content {
			r.metaValue(name, c)
		}
	}
}
