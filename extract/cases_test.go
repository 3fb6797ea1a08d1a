package extract

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const casesDir = "testdata/cases"

// The cases are short logs, each about a kind of statement that was once read as the
// reverse of what it says; beside each stands what is read in it.
func TestCases(t *testing.T) {
	for _, l := range logsIn(t, casesDir) {
		t.Run(l.name, func(t *testing.T) {
			res := read(t, Source{Path: l.name + ".md"}, l.data)
			sound(t, res, l.data)
			ep := res.Episode
			got := "task: " + ep.Task + "\n" + strings.Join(factLines(ep), "\n") + "\n"
			path := filepath.Join(casesDir, l.name+".golden")
			if *update {
				if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("facts differ from %s (-want +got):\n%s", path, diff)
			}
		})
	}
}

// A task is what the log set out to do, never when; where no line says it, the file's
// name does, or its folder's.
func TestTaskAndDate(t *testing.T) {
	for name, c := range map[string]struct{ path, log, task, date string }{
		"goal before title":     {"a.md", "# Session 4\n\n**Goal**: Mend the importer\n", "Mend the importer", ""},
		"no time stamp":         {"mirror/notes.md", "# 2026-05-20 09:15\n\nThe mirror lags.\n", "mirror", "2026-05-20T09:15:00Z"},
		"name of the file":      {"logs/2026-05-20-slow-mirror.md", "The mirror lags.\n", "slow mirror", "2026-05-20T00:00:00Z"},
		"folder of a bare name": {"slow-mirror/notes.md", "# Notes\n\nThe mirror lags.\n", "slow mirror", ""},
		"date before a title":   {"a.md", "# 2026-05-20 - Slow mirror again\n\nIt lags.\n", "Slow mirror again", "2026-05-20T00:00:00Z"},
		"date by its month":     {"a.md", "# Slow mirror\n\n**Date**: May 21, 2026\n", "Slow mirror", "2026-05-21T00:00:00Z"},
		"a result of a task":    {"a.md", "# Slow mirror\n\n## Objective\n\n100% (12/12)\n\nSOLVED ✅ by a cache\n\nAll tests passing\n", "Slow mirror", ""},
		"a title with a result": {"2026-05-20T09-15-00Z__slow-mirror.md", "# Task Completed\n\nThe mirror lags.\n", "slow mirror", ""},
		"a title of a tool":     {"a.md", "# Falcon Conversation Log\n\n## 👤 User\n\nMend the mirror\n\n## 🤖 Falcon\n\nI look at it.\n", "Mend the mirror", ""},
		"a question is empty":   {"a.md", "# Falcon Conversation Log\n\n## 👤 User\n\n## 🤖 Falcon\n\nI look at it.\n", "", ""},
		"nothing":               {"a/b.md", "", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			res := read(t, Source{Path: c.path}, []byte(c.log))
			sound(t, res, []byte(c.log))
			if got := res.Episode; got.Task != c.task || got.Timestamp != c.date {
				t.Errorf("got %q, %q; want %q, %q", got.Task, got.Timestamp, c.task, c.date)
			}
		})
	}
}
