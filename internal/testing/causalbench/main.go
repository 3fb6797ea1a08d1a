// Command causalbench answers the benchmark of causal answers with the packages of
// this module. It has two modes:
//
//	causalbench bench --episodes DIR --queries FILE --out FILE
//	causalbench serve
//
// bench reads a folder of ADR-038 episodes and a file of questions, and writes the
// answers; serve reads one JSON object a line (reset, observe, advise) and replies
// to each. It has no logic of its own: every figure comes from package infer, every text
// from package query/text.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	if err := run(os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "causalbench:", err)
		os.Exit(1)
	}
}

func run(args []string, in io.Reader, out io.Writer) error {
	if len(args) == 0 {
		return fmt.Errorf("say bench or serve")
	}
	switch args[0] {
	case "serve":
		return serve(in, out)
	case "bench":
		f := flag.NewFlagSet("bench", flag.ContinueOnError)
		episodes := f.String("episodes", "", "folder of episode files")
		queries := f.String("queries", "", "file of questions")
		to := f.String("out", "", "file for the answers")
		if err := f.Parse(args[1:]); err != nil {
			return err
		}
		if *episodes == "" || *queries == "" || *to == "" {
			return fmt.Errorf("bench needs --episodes, --queries and --out")
		}
		return bench(*episodes, *queries, *to)
	}
	return fmt.Errorf("%q is neither bench nor serve", args[0])
}
