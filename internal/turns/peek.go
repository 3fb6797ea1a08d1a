package turns

// Peek is the beginning of what is still to be read, 64 KB of it or less.
func (r *Reader) Peek() []byte {
	head, _ := r.in.Peek(r.in.Size())
	return head
}
