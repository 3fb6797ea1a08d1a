// Command makememory writes a synthetic memory, to try the program at a size:
//
//	go run ./internal/synthetic/makememory -n 10000 DIR
//
// DIR becomes a memory folder; `episodes graph update --memory DIR` makes its graph.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"episodes/internal/synthetic"
)

func main() {
	seed := flag.Uint64("seed", 1, "seed of the random episodes")
	from := flag.Int("from", 0, "number of the first episode")
	n := flag.Int("n", 1000, "how many episodes")
	flag.Parse()
	if flag.NArg() != 1 || *n < 0 || *from < 0 {
		fmt.Fprintln(os.Stderr, "usage: makememory [-seed S] [-from I] [-n N] DIR")
		os.Exit(2)
	}
	size, err := synthetic.Memory{Seed: *seed}.Write(filepath.Join(flag.Arg(0), "episodes"), *from, *from+*n)
	if err != nil {
		fmt.Fprintln(os.Stderr, "makememory:", err)
		os.Exit(1)
	}
	fmt.Printf("%d episodes, %d KB\n", *n, size>>10)
}
