package extract

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"episodes/episode"
)

// planted are secrets and personal data, each with words of its own: no key of a real
// provider stands in this file.
var planted = map[string]string{
	"Kw9Trq2Zx7Lm":       "postgres://app:Kw9Trq2Zx7Lm@db.corp.dev/app",
	"Vb4Nns8Qq1Wd":       "DB_PASSWORD=Vb4Nns8Qq1Wd",
	"bob.miller":         "bob.miller@corp.dev",
	"/home/bobmill":      "/home/bobmill/src/app",
	"9f8e7d6c5b4a39281":  "Authorization: Bearer 9f8e7d6c5b4a39281706f5e4d3c2b1a0",
	"MIIEvQIBADANBgkqhk": "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQ\n-----END PRIVATE KEY-----",
}

// texts are the planted secrets in sentences that facts are made of.
func plantedTexts() []string {
	var out []string
	for _, p := range planted {
		out = append(out, "The deployment failed: the error was "+p)
	}
	return out
}

func plantedMarkdown() string {
	var b strings.Builder
	b.WriteString("# Session: rotate " + planted["bob.miller"] + "\n\n## Errors\n\n")
	for _, t := range plantedTexts() {
		b.WriteString("- " + strings.ReplaceAll(t, "\n", "\n  ") + "\n")
	}
	b.WriteString("\n## Decisions\n\n")
	for _, t := range plantedTexts() {
		fmt.Fprintf(&b, "- Decided to use `%s` instead of the old one, because it works\n", strings.ReplaceAll(strings.TrimPrefix(t, "The deployment failed: the error was "), "\n", " "))
	}
	return b.String()
}

func plantedSessionJSON(t *testing.T) string {
	work := []map[string]any{}
	for _, s := range plantedTexts() {
		work = append(work, map[string]any{"action": s, "outcome": s})
	}
	data, err := json.MarshalIndent(map[string]any{
		"session": map[string]any{"number": 12, "date": "2026-01-05", "objective": "rotate " + planted["bob.miller"]}, "workLog": work,
	}, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func plantedTranscript(t *testing.T) string {
	var b strings.Builder
	line := func(kind, role string, content any) {
		data, err := json.Marshal(map[string]any{"type": kind, "uuid": fmt.Sprint(b.Len()), "sessionId": "5f0c1f9e-0000-4000-8000-000000000001", "cwd": "/home/bobmill/src/app",
			"timestamp": "2026-01-05T10:00:00Z", "version": "2.0.0", "message": map[string]any{"role": role, "content": content}})
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(data, '\n'))
	}
	line("user", "user", "rotate the key of "+planted["bob.miller"])
	for i, s := range plantedTexts() {
		id := fmt.Sprintf("toolu_%d", i)
		line("assistant", "assistant", []any{map[string]any{"type": "tool_use", "id": id, "name": "Bash", "input": map[string]any{"command": "go test ./... # " + s}}})
		line("user", "user", []any{map[string]any{"type": "tool_result", "tool_use_id": id, "is_error": true, "content": "Exit code 1\n--- FAIL: TestDeploy\n    x_test.go:3: " + s + strings.Repeat("\nmore", 8000) + "\nError: " + s}})
		line("assistant", "assistant", []any{map[string]any{"type": "text", "text": "I decided to go without it: " + s}})
	}
	return b.String()
}

func TestSecretsReachNoEpisode(t *testing.T) {
	for name, log := range map[string]string{"a.md": plantedMarkdown(), "2026-01-05-session-12.json": plantedSessionJSON(t), "s.jsonl": plantedTranscript(t)} {
		res, err := New(Vocabulary{}).Read(Source{Path: name, Explain: true}, strings.NewReader(log))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		data, err := episode.Marshal(res.Episode)
		if err != nil {
			t.Fatal(err)
		}
		if len(res.Episode.Events) == 0 {
			t.Errorf("%s: no events: %s", name, data)
		}
		all := string(data) + string(res.Data) + fmt.Sprint(res.Diagnostics, res.Taken)
		if res.Said != nil {
			kept := string(MarshalSaid(res.Said()))
			if strings.Count(kept, "I decided to go without it") != len(planted) {
				t.Errorf("%s: kept is %q", name, kept)
			}
			all += kept
		}
		for secret := range planted {
			if strings.Contains(all, secret) {
				t.Errorf("%s: %q is left", name, secret)
			}
		}
		if !res.Episode.Sealed() {
			t.Errorf("%s: not sealed", name)
		}
		if sum := sha256.Sum256([]byte(log)); res.Episode.Provenance.Source.SHA256 != hex.EncodeToString(sum[:]) {
			t.Errorf("%s: the digest is not of the log", name)
		}
		if len(res.Data) > 0 && strings.Count(string(res.Data), "\n") != strings.Count(log, "\n") {
			t.Errorf("%s: other lines", name)
		}
		said := false
		for _, d := range res.Diagnostics {
			said = said || d.Code == "redacted" && strings.Contains(d.Message, "email")
		}
		if !said {
			t.Errorf("%s: not told: %v", name, res.Diagnostics)
		}
	}
}

func TestRedactionOfTheProject(t *testing.T) {
	v, err := ReadVocabulary([]byte("[redact]\npatterns = ['ACME-\\d+']\nallow = ['bob\\.miller@corp\\.dev']\n"))
	if err != nil {
		t.Fatal(err)
	}
	own := New(v)
	if own.Rules() == New(Vocabulary{}).Rules() {
		t.Error("the rules have the name of the built-in ones")
	}
	res, err := own.Log(Source{Path: "a.md"}, []byte("# ACME-12 of bob.miller@corp.dev\n\n- Error: the build broke at ACME-12, ask bob.miller@corp.dev\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got := string(res.Data); strings.Contains(got, "ACME-12") || !strings.Contains(got, "bob.miller@corp.dev") {
		t.Errorf("got %q", got)
	}
	for _, bad := range []string{"[redact]\npatterns = ['(']", "[redact]\nallow = ['" + strings.Repeat("a", 300) + "']",
		"[redact]\npatterns = ['(a?){1000}']", "[redact]\npatterns = ['(?:(?:a?){30}){30}']"} {
		if v, err := ReadVocabulary([]byte(bad)); err != nil || len(v.Refused) != 1 {
			t.Errorf("%q: %v, refused: %q", bad, err, v.Refused)
		}
	}
	v, err = ReadVocabulary([]byte("[redact]\npatterns = ['(', '(a?){1000}', 'ACME-\\d+']\n"))
	if got := New(v).Redactor().String("see ACME-12"); err != nil || len(v.Refused) != 2 || got != "see [redacted project]" {
		t.Errorf("%v, refused: %q, got %q", err, v.Refused, got)
	}
}
