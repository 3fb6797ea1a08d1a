package recall

import (
	"cmp"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"maps"
	"math"
	"slices"
	"sort"
	"strings"
	"time"

	"episodes/episode"
)

// FormatVersion is the version of the format of segments and of the rules that split texts
// into terms. Segments of another version have to be rebuilt.
//
//	1  the first
const FormatVersion = 21

// A segment is a head (numbers of documents, sessions and terms, size of the data), a table and
// data. The table has a row for each document, session and term, the terms sorted by hash. The
// data are the records and posting lists; a place in them is an offset and a size of 32 bits
// each. Numbers are little-endian words of 64 bits. A posting list has a varint for each
// document: a bit that is set if eight bits with the frequency of the term follow (otherwise 1),
// then the difference to the document before, counted from 1.
const (
	word         = 8
	headWords    = 4
	docWords     = 2     // session, length, kind, class of advice; place
	sessionWords = 3     // length of all documents; rank; place
	termWords    = 2     // hash; place of the posting list
	tfSteps      = 8     // term frequencies are stored in eighths
	headWeight   = 0.5   // twice: 22 % of the given questions get the right words, not 25
	titleWeight  = 0.125 // of the session's task
)

// recordNumbers are the varints in front of the texts of a document's record: its lines, of a text that is in another
// file the offset there, else 0, the size and the CRC-32, and whose words it is.
const recordNumbers = 6

// ErrDamaged is returned for a segment that no Builder made, or that cannot be read.
var ErrDamaged = errors.New("damaged index")

// hashOf is FNV-1a, as in hash/fnv but without an allocation for each term.
func hashOf(term string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(term) {
		h = (h ^ uint64(term[i])) * 1099511628211
	}
	return h
}

// posting is the frequency of a term in a document, weighted by field.
type posting struct {
	doc uint32
	tf  uint8 // in units of 1/tfSteps
}

// Builder makes a segment of sessions that are added one by one. It keeps none of them. The
// same sessions in the same order give the same bytes.
type Builder struct {
	docs, sessions, data []byte
	lists                map[uint64]*list
	title, tf            counts // of the session and the document being added
}

// list is a posting list that grows.
type list struct {
	data []byte
	end  uint32 // the last document, counted from 1
}

// post adds a document to the list of a term. Documents come in order.
func (b *Builder) post(term uint64, doc int, tf uint8) {
	l := b.lists[term]
	if l == nil {
		l = &list{}
		b.lists[term] = l
	}
	n := uint64(uint32(doc)+1-l.end) << 1
	if tf != tfSteps {
		n = n<<8 | uint64(tf)<<1 | 1
	}
	l.data, l.end = binary.AppendUvarint(l.data, n), uint32(doc)+1
}

// place is where the data are that were added behind from.
func (b *Builder) place(from int) uint64 { return uint64(from)<<32 | uint64(len(b.data)-from) }

// Add adds a session.
func (b *Builder) Add(s *Session) {
	if b.lists == nil {
		b.lists, b.title, b.tf = map[uint64]*list{}, counts{}, counts{}
	}
	number, total := len(b.sessions)/word/sessionWords, 0
	clear(b.title)
	b.title.add(s.Task, titleWeight)
	for i := range s.Docs {
		d, doc, length := &s.Docs[i], len(b.docs)/word/docWords, 0
		clear(b.tf)
		b.tf.add(d.Text, 1)
		for _, n := range b.tf {
			length += int(n)
		}
		total += length
		if d.Kind.prose() { // of a fact it only says what it belongs to
			b.tf.add(d.Heading, headWeight)
		}
		if d.Kind != Task && d.from == 0 {
			for t, n := range b.title {
				b.tf[t] += n
			}
		}
		for t, n := range b.tf {
			b.post(t, doc, uint8(min(255, math.Ceil(n*tfSteps))))
		}
		from := len(b.data)
		b.data = d.append(b.data)
		b.docs = appendWords(b.docs, uint64(number)<<32|uint64(min(length, math.MaxUint16))<<16|uint64(d.Kind)<<8|uint64(d.Class),
			b.place(from))
	}
	from := len(b.data)
	b.data = append(b.data, strings.Join([]string{s.Episode, s.SHA256, s.Name, s.Log, s.Date, s.Task}, "\x00")...)
	b.sessions = appendWords(b.sessions, uint64(total), rank(s), b.place(from))
}

// Segment returns the segment of the sessions that were added, after which none can be.
func (b *Builder) Segment() []byte {
	var terms []byte
	for _, t := range slices.Sorted(maps.Keys(b.lists)) {
		from := len(b.data)
		b.data = append(b.data, b.lists[t].data...)
		b.lists[t] = nil // of many sessions they are most of the memory
		terms = appendWords(terms, t, b.place(from))
	}
	head := appendWords(nil, uint64(len(b.docs)/word/docWords), uint64(len(b.sessions)/word/sessionWords),
		uint64(len(b.lists)), uint64(len(b.data)))
	return slices.Concat(head, b.docs, b.sessions, terms, b.data)
}

func appendWords(b []byte, words ...uint64) []byte {
	for _, w := range words {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	return b
}

// append appends the record of a document.
func (d *Document) append(b []byte) []byte {
	text, numbers := d.Text, [recordNumbers]uint64{uint64(d.Lines[0]), uint64(d.Lines[1])}
	if d.from > 0 {
		numbers[2], numbers[3], numbers[4] = uint64(d.from), uint64(len(text)), uint64(crc32.ChecksumIEEE([]byte(text)))
		text = ""
	}
	numbers[5] = uint64(d.Who)
	for _, n := range numbers {
		b = binary.AppendUvarint(b, n)
	}
	return append(b, d.ID+"\x00"+d.Later+"\x00"+d.Heading+"\x00"+text...)
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

// counts are how often terms occur, by hash.
type counts map[uint64]float64

// add adds the terms of a text, each with a weight.
func (c counts) add(text string, weight float64) {
	terms(text, true, func(t string) { c[hashOf(t)] += weight })
}

// Segment is an opened segment. It reads what a question needs on demand and is safe for
// concurrent use if its reader is.
type Segment struct {
	// Kept returns the file with the text of a session's transcript; "" without one.
	// Documents whose text is no longer in it are left out of answers. If nil, there is no file.
	Kept func(episode string) string

	r                     io.ReaderAt
	docs, sessions, terms int
	table                 []byte
	data, end             int64
}

// OpenSegment opens a segment of size bytes, or returns ErrDamaged. The caller closes r when
// the segment is no longer used.
func OpenSegment(r io.ReaderAt, size int64) (*Segment, error) {
	s := &Segment{r: r, end: size}
	head, err := s.read(0, headWords*word)
	if err != nil {
		return nil, err
	}
	n := func(i int) uint64 { return binary.LittleEndian.Uint64(head[i*word:]) }
	if max(n(0), n(1), n(2), n(3)) > uint64(size) {
		return nil, ErrDamaged
	}
	s.docs, s.sessions, s.terms = int(n(0)), int(n(1)), int(n(2))
	rows := word * int64(docWords*s.docs+sessionWords*s.sessions+termWords*s.terms)
	if s.data = headWords*word + rows; s.data+int64(n(3)) != size {
		return nil, ErrDamaged
	}
	if s.table, err = s.read(headWords*word, rows); err != nil {
		return nil, err
	}
	for i := range s.docs {
		if s.session(i) >= s.sessions {
			return nil, ErrDamaged
		}
	}
	return s, nil
}

func (s *Segment) read(at, size int64) ([]byte, error) {
	if size > s.end-at {
		return nil, ErrDamaged
	}
	b := make([]byte, size)
	if n, _ := s.r.ReadAt(b, at); n < len(b) {
		return nil, ErrDamaged
	}
	return b, nil
}

// at reads what is at a place of the data.
func (s *Segment) at(place uint64) ([]byte, error) {
	return s.read(s.data+int64(place>>32), int64(uint32(place)))
}

func (s *Segment) word(i int) uint64 { return binary.LittleEndian.Uint64(s.table[i*word:]) }

// ofDoc, ofSession and ofTerm return a word of a row of the table.
func (s *Segment) ofDoc(doc, i int) uint64 { return s.word(docWords*doc + i) }
func (s *Segment) ofSession(n, i int) uint64 {
	return s.word(docWords*s.docs + sessionWords*n + i)
}
func (s *Segment) ofTerm(n, i int) uint64 {
	return s.word(docWords*s.docs + sessionWords*s.sessions + termWords*n + i)
}

func (s *Segment) session(doc int) int { return int(s.ofDoc(doc, 0) >> 32) }
func (s *Segment) length(doc int) int  { return int(uint16(s.ofDoc(doc, 0) >> 16)) }
func (s *Segment) kind(doc int) Kind   { return Kind(s.ofDoc(doc, 0) >> 8) }
func (s *Segment) class(doc int) Class { return Class(s.ofDoc(doc, 0)) }

// first returns the first document of a document's session.
func (s *Segment) first(doc int) int {
	for doc > 0 && s.session(doc-1) == s.session(doc) {
		doc--
	}
	return doc
}

// postings returns the posting list of a term, or nil.
func (s *Segment) postings(term string) (out []posting, err error) {
	hash := hashOf(term)
	i, found := sort.Find(s.terms, func(i int) int { return cmp.Compare(hash, s.ofTerm(i, 0)) })
	if !found {
		return nil, nil
	}
	list, err := s.at(s.ofTerm(i, 1))
	out = make([]posting, 0, len(list))
	for doc := uint64(0); len(list) > 0; {
		n, k := binary.Uvarint(list)
		tf := uint8(tfSteps)
		if n&1 != 0 {
			tf, n = uint8(n>>1), n>>8
		}
		if doc += n >> 1; k <= 0 || n>>1 == 0 || doc > uint64(s.docs) {
			return nil, ErrDamaged
		}
		out, list = append(out, posting{uint32(doc - 1), tf}), list[k:]
	}
	return out, err
}

// document reads a document. It is nil if its text is no longer in the file that had it.
func (s *Segment) document(doc int) (*Document, error) {
	b, err := s.at(s.ofDoc(doc, 1))
	if err != nil {
		return nil, err
	}
	var n [recordNumbers]int
	for i := range n {
		v, size := binary.Uvarint(b)
		if size <= 0 || v > math.MaxUint32 {
			return nil, ErrDamaged
		}
		n[i], b = int(v), b[size:]
	}
	f := strings.SplitN(string(b), "\x00", 4)
	if len(f) < 4 {
		return nil, ErrDamaged
	}
	d := &Document{Kind: s.kind(doc), Class: s.class(doc), Lines: episode.Span{n[0], n[1]}, Who: Who(n[5]), ID: f[0],
		Later: f[1], Heading: f[2], Text: f[3]}
	if from, size := n[2], n[3]; from > 0 {
		of, err := s.Session(s.session(doc))
		if err != nil || s.Kept == nil {
			return nil, err
		}
		file := s.Kept(of.Episode)
		if size == 0 || from+size > len(file) || crc32.ChecksumIEEE([]byte(file[from:from+size])) != uint32(n[4]) {
			return nil, nil
		}
		d.Text = file[from : from+size]
	}
	return d, nil
}

// Session reads the record of a session, without its documents.
func (s *Segment) Session(i int) (*Session, error) {
	b, err := s.at(s.ofSession(i, 2))
	if err != nil {
		return nil, err
	}
	f := strings.Split(string(b), "\x00")
	if len(f) != 6 {
		return nil, ErrDamaged
	}
	return &Session{Episode: f[0], SHA256: f[1], Name: f[2], Log: f[3], Date: f[4], Task: f[5]}, nil
}

// AllSessions reads the records of all sessions.
func (s *Segment) AllSessions() (out []*Session, err error) {
	for i := range s.sessions {
		one, err := s.Session(i)
		if err != nil {
			return nil, err
		}
		out = append(out, one)
	}
	return out, nil
}
