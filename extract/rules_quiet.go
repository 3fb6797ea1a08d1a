package extract

// quiet reports whether b stands where nothing of this session is told:
// protocol lists, references, file lists, plans, templates.
func quiet(b *block) bool {
	return b.inProtocol() || b.labelRole.any(roleWho, roleDate, roleBase) || b.placeholder()
}
