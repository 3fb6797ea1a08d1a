//go:build !linux

package memory

import "os"

// watch tells what happens to the names in a folder while it is open.
type watch struct{}

// watchFolder begins a watch; nil where that cannot be.
func watchFolder(*os.Root) *watch { return nil }

func (*watch) close() {}

func (*watch) others(func(name string) bool) bool { return true }
