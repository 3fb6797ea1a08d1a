package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"episodes/internal/fsstore"
	"episodes/internal/learning"
)

// learning opens the reflexion folder of the memory.
func (a *app) learning(cmd *cobra.Command) (*learning.Folder, error) {
	o, err := a.options(cmd)
	if err != nil {
		return nil, err
	}
	return learning.Open(o)
}

func absoluteTo(cwd, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(cwd, path)
}

// input reads a file, if one is named; - is standard input.
func (a *app) input(ctx context.Context, file string) (in learning.Input, err error) {
	if in.Name = file; file != "" {
		in.Data, err = a.readInput(ctx, file)
	}
	return in, err
}

// maxInput is the largest input that is read, in bytes.
const maxInput = 64 << 20

func (a *app) readInput(ctx context.Context, file string) ([]byte, error) {
	if file == "-" {
		return a.readStdin(ctx)
	}
	data, err := fsstore.ReadInput(absoluteTo(a.cwd, file), maxInput)
	if err != nil {
		return nil, fmt.Errorf("read %q: %w", file, fsstore.Cause(err))
	}
	return data, nil
}

// readStdin reads standard input to its end, or until the user interrupts.
func (a *app) readStdin(ctx context.Context) ([]byte, error) {
	type read struct {
		data []byte
		err  error
	}
	done := make(chan read, 1)
	go func() {
		data, err := io.ReadAll(io.LimitReader(a.stdin, maxInput))
		done <- read{data, err}
	}()
	select {
	case r := <-done:
		if r.err != nil {
			return nil, fmt.Errorf("read standard input: %w", r.err)
		}
		return r.data, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
