package setup

import (
	"slices"

	"episodes/agents/agent"
)

// section is the part of AGENTS.md that explains to any agent how to ask, and what to leave.
var section = block{
	begin: "<!-- episodes: begin; `episodes setup agents-md --remove` takes this out -->",
	end:   "<!-- episodes: end -->",
	body:  "## What earlier sessions know\n\n" + words + "\nWhere the command is missing, go on without it.\n",
}

// words are in the section and in the skill of plugins.
var words = agent.Words("`episodes ask \"…\" \"…\"`, or of what failed `COMMAND 2>&1 | episodes ask -`", "`episodes show REF`",
	"`episodes record lesson \"…\"` or `episodes record decision \"…\" --over \"…\" --why \"…\"`")

// agentsText is the editor of AGENTS.md.
func agentsText() editor {
	return editor{
		find: func(text []byte) (f found, err error) {
			if err := section.closed(text); err != nil {
				return f, err
			}
			_, _, there := section.find(text)
			switch {
			case section.current(text):
				f.current = 1
			case there:
				f.stale = 1
			default:
				f.missing = 1
			}
			return f, nil
		},
		add: func(text []byte) ([]byte, error) {
			from, to, there := section.find(text)
			if !there {
				return section.add(text), nil
			}
			return slices.Concat(text[:from], []byte(section.whole(lineEnd(text))), text[to:]), nil
		},
		drop: func(text []byte) ([]byte, error) { return section.drop(text), nil },
	}
}
