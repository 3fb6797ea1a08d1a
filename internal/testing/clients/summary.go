package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
)

// runAll runs variants, some at once, and prints the table. It runs in the namespace.
func runAll(o options, chosen []*variant) error {
	start := time.Now()
	var wg sync.WaitGroup
	var mu sync.Mutex
	var all []result
	slots := make(chan struct{}, o.jobs)
	for _, v := range chosen {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			begun := time.Now()
			c := &checker{variant: v.name}
			if err := one(o, v, c); err != nil {
				c.check("the run itself", false, err)
			}
			mu.Lock()
			defer mu.Unlock()
			all = append(all, c.results...)
			fmt.Printf("%s: %d of %d checks in %.0f s\n", v.name, passed(c.results), len(c.results), time.Since(begun).Seconds())
		})
	}
	wg.Wait()
	fmt.Print(table(chosen, all))
	fmt.Printf("%d of %d checks pass, %.0f s\n", passed(all), len(all), time.Since(start).Seconds())
	if passed(all) < len(all) {
		os.Exit(1)
	}
	return nil
}

// one runs all that a variant goes through.
func one(o options, v *variant, c *checker) error {
	p, err := newPlace(o, v, "two")
	if err != nil {
		return err
	}
	defer p.close()
	sessions := twoSessions(p, c)
	if o.update {
		if err := p.keep(sessions); err != nil {
			return err
		}
	}
	if !v.alone() {
		removal(p, c)
		return nil
	}
	asked(p, c)
	healthy(p, c)
	removal(p, c)
	for _, s := range situations {
		p, err := newPlace(o, v, s.name)
		if err == nil {
			err = s.run(p, c)
			p.close()
		}
		if err != nil {
			c.check(s.name, false, err)
		}
	}
	return nil
}

func passed(rs []result) (n int) {
	for _, r := range rs {
		if r.ok {
			n++
		}
	}
	return n
}

// table has a row for each check and a column for each variant, and the notes of what failed below.
func table(vs []*variant, rs []result) string {
	var b, notes strings.Builder
	var checks []string
	for _, r := range rs {
		if !slices.Contains(checks, r.check) {
			checks = append(checks, r.check)
		}
	}
	fmt.Fprintf(&b, "%-42s", "")
	for _, v := range vs {
		fmt.Fprintf(&b, " %-10s", v.name)
	}
	b.WriteByte('\n')
	for _, check := range checks {
		fmt.Fprintf(&b, "%-42s", check)
		for _, v := range vs {
			word := "-"
			for _, r := range rs {
				if r.variant != v.name || r.check != check {
					continue
				}
				if word = "ok"; !r.ok {
					word = "FAIL"
					note := r.note
					if len(note) > 400 {
						note = note[:400] + "…"
					}
					fmt.Fprintf(&notes, "%s: %s: %s\n", v.name, check, note)
				}
			}
			fmt.Fprintf(&b, " %-10s", word)
		}
		b.WriteByte('\n')
	}
	return b.String() + notes.String()
}
