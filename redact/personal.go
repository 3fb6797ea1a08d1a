package redact

import (
	"slices"
	"strings"

	"episodes/internal/lazy"
)

var (
	mailByte   = bytesOf("azAZ09", "._%+-")
	domainByte = bytesOf("azAZ09", ".-")
)

// serviceNames are local parts of addresses that belong to no person.
var serviceNames = lazy.Words(`
	git noreply no-reply donotreply do-not-reply actions bot user username you your.name your-email youremail
	your_email someone name`)

// serviceDomains are reserved for examples (RFC 2606) or belong to no person, like their
// subdomains.
var serviceDomains = []string{"example.com", "example.org", "example.net", "noreply.github.com",
	"noreply.gitlab.com", "domain.com", "yourdomain.com", "email.com", "company.com", "yourcompany.com",
	"mycompany.com", "acme.com", "test.com", "foo.com", "bar.com"}

// noDomains are last labels of files, units and hosts rather than of domains.
var noDomains = lazy.Words(`
	example test invalid local localhost internal localdomain lan png jpg jpeg gif svg webp ico css scss html htm js
	mjs cjs ts tsx jsx json yaml yml toml xml txt go py rb rs java kt c h cpp sh sql lock log zip gz tgz tar exe dll
	so service timer socket target mount md mdx vue php pdf`)

// email finds addresses of persons.
func email(sc *scan, start, end int) {
	first := back(sc.s, start, 64, &mailByte)
	for first < start && strings.IndexByte("._%+-", sc.s[first]) >= 0 {
		first++
	}
	if first > 0 && sc.orig[first-1] == '\\' && first < start && strings.IndexByte("nrtbf", sc.orig[first]) >= 0 {
		first++ // the letter of an escape
	}
	stop := run(sc.s, end, 255, &domainByte)
	for stop > end && strings.IndexByte(".-", sc.s[stop-1]) >= 0 {
		stop--
	}
	local, domain := strings.ToLower(sc.s[first:start]), strings.ToLower(sc.s[end:stop])
	dot := strings.LastIndexByte(domain, '.')
	if local == "" || dot < 1 || len(domain)-dot < 3 || !allOf(domain[dot+1:], 'a', 'z') ||
		noDomains()[domain[dot+1:]] || strings.Contains(domain, "..") {
		return
	}
	if serviceNames()[local] || strings.Contains(local, "noreply") ||
		strings.Contains(local, "no-reply") || hex(local) && len(local) >= 7 && first > 0 && sc.s[first-1] == '/' {
		return
	}
	for _, d := range serviceDomains {
		if domain == d || strings.HasSuffix(domain, "."+d) {
			return
		}
	}
	if sc.inURL(first) {
		return // user and host
	}
	sc.add(first, stop, "email")
}

// inURL reports whether an offset is at the start of a URL's authority or in its user part,
// where a user and a host look like an e-mail address.
func (sc *scan) inURL(at int) bool {
	first := back(sc.s, at, 256, &urlByte)
	if first > 0 && sc.s[first-1] == '/' {
		scheme := back(sc.s, max(0, first-3), 12, &letterByte)
		return strings.HasSuffix(sc.s[scheme:first], "://") && !containsFold(sc.s[scheme:first], "mailto")
	}
	return false
}

var homeByte = bytesOf("azAZ09", "._-$")

// noHomes are siblings of home folders that belong to no user.
var noHomes = []string{"shared", "public", "default", "all users", "linuxbrew"}

// home replaces the home folder of a user by "~".
func home(sc *scan, start, end int) {
	word := sc.s[start:end]
	lower := strings.ToLower(word)
	name := run(sc.orig, end, 64, &homeByte)
	for name > end && sc.orig[name-1] == '.' {
		name--
	}
	first := start
	switch {
	case word[0] == '-':
		sc.projectFolder(start, end, name)
		return
	case strings.Contains(word, `\`) && word[1] != '/':
		var ok bool
		if first, end, ok = sc.windowsHome(start, end); !ok {
			return
		}
		name = run(sc.orig, end, 64, &homeByte)
	default:
		if lower[1] == 'u' && !strings.Contains(word, "Users") && !driveBefore(sc.s[:start]) {
			return // /users/ of a web address
		}
		first = sc.homePrefix(start)
		if first > 0 && !pathBoundary(sc.s, first) {
			return
		}
	}
	v := strings.ToLower(sc.orig[end:name])
	if v == "" || slices.Contains(noHomes, v) || !strings.ContainsAny(v, "abcdefghijklmnopqrstuvwxyz0123456789") ||
		strings.HasPrefix(v, "$") {
		return
	}
	if i := strings.LastIndexByte(v, '.'); i > 0 && noDomains()[v[i+1:]] {
		return // a file
	}
	sc.home(first, name)
}

// projectFolder replaces the home in the folder of a project's transcripts: -home-NAME-project.
func (sc *scan) projectFolder(start, end, name int) {
	if word := sc.s[start:end]; word != "-home-" && word != "-Users-" || start > 0 && strings.IndexByte(`/\ "'`, sc.s[start-1]) < 0 {
		return
	}
	if n := strings.IndexByte(sc.orig[end:name], '-'); n > 0 {
		sc.home(start+1, end+n)
	}
}

// windowsHome returns the offsets of C:\Users and of the name after it.
func (sc *scan) windowsHome(start, end int) (first, name int, ok bool) {
	if end == len(sc.orig) || sc.orig[end] != '\\' && sc.orig[end-1] != '\\' {
		return 0, 0, false
	}
	for end < len(sc.orig) && sc.orig[end] == '\\' {
		end++
	}
	for start > 0 && sc.orig[start-1] == '\\' {
		start--
	}
	first = start - 2
	if first < 0 || sc.orig[start-1] != ':' || !letterByte[sc.orig[first]] {
		return 0, 0, false
	}
	if first > 0 && wordByte[sc.orig[first-1]] && (first < 2 || sc.orig[first-2] != '\\') { // except the n of "\nC:"
		return 0, 0, false
	}
	return first, end, true
}

func (sc *scan) home(start, end int) {
	sc.spans = append(sc.spans, span{start: start, end: end, kind: "home", with: "~"})
}

// homePrefix returns the start of a path with a prefix before the folder of homes:
// /var/home, /export/home, /mnt/c/Users, C:/Users.
func (sc *scan) homePrefix(start int) int {
	s := sc.s[:start]
	for _, p := range []string{"/var", "/export", "/System/Volumes/Data"} {
		if strings.HasSuffix(s, p) {
			return start - len(p)
		}
	}
	n := len(s)
	switch {
	case n >= 2 && s[n-1] == ':' && letterByte[s[n-2]] && (n == 2 || !wordByte[s[n-3]]): // C:
		if n >= 3 && s[n-3] == '/' && (n < 4 || s[n-4] != '/') {
			return n - 3
		}
		return n - 2
	case n >= 2 && s[n-2] == '/' && letterByte[s[n-1]]: // /c, /mnt/c
		if strings.HasSuffix(s[:n-2], "/mnt") {
			return n - 6
		}
		return n - 2
	}
	return start
}

// driveBefore reports whether s, the text before a path, ends in a Windows drive.
func driveBefore(s string) bool {
	n := len(s)
	return n >= 2 &&
		(s[n-1] == ':' && letterByte[s[n-2]] && (n == 2 || !wordByte[s[n-3]]) ||
			s[n-2] == '/' && letterByte[s[n-1]] && strings.HasSuffix(s[:n-2], "/mnt"))
}

// pathBoundary reports whether a path from the root may begin here.
func pathBoundary(s string, at int) bool {
	c := s[at-1]
	if wordByte[c] { // -I/home/…
		return at >= 2 && s[at-2] == '-' || at >= 3 && s[at-3] == '\\'
	}
	if c == '/' { // file:///home/…
		return at >= 2 && s[at-2] == '/'
	}
	return c != '.' && c != '~' && c != '}' && c != ')'
}
