package turns

// Peek returns up to 64 KB of the unread input, without consuming it.
func (r *Reader) Peek() []byte {
	head, _ := r.in.Peek(r.in.Size())
	return head
}
