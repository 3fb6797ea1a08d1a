package query_test

import (
	"fmt"
	"strings"
	"testing"

	"episodes/episode"
	"episodes/internal/testing/querytest"
	"episodes/query"
)

// Of many options an answer shows the two that are compared and the most used, and says
// how many others it pools.
func TestManyOptionsAreShownAsOne(t *testing.T) {
	word := func(i int) string {
		return "engine q" + strings.Repeat(string(rune('a'+i%26)), 1+i/26) + "x"
	}
	var eps []*episode.Episode
	for i := range 800 {
		eps = append(eps, querytest.Build(fmt.Sprintf("s%04d", i), episode.Success).Decide("Which engine drives the search?", word(i), episode.Success).Done())
	}
	for i := range 5 {
		eps = append(eps, querytest.Build(fmt.Sprintf("t%04d", i), episode.Failure).Decide("Which engine drives the search?", word(7), episode.Failure).Done())
	}
	res, err := query.WhatIf(querytest.New(eps...), query.WhatIfQuery{Option: word(500)})
	check(t, err)
	last := res.Options[len(res.Options)-1]
	if len(res.Options) != query.MostOptions+1 || last.Pooled != 800-query.MostOptions || last.N != 800-query.MostOptions || last.Option != "and 750 others, pooled" {
		t.Errorf("%d options, the last %+v", len(res.Options), last)
	}
	shown := map[string]int{}
	for _, o := range res.Options {
		shown[o.Option]++
	}
	if shown[word(500)] != 1 || shown[word(7)] != 1 || res.Actual.Option != word(7) {
		t.Errorf("the two that are compared are not shown: %v", shown)
	}
}
