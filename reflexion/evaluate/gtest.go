package evaluate

import (
	"bytes"
	"errors"
	"strings"

	"episodes/internal/lazy"
	"episodes/reflexion"
)

// What programs made with GoogleTest print: gtestLine matches their lines of progress.
var (
	gtestLine  = lazy.Pattern(`(?m)^(?<name>\[(?: RUN      |       OK |  FAILED  |  SKIPPED |  PASSED  |={10}|-{10})\] .*)$`)
	gtestRun   = lazy.Pattern(`^\[ RUN      \] (\S+)`)
	gtestEnd   = lazy.Pattern(`^\[ *(OK|FAILED|SKIPPED) *\] (\S+?)(?:, where .*)? \(\d+ ms\)$`)
	gtestSum   = lazy.Pattern(`^\[  (PASSED|FAILED)  \] (\d+) tests?(?:\.|, listed below)`)
	gtestPlace = lazy.Pattern(`(?m)^(\S.*?)(?::(\d+)|\((\d+)\)): (?:Failure|error)\b:? ?`)
)

func sniffGTest(data []byte) bool {
	return bytes.Contains(data, []byte("[==========] ")) || bytes.Contains(data, []byte("[  PASSED  ] "))
}

// parseGTest reads the output of one or several programs. A test that does not end has crashed.
func parseGTest(data []byte) (*Report, error) {
	r := &Report{}
	text := strings.ReplaceAll(string(data), "\r\n", "\n")
	begun := false
	counted, summed := map[string]int{}, map[string]int{}
	name, said := "", "" // of the test under way
	end := func(how string) {
		if name != "" {
			counted["FAILED"]++
			r.add(gtestProblem(name, said, how))
		}
		name = ""
	}
	for _, s := range sections("[----------] \n"+text, gtestLine()) {
		line := s.in["name"]
		if m := gtestRun().FindStringSubmatch(line); m != nil {
			end("did not end")
			name, said = m[1], s.body
			continue
		}
		if m := gtestEnd().FindStringSubmatch(line); m != nil {
			if counted[m[1]]++; m[1] == "FAILED" {
				counted[m[1]]--
				name = m[2]
				end("failed")
			}
			name = ""
		} else if m := gtestSum().FindStringSubmatch(line); m != nil {
			begun = begun || m[1] == "PASSED" // the lines before it may be cut off
			summed[m[1]] += atoi(m[2])
		} else if strings.HasPrefix(line, "[==========] Running ") {
			end("crashed")
			begun = true
		}
		said = s.body // a brief run does not name what it begins
	}
	end("crashed")
	if !begun {
		return nil, errors.New("no beginning of a run")
	}
	r.Skipped = counted["SKIPPED"]
	r.tests(max(counted["OK"], summed["PASSED"]), max(counted["FAILED"], summed["FAILED"]))
	return r, nil
}

func gtestProblem(name, said, how string) reflexion.Problem {
	p := reflexion.Problem{Type: reflexion.TestFailure, Rule: name, StackTrace: said}
	if m := gtestPlace().FindStringSubmatchIndex(said); m != nil {
		in := gtestPlace().FindStringSubmatch(said[m[0]:])
		p.File, p.Line = in[1], atoi(in[2]+in[3])
		p.Message = gtestPlace().ReplaceAllString(said[m[0]:], "")
		return p
	}
	p.Message = name + " " + how + "\n" + said
	return p
}
