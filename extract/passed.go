package extract

import "episodes/episode"

// passedOver says of every record that no fact was taken from why it was passed
// over: the code is stable.
func (r *reading) passedOver(taken []Taken) []Taken {
	x := r.x
	shown := map[int]bool{}
	for _, t := range taken {
		for l := t.Span[0]; l <= t.Span[1] && l < t.Span[0]+reach; l++ {
			shown[l] = true
		}
	}
	var out []Taken
	for _, b := range x.doc.blocks {
		if shown[b.span[0]] || b.span[0] == 0 {
			continue
		}
		code, why := x.passedFor(b)
		out = append(out, Taken{Span: episode.Span{b.span[0], b.span[0]}, What: "passed over (" + code + ")", Why: why})
	}
	return out
}

func (x *extraction) passedFor(b *block) (code, why string) {
	s := b.section
	under := "under heading " + quote(s.title.s)
	switch {
	case x.used[b] != nil || b.parent != nil && x.used[b.parent] != nil:
		return "detail", "part of the fact above it"
	case b.placeholder():
		return "template", "what a template leaves to be filled in"
	case b.inProtocol():
		return "protocol", under
	case b.labelRole.any(roleWho, roleDate, roleBase):
		return "field", "a field about the log itself"
	case b.struck:
		return "struck", "struck out"
	case b.kind == codeBlock:
		return "code", "quoted text"
	case s.within(rolePlan):
		return "plan", under
	case s.within(roleHandoff):
		return "hand-off", under
	case s.within(roleOptions):
		return "options", under
	case s.within(roleFiles):
		return "files", under
	case b.text.blank() && b.kind != rowBlock && b.label == "":
		return "empty", "says that there is nothing"
	}
	return "no-evidence", "neither its place nor its words say what it is"
}
