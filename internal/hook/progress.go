package hook

import (
	"bytes"
	"io"

	"episodes/agents"
	"episodes/agents/agent"
	"episodes/extract/actions"
	"episodes/internal/ask"
	"episodes/internal/fsstore"
	"episodes/internal/plain"
	"episodes/internal/sources"
	"episodes/internal/turns"
)

// tail is how much of the end of a transcript is read, in bytes.
const tail = 2 << 20

// progress returns what a model needs whose context was compacted, in at most 250 tokens: failures of its
// own session that are still open, what was tried against them, the user's corrections, and the
// checks that passed. It is "" if there are none. It reads the last 2 MB of the transcript.
func (h *hook) progress(m *ask.Memory, path string) (string, error) {
	if err := sources.Kept(agent.Environment{Home: h.Home, Getenv: h.Getenv}, h.Agent, path); err != nil {
		return "", err
	}
	format := agents.Named(h.Agent).Format
	if format == nil {
		return "", nil
	}
	end, err := lastLines(path)
	if err != nil {
		return "", err
	}
	b := actions.New()
	b.Brief = true
	if err := format.Read(turns.NewReader(bytes.NewReader(end), b.Add)); err != nil {
		return "", err
	}
	const (
		head  = "This session so far, quoted from its transcript:\n"
		most  = 250 * 4 // bytes of the answer
		quote = 160     // of a quotation
	)
	text, is := head, b.Progress()
	for _, part := range []struct {
		label string
		facts []string
	}{{"Still failing", is.Open}, {"Tried and failed", is.Failed}, {"The user corrected", is.Corrected}, {"Passed, and nothing was edited since", is.Passed}} {
		for _, f := range part.facts {
			line := part.label + ": " + plain.Quote(plain.Inert(plain.Unquote(plain.Words(m.Redact(f)))), quote) + "\n"
			if len(text)+len(line) <= most {
				text += line
			}
		}
	}
	if text == head {
		return "", nil
	}
	return text, nil
}

// lastLines are the whole lines in the last part of a file.
func lastLines(path string) ([]byte, error) {
	f, err := fsstore.OpenInput("", path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	from := max(info.Size()-tail, 0)
	b := bytes.NewBuffer(make([]byte, 0, info.Size()-from+bytes.MinRead))
	_, err = b.ReadFrom(io.NewSectionReader(f, from, tail))
	data := b.Bytes()
	if from > 0 {
		_, data, _ = bytes.Cut(data, []byte("\n"))
	}
	return data, err
}
