//go:build !unix

package proc

import (
	"context"
	"errors"
	"os"

	"episodes/internal/fsstore"
)

func tryLock(*os.File) (bool, error) { return true, nil }

func start(context.Context, *fsstore.Dir, Spec, *os.File) (*Durable, error) {
	return nil, errors.New("loops need a system with a Unix shell")
}
