// Command episodes is a git-native causal memory for coding agents: it reads the
// logs that they leave, keeps decisions with their outcomes, and answers when an
// agent acts. See `episodes help`.
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
