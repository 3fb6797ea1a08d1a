package reflexion

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"

	"episodes/internal/lazy"
	"episodes/internal/plain"
	"episodes/redact"
)

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
	s.clean()
	s.Related = nil // the caller knows what the model was shown
	if s.Confidence != nil && !(*s.Confidence >= 0 && *s.Confidence <= 1) {
		s.Confidence = nil
	}
	if c := s.Credit; c != nil {
		if !slices.Contains(Categories(), c.Category) {
			c.Category = ""
		}
		c.FailingActions = below(actions, c.FailingActions)
	}
	return s
}

// clean makes the texts of a reflection fit to be stored, those of lists on one line.
func (s *SelfReflection) clean() {
	plain.All(s)
	redact.Default.All(s)
	s.Text, s.Causal = strings.TrimSpace(s.Text), strings.TrimSpace(s.Causal)
	s.Insights, s.Lessons, s.Gaps = wordsOf(s.Insights), wordsOf(s.Lessons), wordsOf(s.Gaps)
}

// maxObjects is how many braces of an answer are tried as the start of its object.
const maxObjects = 100

// jsonAnswer returns the first JSON object with a reflection text. Fields of another type
// than the schema's ("confidence": "high") are dropped.
func jsonAnswer(answer []byte) (s SelfReflection, ok bool) {
	for tried := 0; tried < maxObjects; tried++ {
		i := bytes.IndexByte(answer, '{')
		if i < 0 {
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
		answer = answer[i+1:]
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
	under := map[string][]string{} // headings of one name are one
	name := ""
	for line := range strings.Lines(answer) {
		line = strings.TrimSpace(line)
		if m := heading().FindStringSubmatch(line); m != nil {
			name, line = strings.ToLower(m[1]), strings.TrimSpace(m[2])
		}
		if line != "" && name != "" {
			under[name] = append(under[name], line)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(under)) {
		switch lines := under[name]; {
		case name == "credit assignment" || name == "root cause": // which is the later one
			s.Credit = &CreditAssignment{RootCause: strings.Join(lines, " ")}
		case name == "causal reasoning":
			s.Causal = strings.Join(lines, " ")
		case strings.HasPrefix(name, "lesson") || name == "learning":
			s.Lessons = append(s.Lessons, items(lines)...)
		case strings.HasPrefix(name, "knowledge gap"):
			s.Gaps = append(s.Gaps, items(lines)...)
		case name != "confidence": // one of the names for next steps
			s.Insights = append(s.Insights, items(lines)...)
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

func items(lines []string) (out []string) {
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
