package infer

import "testing"

// What is kept of a study is read back with any bytes in it: it is refused, or it
// answers.
func FuzzLoad(f *testing.F) {
	data, err := New(confounded(seeded(22), 60)).Save()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add(data[:len(data)/2])
	f.Add([]byte(nil))
	f.Fuzz(func(_ *testing.T, data []byte) {
		s, ok := Load(data)
		if !ok {
			return
		}
		s.Claims()
		s.Edges()
		for p := range s.points {
			s.WhatIf(Question{Point: s.points[p].key})
		}
	})
}
