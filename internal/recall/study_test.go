package recall

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"episodes/patterns"
)

// What is kept of the statistics is that of the episodes as they are: it is read
// when nothing changed, and made anew when it is damaged or gone.
func TestStudyIsKept(t *testing.T) {
	s := session(t, "2026-01-01-a", "2026-01-02-b")
	ctx := context.Background()
	first, err := s.Study(ctx)
	if err != nil || first.Health().Sessions != 2 {
		t.Fatalf("%+v, %v", first.Health(), err)
	}
	if _, err := s.Patterns(ctx, patterns.Defaults()); err != nil {
		t.Fatal(err)
	}
	study, mined := filepath.Join(s.DerivedDir(), studyName), filepath.Join(s.DerivedDir(), minedName)
	kept, err := os.ReadFile(study)
	if err != nil {
		t.Fatal(err)
	}
	for _, damage := range []func() error{
		func() error { return nil },
		func() error { return os.WriteFile(study, []byte("broken"), 0o600) },
		func() error { return os.WriteFile(mined, kept[:len(kept)/2], 0o600) },
		func() error { return os.Remove(study) },
	} {
		if err := damage(); err != nil {
			t.Fatal(err)
		}
		s.study = nil
		again, err := s.Study(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(first.Health(), again.Health()); d != "" {
			t.Error(d)
		}
		if _, err := s.Patterns(ctx, patterns.Defaults()); err != nil {
			t.Fatal(err)
		}
		if now, err := os.ReadFile(study); err != nil || !bytes.Equal(now, kept) {
			t.Errorf("other bytes, %v", err)
		}
	}
}
