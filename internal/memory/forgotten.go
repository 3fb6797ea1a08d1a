package memory

import (
	"maps"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/internal/fsstore"
)

// ForgottenName is the file of forgotten logs, kept in git with the episodes: a line with the
// SHA-256 of each log, or with the episode's id of an agent's session, since its log may
// grow. Lines are sorted, so that branches merge. Other lines have no effect.
const ForgottenName = "forgotten.txt"

// Forgotten returns the SHA-256 of the logs, and the ids of the sessions' episodes, that
// must not be read unless the user names them: those of the private part and, with shared, of the
// shared one, which others may have written.
func (m *Memory) Forgotten(shared bool) map[string]bool {
	out := map[string]bool{}
	for _, home := range m.homes() {
		if shared || home != m.top {
			readForgotten(home, out)
		}
	}
	return out
}

// Forgot lists what was added to the shared list in this run.
func (m *Memory) Forgot() []string { return m.forgot }

func forgettable(line string) bool {
	sum := len(line) == 64 && strings.Trim(line, "0123456789abcdef") == ""
	return sum || episode.ValidID(line)
}

func readForgotten(home *fsstore.Dir, out map[string]bool) {
	data, err := home.ReadLarge(ForgottenName, 16<<20)
	if err != nil {
		return
	}
	for line := range strings.Lines(string(data)) {
		if sum := strings.TrimSpace(line); forgettable(sum) {
			out[sum] = true
		}
	}
}

// Forget adds logs to the forgotten ones of a part. Anything but a SHA-256 or an id is
// ignored. The caller must hold the lock.
func (m *Memory) Forget(sums []string, private bool) error {
	all, home := map[string]bool{}, m.home(private)
	readForgotten(home, all)
	before := len(all)
	for _, s := range sums {
		if forgettable(s) {
			all[s] = true
			if home == m.top {
				m.forgot = append(m.forgot, s)
			}
		}
	}
	if len(all) == before {
		return nil
	}
	write := home.Write
	if home != m.top {
		write = home.WritePrivate
	}
	return write(ForgottenName, []byte(strings.Join(slices.Sorted(maps.Keys(all)), "\n")+"\n"))
}
