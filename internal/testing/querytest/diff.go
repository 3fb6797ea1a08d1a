package querytest

import (
	"fmt"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"episodes/causal"
	"episodes/keys"
	"episodes/query"
)

// Diff compares everything that two Readers return, and describes the first difference;
// "" if they are equal. An empty list equals nil.
func Diff(want, got query.Reader) (string, error) {
	wn, gn, err := both(want, got, allNodes)
	if err != nil {
		return "", err
	}
	if d := diff("nodes", wn, gn); d != "" {
		return d, nil
	}
	wu, gu, err := both(want, got, allUses)
	if err != nil {
		return "", err
	}
	if d := diff("uses", wu, gu); d != "" {
		return d, nil
	}
	checks := []func(query.Reader) (any, error){
		counted,
		func(r query.Reader) (any, error) { n, _, err := r.Node("n000000000000"); return n, err },
		func(r query.Reader) (any, error) { return r.Out("n000000000000") },
	}
	words := map[string]bool{"": true}
	for _, n := range wn {
		addWords(words, n.Label)
		checks = append(checks, nodeChecks(n.ID)...)
	}
	for _, u := range wu {
		addWords(words, u.Context, u.Chosen)
		addWords(words, u.Rejected...)
	}
	for w := range words {
		checks = append(checks, func(r query.Reader) (any, error) { return r.WithWord(w) })
	}
	for _, check := range checks {
		w, g, err := both(want, got, check)
		if err != nil {
			return "", err
		}
		if d := diff("answer", w, g); d != "" {
			return d, nil
		}
	}
	return "", nil
}

// counted are the totals of the episodes that count: New counts copies too.
func counted(r query.Reader) (any, error) {
	t, err := r.Totals()
	t.Episodes, t.Copies = t.Episodes-t.Copies, 0
	return t, err
}

func nodeChecks(id string) []func(query.Reader) (any, error) {
	return []func(query.Reader) (any, error){
		func(r query.Reader) (any, error) { n, _, err := r.Node(id); return n, err },
		func(r query.Reader) (any, error) { return r.In(id) },
		func(r query.Reader) (any, error) { return r.Mentions(id) },
		func(r query.Reader) (any, error) {
			es, err := r.Out(id)
			if err != nil {
				return nil, err
			}
			all := []any{es}
			for _, e := range es {
				sts, err := r.Statements(e.Source, e.Target, e.Type)
				if err != nil {
					return nil, err
				}
				all = append(all, sts)
			}
			return all, nil
		},
	}
}

func both[T any](want, got query.Reader, ask func(query.Reader) (T, error)) (w, g T, err error) {
	if w, err = ask(want); err != nil {
		return w, g, fmt.Errorf("the wanted graph: %w", err)
	}
	if g, err = ask(got); err != nil {
		return w, g, fmt.Errorf("the graph under test: %w", err)
	}
	return w, g, nil
}

func diff(what string, want, got any) string {
	if d := cmp.Diff(want, got, cmpopts.EquateEmpty()); d != "" {
		return fmt.Sprintf("%s (-want +got):\n%s", what, d)
	}
	return ""
}

func addWords(set map[string]bool, texts ...string) {
	for _, t := range texts {
		for _, w := range keys.Words(t) {
			set[w] = true
		}
	}
}

func allNodes(r query.Reader) (out []causal.Node, err error) {
	err = r.Nodes(func(n causal.Node) error { out = append(out, n); return nil })
	return out, err
}

func allUses(r query.Reader) (out []causal.Use, err error) {
	err = r.Uses(func(u causal.Use) error { out = append(out, u); return nil })
	return out, err
}
