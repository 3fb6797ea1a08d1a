//go:build unix

package main

import (
	"cmp"
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
	two := slices.DeleteFunc(slices.Clone(all), func(r result) bool { return r.single })
	fmt.Printf("two sessions: %d of %d checks; single situations: %d of %d; %.0f s\n",
		passed(two), len(two), passed(all)-passed(two), len(all)-len(two), time.Since(start).Seconds())
	if passed(all) < len(all) {
		os.Exit(1)
	}
	return nil
}

// one runs all that a variant goes through.
func one(o options, v *variant, c *checker) error {
	if o.situation != "" {
		c.single = true
		o.situations(v, c)
		return nil
	}
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
	if c.single = true; v.alone() {
		asked(p, c)
		healthy(p, c)
	}
	c.single = false
	removal(p, c)
	if c.single = true; !v.alone() {
		return nil
	}
	o.situations(v, c)
	return nil
}

// situations lets a variant go through all single situations, or through the chosen one.
func (o options) situations(v *variant, c *checker) {
	for _, s := range situations {
		if o.situation != "" && o.situation != s.name {
			continue
		}
		p, err := newPlace(o, v, s.name)
		if err == nil && s.wired {
			err = p.setUp()
		}
		if err == nil {
			err = s.run(p, c)
		}
		if p != nil {
			p.close()
		}
		if err != nil {
			c.check(s.name, false, err)
		}
	}
}

func passed(rs []result) (n int) {
	for _, r := range rs {
		if r.ok {
			n++
		}
	}
	return n
}

// table has a row for each check and a column for each variant.
func table(vs []*variant, rs []result) string {
	var b strings.Builder
	var checks []string
	words := map[[2]string]string{}
	for _, r := range rs {
		if !slices.Contains(checks, r.check) {
			checks = append(checks, r.check)
		}
		words[[2]string{r.variant, r.check}] = map[bool]string{true: "ok", false: "FAIL"}[r.ok]
	}
	fmt.Fprintf(&b, "%-48s", "")
	for _, v := range vs {
		fmt.Fprintf(&b, " %-10s", v.name)
	}
	for _, check := range checks {
		fmt.Fprintf(&b, "\n%-48s", check)
		for _, v := range vs {
			fmt.Fprintf(&b, " %-10s", cmp.Or(words[[2]string{v.name, check}], "-"))
		}
	}
	return b.String() + "\n"
}
