// Command episodes is a git-native causal memory for coding agents: it reads the
// logs that they leave, keeps what was decided and what came of it, and answers
// when one of them acts. See `episodes help`.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	os.Exit(run(ctx, process()))
}
