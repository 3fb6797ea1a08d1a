package recall

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"hash/fnv"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"episodes/episode"
)

// FormatVersion is the version of the format of segments and of the rules that split texts
// into terms. Segments of another version have to be rebuilt.
//
//	1  the first
const FormatVersion = 12

// A segment consists of these parts, with little-endian numbers: a header of nine words
// (number of documents, sessions and terms, end offset of each other part), a row for each
// document and for each session, both read when the segment is opened, a row for each
// document with what a quotation needs, the term dictionary sorted by hash, the posting
// lists, the texts.
const (
	headSize    = 9 * 8
	docRow      = 8  // session, kind, class of advice, length
	quoteRow    = 16 // first and last line, offset and size of the text
	sessionRow  = 24 // offset and size of the record, length of all documents, rank, see rank
	termRow     = 10 // hash of 48 bits, offset of the posting list
	tfSteps     = 8  // term frequencies are stored in eighths
	headWeight  = 0.5
	titleWeight = 0.125 // of the session's task
)

// keptBit is set in the kind of a document whose text is in another file. In the place of the text
// are its offset and size there and its CRC-32, all as varints.
const keptBit = 0x80

// The flags in the record of a session.
const failedFlag, namedFlag = "failed", "named"

// ErrDamaged is returned for a segment that Build did not make, or that cannot be read.
var ErrDamaged = errors.New("damaged index")

// usual are the most frequent term frequencies: of a word that occurs once, only in the title, or
// twice. The lowest bits of a posting are an index into it; the rest is the difference to the
// document before. For other frequencies the index is len(usual), and a byte follows.
var usual = [...]uint8{tfSteps, 1, 2 * tfSteps}

const usualBits = 2

// termBits are the bits of a hash in the dictionary.
const termBits = 1<<48 - 1

func hashOf(term string) uint64 {
	h := fnv.New64a()
	_, _ = io.WriteString(h, term)
	return h.Sum64()
}

type builder struct {
	docs, quotes, sessions, texts, records bytes.Buffer
	postings                               map[string][]posting
}

// posting is the frequency of a term in a document, weighted by field.
type posting struct {
	doc uint32
	tf  uint8 // in units of 1/tfSteps
}

// append appends a posting to a list whose last document is last.
func (p posting) append(list []byte, last uint32) []byte {
	i := slices.Index(usual[:], p.tf)
	if i < 0 {
		i = len(usual)
	}
	list = binary.AppendUvarint(list, uint64(p.doc-last)<<usualBits|uint64(i))
	if i == len(usual) {
		list = append(list, p.tf)
	}
	return list
}

// readPostings is the reverse for a whole list, in a segment with a number of documents.
func readPostings(list []byte, docs int) ([]posting, error) {
	out, doc := make([]posting, 0, len(list)), uint64(0)
	for len(list) > 0 {
		n, k := binary.Uvarint(list)
		if doc += n >> usualBits; k <= 0 || doc >= uint64(docs) {
			return nil, ErrDamaged
		}
		list = list[k:]
		p := posting{doc: uint32(doc)}
		switch i := n & (1<<usualBits - 1); {
		case i < uint64(len(usual)):
			p.tf = usual[i]
		case len(list) == 0:
			return nil, ErrDamaged
		default:
			p.tf, list = list[0], list[1:]
		}
		out = append(out, p)
	}
	return out, nil
}

// Build returns the segment of sessions. The same sessions in the same order give the same
// bytes.
func Build(sessions []*Session) []byte {
	b := builder{postings: map[string][]posting{}}
	docs := 0
	for i, s := range sessions {
		docs = b.add(i, s, docs)
	}
	rowsOf := b.sessions.Bytes()
	for i := range sessions { // records follow the texts
		row := rowsOf[i*sessionRow:]
		binary.LittleEndian.PutUint32(row, binary.LittleEndian.Uint32(row)+uint32(b.texts.Len()))
	}
	b.texts.Write(b.records.Bytes())
	names := make([]string, 0, len(b.postings))
	hashes := make(map[string]uint64, len(b.postings))
	for t := range b.postings {
		names, hashes[t] = append(names, t), hashOf(t)&termBits
	}
	slices.SortFunc(names, func(x, y string) int { return cmp.Or(cmp.Compare(hashes[x], hashes[y]), cmp.Compare(x, y)) })
	var rows, lists []byte
	for _, t := range names {
		rows = binary.LittleEndian.AppendUint64(rows, hashes[t]|uint64(len(lists))<<48)
		rows = binary.LittleEndian.AppendUint16(rows, uint16(len(lists)>>16))
		last := uint32(0)
		for _, p := range b.postings[t] {
			lists = p.append(lists, last)
			last = p.doc
		}
	}
	var out []byte
	at := uint64(headSize)
	for _, n := range []int{docs, len(sessions), len(names)} {
		out = binary.LittleEndian.AppendUint64(out, uint64(n))
	}
	parts := [][]byte{b.docs.Bytes(), b.sessions.Bytes(), b.quotes.Bytes(), rows, lists, b.texts.Bytes()}
	for _, p := range parts {
		at += uint64(len(p))
		out = binary.LittleEndian.AppendUint64(out, at)
	}
	for _, p := range parts {
		out = append(out, p...)
	}
	return out
}

func (b *builder) add(number int, s *Session, docs int) int {
	title := count(s.Task)
	total := 0
	for i := range s.Docs {
		d := &s.Docs[i]
		tf := count(d.Text)
		length := 0
		for _, n := range tf {
			length += int(n)
		}
		total += length
		for t, n := range count(d.Heading) {
			tf[t] += n * headWeight
		}
		if d.Kind != Task {
			for t, n := range title {
				tf[t] += n * titleWeight
			}
		}
		for t, n := range tf {
			b.postings[t] = append(b.postings[t], posting{uint32(docs), uint8(min(255, math.Ceil(n*tfSteps)))})
		}
		at := b.texts.Len()
		b.texts.WriteString(d.ID + "\x00" + d.Ended + "\x00" + d.Heading + "\x00")
		kind := byte(d.Kind)
		if d.from > 0 {
			kind |= keptBit
			for _, n := range []uint64{uint64(d.from), uint64(len(d.Text)), uint64(crc32.ChecksumIEEE([]byte(d.Text)))} {
				b.texts.Write(binary.AppendUvarint(nil, n))
			}
		} else {
			b.texts.WriteString(d.Text)
		}
		row := binary.LittleEndian.AppendUint32(nil, uint32(number))
		row = append(row, kind, byte(d.Says))
		row = binary.LittleEndian.AppendUint16(row, uint16(min(length, math.MaxUint16)))
		b.docs.Write(row)
		for _, n := range []int{d.Lines[0], d.Lines[1], at, b.texts.Len() - at} {
			b.quotes.Write(binary.LittleEndian.AppendUint32(nil, uint32(n)))
		}
		docs++
	}
	at := b.records.Len()
	flags := ""
	if s.Failed {
		flags = failedFlag
	}
	if s.Named {
		flags += namedFlag
	}
	for _, f := range []string{s.Episode, s.SHA256, s.Name, s.Log, s.Date, s.Task, flags} {
		b.records.WriteString(f + "\x00")
	}
	row := binary.LittleEndian.AppendUint32(nil, uint32(at))
	row = binary.LittleEndian.AppendUint32(row, uint32(b.records.Len()-at))
	row = binary.LittleEndian.AppendUint64(row, uint64(total))
	b.sessions.Write(binary.LittleEndian.AppendUint64(row, rank(s)))
	return docs
}

// rank breaks ties between sessions across segments: by date, newest first, then by id.
func rank(s *Session) uint64 {
	const days = 16 // bits
	t, err := time.Parse("2006-01-02", s.Date)
	if err != nil {
		return hashOf(s.Episode) >> days
	}
	day := max(0, t.Unix()/(24*60*60))
	return uint64(min(day, 1<<days-1))<<(64-days) | hashOf(s.Episode)>>days
}

func count(text string) map[string]float64 {
	m := map[string]float64{}
	terms(text, true, func(t term) { m[t.text]++ })
	return m
}

// Segment is an opened segment. It reads what a question needs on demand and is safe for
// concurrent use if its reader is.
type Segment struct {
	// Kept returns the file with the text of a session's transcript; "" without one.
	// Documents whose text is no longer in it are left out of answers. If nil, there is no file.
	Kept func(episode string) string

	r                     io.ReaderAt
	docs, sessions, terms int
	at                    [7]int64 // offsets of the parts, and the end
	rows                  []byte   // of the documents
	sums                  []byte   // of the sessions
}

// OpenSegment opens a segment of size bytes, or returns ErrDamaged. The caller closes r when
// the segment is no longer used.
func OpenSegment(r io.ReaderAt, size int64) (*Segment, error) {
	var head [headSize]byte
	if _, err := r.ReadAt(head[:], 0); err != nil {
		return nil, ErrDamaged
	}
	n := func(i int) int64 { return int64(binary.LittleEndian.Uint64(head[8*i:])) }
	s := &Segment{r: r, docs: int(n(0)), sessions: int(n(1)), terms: int(n(2)),
		at: [7]int64{headSize, n(3), n(4), n(5), n(6), n(7), n(8)}}
	if min(n(0), n(1), n(2)) < 0 || n(0) > size || n(1) > size || n(2) > size || s.at[6] != size || !slices.IsSorted(s.at[:]) ||
		s.at[1]-s.at[0] != n(0)*docRow || s.at[2]-s.at[1] != n(1)*sessionRow || s.at[3]-s.at[2] != n(0)*quoteRow ||
		s.at[4]-s.at[3] != n(2)*termRow {
		return nil, ErrDamaged
	}
	var err error
	if s.rows, err = s.read(s.at[0], s.at[2]-s.at[0]); err != nil {
		return nil, err
	}
	s.rows, s.sums = s.rows[:s.docs*docRow], s.rows[s.docs*docRow:]
	for i := range s.docs {
		if s.session(i) >= s.sessions {
			return nil, ErrDamaged
		}
	}
	return s, nil
}

func (s *Segment) read(at, size int64) ([]byte, error) {
	if at < 0 || size < 0 || at+size > s.at[6] {
		return nil, ErrDamaged
	}
	if size == 0 {
		return nil, nil
	}
	b := make([]byte, size)
	if _, err := s.r.ReadAt(b, at); err != nil {
		return nil, ErrDamaged
	}
	return b, nil
}

func (s *Segment) session(doc int) int {
	return int(binary.LittleEndian.Uint32(s.rows[doc*docRow:]))
}

// quote reads the lines of a document, and the offset and size of its text.
func (s *Segment) quote(doc int) (lines episode.Span, at, size int64, err error) {
	b, err := s.read(s.at[2]+int64(doc)*quoteRow, quoteRow)
	if err != nil {
		return lines, 0, 0, err
	}
	n := func(i int) int64 { return int64(binary.LittleEndian.Uint32(b[4*i:])) }
	return episode.Span{int(n(0)), int(n(1))}, n(2), n(3), nil
}

// first returns the first document of a document's session.
func (s *Segment) first(doc int) int {
	for doc > 0 && s.session(doc-1) == s.session(doc) {
		doc--
	}
	return doc
}

// parts returns the number of parts of the sessions that are not dead, see partDocs.
func (s *Segment) parts(dead map[int]bool) (n int) {
	last, size := -1, 0
	for doc := range s.docs {
		session := s.session(doc)
		if session != last {
			last, size = session, 0
		}
		if size%partDocs == 0 && !dead[session] {
			n++
		}
		size++
	}
	return n
}

func (s *Segment) kind(doc int) Kind { return Kind(s.rows[doc*docRow+4] &^ keptBit) }
func (s *Segment) says(doc int) Says { return Says(s.rows[doc*docRow+5]) }
func (s *Segment) length(doc int) int {
	return int(binary.LittleEndian.Uint16(s.rows[doc*docRow+6:]))
}

// total returns the length of all documents of a session in terms.
func (s *Segment) total(session int) int {
	return int(binary.LittleEndian.Uint64(s.sums[session*sessionRow+8:]))
}

func (s *Segment) rank(session int) uint64 {
	return binary.LittleEndian.Uint64(s.sums[session*sessionRow+16:])
}

// postings returns the posting list of a term, or nil.
func (s *Segment) postings(term string) ([]posting, error) {
	want, from, end := hashOf(term)&termBits, int64(-1), s.at[5]-s.at[4]
	low, high := 0, s.terms
	for low < high {
		mid := (low + high) / 2
		got, at, err := s.term(mid)
		switch {
		case err != nil:
			return nil, err
		case got == want:
			from, low, high = at, mid, mid
		case got < want:
			low = mid + 1
		default:
			high = mid
		}
	}
	if from < 0 {
		return nil, nil
	}
	if low+1 < s.terms { // posting lists are in the order of the dictionary
		var err error
		if _, end, err = s.term(low + 1); err != nil {
			return nil, err
		}
	}
	b, err := s.read(s.at[4]+from, end-from)
	if err != nil {
		return nil, err
	}
	return readPostings(b, s.docs)
}

// term reads a row of the dictionary: the hash of a term, and the offset of its posting list.
func (s *Segment) term(i int) (hash uint64, at int64, err error) {
	b, err := s.read(s.at[3]+int64(i)*termRow, termRow)
	if err != nil {
		return 0, 0, err
	}
	return binary.LittleEndian.Uint64(b) & termBits, int64(binary.LittleEndian.Uint32(b[6:])), nil
}

// document reads a document. It is nil if its text is no longer in the file that had it.
func (s *Segment) document(doc int) (*Document, error) {
	lines, at, size, err := s.quote(doc)
	if err != nil {
		return nil, err
	}
	b, err := s.read(s.at[5]+at, size)
	if err != nil {
		return nil, err
	}
	f := bytes.SplitN(b, []byte{0}, 4)
	if len(f) < 4 {
		return nil, ErrDamaged
	}
	text := string(f[3])
	if s.rows[doc*docRow+4]&keptBit != 0 {
		if text, err = s.kept(s.session(doc), f[3]); text == "" || err != nil {
			return nil, err
		}
	}
	return &Document{Kind: s.kind(doc), Says: s.says(doc), ID: string(f[0]), Ended: string(f[1]),
		Heading: string(f[2]), Text: text, Lines: lines}, nil
}

// kept reads the text of a document from the file that has it; "" if it is no longer there.
func (s *Segment) kept(session int, place []byte) (string, error) {
	var at [3]uint64 // offset, size, CRC-32
	for i := range at {
		n, k := binary.Uvarint(place)
		if k <= 0 {
			return "", ErrDamaged
		}
		at[i], place = n, place[k:]
	}
	of, err := s.Session(session)
	if err != nil || s.Kept == nil {
		return "", err
	}
	file := s.Kept(of.Episode)
	if at[0] > uint64(len(file)) || at[1] > uint64(len(file))-at[0] {
		return "", nil
	}
	text := file[at[0] : at[0]+at[1]]
	if uint64(crc32.ChecksumIEEE([]byte(text))) != at[2] {
		return "", nil
	}
	return text, nil
}

// record returns the offset and size of a session's record in the texts.
func (s *Segment) record(i int) (at, size int64) {
	row := s.sums[i*sessionRow:]
	return int64(binary.LittleEndian.Uint32(row)), int64(binary.LittleEndian.Uint32(row[4:]))
}

// Session reads the record of a session, without its documents.
func (s *Segment) Session(i int) (*Session, error) {
	at, size := s.record(i)
	b, err := s.read(s.at[5]+at, size)
	if err != nil {
		return nil, err
	}
	return sessionOf(b)
}

// AllSessions reads the records of all sessions at once.
func (s *Segment) AllSessions() ([]*Session, error) {
	if s.sessions == 0 {
		return nil, nil
	}
	first, _ := s.record(0)
	b, err := s.read(s.at[5]+first, s.at[6]-s.at[5]-first)
	if err != nil {
		return nil, err
	}
	out := make([]*Session, s.sessions)
	for i := range out {
		at, size := s.record(i)
		if at < first || at-first+size > int64(len(b)) {
			return nil, ErrDamaged
		}
		if out[i], err = sessionOf(b[at-first : at-first+size]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func sessionOf(record []byte) (*Session, error) {
	f := bytes.Split(record, []byte{0})
	if len(f) != 8 {
		return nil, ErrDamaged
	}
	return &Session{Episode: string(f[0]), SHA256: string(f[1]), Name: string(f[2]), Log: string(f[3]),
		Date: string(f[4]), Task: string(f[5]),
		Failed: strings.Contains(string(f[6]), failedFlag), Named: strings.Contains(string(f[6]), namedFlag)}, nil
}

// Sessions returns the number of sessions.
func (s *Segment) Sessions() int { return s.sessions }
