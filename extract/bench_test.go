package extract

import (
	"bytes"
	"fmt"
	"os"
	"testing"
)

// BenchmarkLog reads real logs, most of them short.
func BenchmarkLog(b *testing.B) {
	logs, size := benchLogs(b)
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, l := range logs {
			if _, err := extractor.Log(l.source(), l.data); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// corpusDir holds real logs; they are not part of the repository. Without them
// the benchmarks read the project's own logs.
const corpusDir = "../../shared/corpus/session-logs-md"

func benchLogs(b *testing.B) ([]logFile, int64) {
	dir := corpusDir
	if _, err := os.Stat(dir); err != nil {
		dir = sessionsDir
	}
	logs := logsIn(b, dir)
	size := 0
	for _, l := range logs {
		size += len(l.data)
	}
	return logs, int64(size)
}

// BenchmarkSize doubles the input: twice the bytes should take twice the time.
func BenchmarkSize(b *testing.B) {
	for _, n := range []int{1, 2, 4, 8} {
		data := longLog(b, n<<18)
		b.Run(fmt.Sprintf("%dkB", len(data)>>10), func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if _, err := extractor.Log(Source{Path: "long.md"}, data); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// longLog repeats the own logs, as a file of many sessions does.
func longLog(tb testing.TB, size int) []byte {
	var b bytes.Buffer
	logs := sessionLogs(tb)
	for i := 0; b.Len() < size; i++ {
		l := logs[i%len(logs)]
		if l.name == "broken" { // its open fence would swallow the rest
			continue
		}
		fmt.Fprintf(&b, "%s\n\n", bytes.TrimSpace(l.data))
	}
	return b.Bytes()
}
