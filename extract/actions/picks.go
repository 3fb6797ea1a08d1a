package actions

import (
	"slices"
	"strings"

	"episodes/internal/turns"
)

// picks are the choices of the human at step i among what the agent asked or offered before.
func (d *drafting) picks(i int) []statement {
	s := d.steps[i]
	if s.answers != nil {
		return s.answered()
	}
	for k := i - 1; k >= 0 && d.steps[k].role == turns.Agent; k-- {
		if c := pickIn(s.text, d.steps[k].text); c.chosen != "" {
			c.of = d.steps[k]
			return []statement{c}
		}
	}
	return nil
}

// pickIn is what the words of a human choose of what was offered to him.
func pickIn(words, offered string) (c statement) {
	words = straight(oneLine(words))
	if len(strings.Fields(words)) > mostPick {
		return c
	}
	c.rule = "the user chooses"
	if picked, options := Picked(words, offered); picked != "" {
		bare := len(strings.Trim(words, ".)! ")) == 1 && !asks(strings.TrimSpace(offered)) // as one picks from a menu
		c.chosen, c.options, c.given = short(picked), options, len(options) > 1 &&
			len(options) <= mostOptions && !bare
	} else if assents().MatchString(words) {
		all := sentences(offered)
		if len(all) < 2 || !offers().MatchString(all[len(all)-1]) {
			return c
		}
		c.firm = true
		for _, stated := range slices.Backward(all[:len(all)-1]) {
			if proposes().MatchString(stated) && !strings.HasSuffix(stated, "?") &&
				!strings.HasSuffix(strings.TrimRight(stated, "*"), ":") {
				c.chosen = short(strings.TrimRight(stated, ":"))
				break
			}
		}
	}
	c.terms = termsIn(c.chosen)
	return c
}

// Picked is the option that the few words of a human pick of what the last list of a text offers, and what it offers; ""
// if they pick none.
func Picked(words, offered string) (chosen string, options []string) {
	words, options = straight(oneLine(words)), listed(offered)
	m := picks().FindStringSubmatch(words)
	if m == nil || len(strings.Fields(words)) > mostPick {
		return "", options
	}
	n := slices.Index(ordinals, strings.ToLower(m[1]))
	switch {
	case len(m[1]) == 1:
		n = slices.Index(marks, strings.ToLower(m[1])) / 3
	case n == len(ordinals)-1:
		n = len(options) - 1 // the last
	}
	if n >= 0 && n < len(options) {
		chosen = options[n]
	}
	return chosen, options
}

// mostOptions is how many options somebody weighs; longer lists are menus of what could be done, so that a pick needs a proof.
const mostOptions = 6

// marks are those of the items of a list, a figure and a letter each.
var marks = strings.Split("1a一2b二3c三4d四5e五6f六7g七8h八", "")

// mostPick is how many words somebody has who picks what was offered.
const mostPick = 15

// listed are the items of the last list of a text that are numbered or lettered from the first on.
func listed(text string) (out []string) {
	for line := range strings.Lines(text) {
		line = straight(strings.Trim(line, "#*- \t\r\n"))
		m := option().FindStringSubmatch(line)
		if m == nil {
			continue
		}
		if at := slices.Index(marks, strings.ToLower(m[1])) / 3; at == 0 {
			out = nil
		} else if at != len(out) {
			continue
		}
		out = append(out, short(strings.Trim(m[2], "* :")))
	}
	return out
}

// answered are the choices of the human in an answer to what the agent asked.
func (s *step) answered() (out []statement) {
	pairs := answered().FindAllStringSubmatch(s.text, -1)
	if pairs == nil {
		pairs = [][]string{{"", s.answers.Text, firstSentence(s.text)}}
	}
	for _, m := range pairs {
		c := statement{question: oneLine(m[1]), chosen: plainOption(oneLine(m[2])), rule: "the user chooses"}
		if noChoice().MatchString(straight(c.chosen)) {
			continue
		}
		if c.chosen != "" && strings.Contains(c.question, c.chosen) {
			c.question = "" // a plan that was approved
		}
		if len(pairs) == 1 {
			c.options = s.answers.Options
		}
		c.terms = termsIn(c.chosen)
		out = append(out, c)
	}
	return out
}
