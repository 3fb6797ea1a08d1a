//go:build !unix

package proc

import (
	"context"
	"errors"
	"os"
)

func tryLock(*os.File) (bool, error) { return true, nil }

func start(context.Context, string, Spec, *os.File) (*Durable, error) {
	return nil, errors.New("loops need a system with a Unix shell")
}
