package infer

import (
	"fmt"
	"testing"
)

// manyOptions are sessions that take ever other options of one question, the first ones
// more often.
func manyOptions(options int) (out []Record) {
	for i := range options + 300 {
		option := i
		if i >= options {
			option = i % 60
		}
		result := Succeeded
		if (i+option)%3 == 0 {
			result = Failed
		}
		out = append(out, Record{Episode: fmt.Sprintf("episode-%05d", i), Outcome: result, Day: 1 + i%30,
			Choices: []Choice{{Record: "d001", Point: Name{"which", "Which?"}, Option: Name{fmt.Sprintf("option %04d", option), ""}, Result: result, At: 1, Own: true}}})
	}
	return out
}

// However many options a question has, its model is of one size, and only options that were taken
// several times can be claimed; one that is not modelled for itself still has an answer.
func TestManyOptions(t *testing.T) {
	for _, n := range []int{60, 800, 5000} {
		s := New(manyOptions(n))
		m := s.model(0)
		if len(m.features) > maxCoefficients || len(m.options) != n {
			t.Errorf("%d options of %d: %d coefficients", len(m.options), n, len(m.features))
		}
		if claims := s.Claims(); len(claims) > 60 {
			t.Errorf("%d options: %d claims considered", n, len(claims))
		}
		rare := s.WhatIf(Question{Point: "which", Option: fmt.Sprintf("option %04d", n-1)})
		if n > 60 && (!rare.Supported || rare.N != 1 || rare.Interval.High-rare.Interval.Low > .9) {
			t.Errorf("%d options: a rare one: %+v", n, rare)
		}
		if often := s.WhatIf(Question{Point: "which", Option: "option 0001"}); often.N < 5 {
			t.Errorf("%d options: a frequent one: %+v", n, often)
		}
	}
}
