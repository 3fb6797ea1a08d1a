package evaluate

import (
	"bytes"
	"errors"
	"strings"

	"episodes/internal/lazy"
	"episodes/reflexion"
)

var (
	gtestLine = lazy.Pattern(`(?m)^\[ *(?<kind>RUN|OK|FAILED|SKIPPED|PASSED|=+|-+) *\] ` +
		`(?:(?<n>\d+) tests?(?:\.|, listed below).*|(?<name>\S+?)(?:, where .*?)?(?<ended> \(\d+ ms\))?|.*)$`)
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
	for _, s := range sections("[-] \n"+text, gtestLine()) {
		switch kind := s.in["kind"]; {
		case kind == "RUN":
			end("did not end")
			name, said = s.in["name"], s.body
			continue
		case kind[0] == '=':
			end("crashed")
			begun = true
		case s.in["n"] != "":
			begun = begun || kind == "PASSED" // the lines before it may be cut off
			summed[kind] += atoi(s.in["n"])
		case s.in["ended"] != "" && kind == "FAILED":
			name = s.in["name"]
			end("failed")
		case s.in["ended"] != "":
			counted[kind]++
			name = ""
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
