package reflexion

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"episodes/internal/lazy"
)

// maxAnswer is the number of bytes that are read of a model's answer.
const maxAnswer = 64 << 10

// ParseAnswer reads a model's answer: a JSON object of the form that the prompt
// asks for, alone or among other text, or prose, with or without the headings of
// the guide's structure. What violates the schema is dropped, not repaired: unknown
// categories, invalid indices, a confidence outside 0 to 1. Accept decides whether the
// result may be stored.
func ParseAnswer(answer []byte, actions int) SelfReflection {
	answer = answer[:min(len(answer), maxAnswer)]
	s, ok := jsonAnswer(answer)
	if !ok {
		s = proseAnswer(string(answer))
	}
	s.Source = FromModel
	s.Text, s.Causal = Quotable(s.Text), Quotable(s.Causal)
	s.Insights, s.Lessons, s.Gaps = quotables(s.Insights), quotables(s.Lessons), quotables(s.Gaps)
	s.Related = nil // the caller knows what the model was shown
	if s.Confidence != nil && !(*s.Confidence >= 0 && *s.Confidence <= 1) {
		s.Confidence = nil
	}
	if c := s.Credit; c != nil {
		c.RootCause = Quotable(c.RootCause)
		if !slices.Contains(Categories(), c.Category) {
			c.Category = ""
		}
		c.FailingActions = slices.DeleteFunc(c.FailingActions, func(i int) bool { return i < 0 || i >= actions })
	}
	return s
}

func quotables(list []string) []string {
	var out []string
	for _, s := range list {
		if s = strings.Join(strings.Fields(Quotable(s)), " "); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// maxObjects is how many braces of an answer are tried as the start of its object.
const maxObjects = 100

// jsonAnswer returns the first JSON object with a reflection text. Fields of another type
// than the schema's ("confidence": "high") are dropped.
func jsonAnswer(answer []byte) (s SelfReflection, ok bool) {
	tried := 0
	for i := range answer {
		if answer[i] != '{' {
			continue
		}
		if tried++; tried > maxObjects {
			break
		}
		var found struct {
			SelfReflection
			Confidence any `json:"confidence"` // of any type: "high" is missing, not 0
		}
		var wrongType *json.UnmarshalTypeError
		err := json.NewDecoder(bytes.NewReader(answer[i:])).Decode(&found)
		if (err == nil || errors.As(err, &wrongType)) && found.Text != "" {
			if c, ok := found.Confidence.(float64); ok {
				found.SelfReflection.Confidence = &c
			}
			return found.SelfReflection, true
		}
	}
	return s, false
}

var (
	heading  = lazy.Pattern(`(?i)^(?:#+\s*|\d+\.\s*)?\**(credit assignment|root cause|causal reasoning|actionable insights?|next steps?|action items|lessons? learned|learning|knowledge gaps?|confidence)\**\s*:?\**\s*(.*)$`)
	bullet   = lazy.Pattern(`^\s*(?:[-*•]|\d+[.)])\s+(.*)$`)
	intended = lazy.Pattern(`(?i)\b(?:I will|I'll|I should|I must|next attempt|next time|I need to)\b`)
	sentence = lazy.Pattern(`[^.!?]+(?:[.!?][^\s.!?][^.!?]*)*[.!?]*`)
)

// proseAnswer reads an answer in words. Its whole text is the reflection; what is under a
// heading also goes to the field of that name. Without a heading for next steps, the
// sentences about the next attempt are the steps.
func proseAnswer(answer string) SelfReflection {
	s := SelfReflection{Text: strings.Trim(strings.TrimSpace(answer), `"`)}
	for _, sec := range sections(answer) {
		switch {
		case sec.name == "credit assignment" || sec.name == "root cause":
			if s.Credit == nil || sec.name == "root cause" {
				s.Credit = &CreditAssignment{RootCause: strings.Join(sec.lines, " ")}
			}
		case sec.name == "causal reasoning":
			s.Causal = strings.Join(sec.lines, " ")
		case strings.HasPrefix(sec.name, "lesson") || sec.name == "learning":
			s.Lessons = append(s.Lessons, items(sec.lines)...)
		case strings.HasPrefix(sec.name, "knowledge gap"):
			s.Gaps = append(s.Gaps, items(sec.lines)...)
		case sec.name != "confidence": // one of the names for next steps
			s.Insights = append(s.Insights, items(sec.lines)...)
		}
	}
	if len(s.Insights) == 0 {
		for _, x := range sentence().FindAllString(s.Text, -1) {
			if intended().MatchString(x) {
				s.Insights = append(s.Insights, strings.TrimSpace(x))
			}
		}
	}
	return s
}

// section is the text under the headings of one name.
type section struct {
	name  string // lower case
	lines []string
}

// sections returns the sections of an answer, by the first heading of each name.
func sections(answer string) (out []section) {
	at := -1
	for line := range strings.Lines(answer) {
		line = strings.TrimSpace(line)
		if m := heading().FindStringSubmatch(line); m != nil {
			name := strings.ToLower(m[1])
			if at = slices.IndexFunc(out, func(s section) bool { return s.name == name }); at < 0 {
				at = len(out)
				out = append(out, section{name: name})
			}
			line = strings.TrimSpace(m[2])
		}
		if line != "" && at >= 0 {
			out[at].lines = append(out[at].lines, line)
		}
	}
	return out
}

func items(lines []string) []string {
	var out []string
	for _, l := range lines {
		if m := bullet().FindStringSubmatch(l); m != nil {
			out = append(out, m[1])
		} else if len(out) > 0 {
			out[len(out)-1] += " " + l
		} else {
			out = append(out, l)
		}
	}
	return out
}
