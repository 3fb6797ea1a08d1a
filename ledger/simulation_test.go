package ledger

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"episodes/internal/testing/golden"
	"episodes/stats"
)

const figuresFile = "testdata/simulation.txt"

// TestSimulation delivers facts of known effect to agents that follow them or not, and counts
// when the facts go silent. The seeds are fixed, so the file has exactly these figures:
//
//	go test ./ledger -run Simulation -v
func TestSimulation(t *testing.T) {
	got := simulation()
	t.Logf("\n%s", got)
	golden.Is(t, figuresFile, got)
}

// scenario is a fact, and those who are told it.
type scenario struct {
	name    string
	back    float64 // the failure comes back after the fact was followed
	follows float64 // agents that follow
	holdout float64
}

const (
	simulated = 10_000
	untold    = 0.3 // the failure comes back where nothing was told, or nobody followed
	known     = 20  // sessions that met other failures untold
	mostTold  = 100
)

var marksAt = []int{10, 25, 50, mostTold}

func simulation() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d facts each; untold, and where it is not followed, a failure comes back in %.0f %% of sessions\n", simulated, 100*untold)
	fmt.Fprintf(&b, "share silent after so many deliveries [95 %% interval]; median of deliveries until then\n\n")
	fmt.Fprintf(&b, "%-36s", "fact, agents, holdout")
	for _, at := range marksAt {
		fmt.Fprintf(&b, "%-24s", fmt.Sprint(at))
	}
	b.WriteString("median\n")
	for i, s := range []scenario{
		{"useful (10 %), 80 % follow", 0.1, 0.8, 0},
		{"useful (10 %), 80 % follow, 0.1", 0.1, 0.8, 0.1},
		{"useful (10 %), 50 % follow", 0.1, 0.5, 0},
		{"useful (10 %), 20 % follow", 0.1, 0.2, 0},
		{"useful (10 %), nobody follows", 0.1, 0, 0},
		{"neutral (30 %), 80 % follow", 0.3, 0.8, 0},
		{"harmful (60 %), 80 % follow", 0.6, 0.8, 0},
		{"harmful (60 %), 80 % follow, 0.1", 0.6, 0.8, 0.1},
		{"harmful (60 %), 50 % follow", 0.6, 0.5, 0},
	} {
		b.WriteString(s.run(rand.New(rand.NewPCG(19, uint64(i)))))
	}
	return b.String()
}

// run simulates facts until each is silent, or was told often enough, and gives a row.
func (s scenario) run(r *rand.Rand) string {
	var at []int // deliveries of those that went silent
	for range simulated {
		if n, silent := s.one(r); silent {
			at = append(at, n)
		}
	}
	slices.Sort(at)
	var b strings.Builder
	fmt.Fprintf(&b, "%-36s", s.name)
	for _, mark := range marksAt {
		n, _ := slices.BinarySearch(at, mark+1)
		i := stats.Wilson(n, simulated, 0.95)
		fmt.Fprintf(&b, "%-24s", fmt.Sprintf("%.1f %% [%.1f, %.1f]", 100*float64(n)/simulated, 100*i.Low, 100*i.High))
	}
	median := "-"
	if len(at) > 0 {
		median = fmt.Sprint(at[len(at)/2])
	}
	return b.String() + median + "\n"
}

// one is one fact: how often it was told until it went silent.
func (s scenario) one(r *rand.Rand) (told int, silent bool) {
	var f Figures
	var others Rate
	for range known {
		others.add(r.Float64() < untold)
	}
	f.ControlHere.add(r.Float64() < untold) // the session that the fact is from
	for told < mostTold {
		if r.Float64() < s.holdout {
			f.ControlHere.add(r.Float64() < untold)
			continue
		}
		told++
		follows := r.Float64() < s.follows
		f.Followed.add(follows)
		if follows {
			f.BackHere.add(r.Float64() < s.back)
		}
		all := Rate{others.Count + f.ControlHere.Count, others.Of + f.ControlHere.Of}
		if judge(&f, all).Silence != "" {
			return told, true
		}
	}
	return told, false
}
