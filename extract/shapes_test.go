package extract

import (
	"fmt"
	"strings"
)

// shapes are logs that grow in one way each, to a size in bytes; none may cost more
// than its size. Where a shape is one line, it becomes several at the limit of a
// line.
var shapes = map[string]func(size int) string{
	// prose
	"one paragraph of a line":  inLine("", "We chose the lock over the queue. The test failed again. "),
	"one word":                 inLine("", "a"),
	"CJK":                      inLine("", "测试失败因为缓存过期。"),
	"CJK labels":               repeat("", "决定：使用锁。原因：简单。\n\n"),
	"combining marks":          inLine("", "\u0301"),
	"blank lines":              repeat("text\n", "\n"),
	"backslashes":              inLine("", `\`),
	"entities":                 inLine("", "&amp;&#1234;&"),
	"carriage returns":         inLine("a\n", "10%\r"),
	"long sentences of causes": repeat("", "It failed because the cache was stale, because the disk was full, since the job ran.\n\n"),

	// marks in a paragraph
	"underscores that open":              inLine("", "_a*"),
	"stars that open":                    inLine("", "*a "),
	"bold that opens":                    inLine("", "**a "),
	"emphasis nested":                    nestedIn("*a ", " b*"),
	"stars of many lengths":              lengths("*", "a"),
	"backticks of a length":              inLine("", "`a``"),
	"backticks of many lengths":          lengths("`", "a"),
	"brackets that open":                 inLine("", "["),
	"brackets in brackets":               nestedIn("[", "]"),
	"images that open":                   inLine("", "!["),
	"links that do not end":              inLine("", "[a](b"),
	"links with open titles":             inLine("", `[a](b "`),
	"links with open titles, paragraphs": repeat("", strings.Repeat("[a](\"", 2000)+"\n\n"),
	"link definitions":                   numbered("[a%d]: b\n"),
	"link definitions of one name":       repeat("", "[a]: b\n"),
	"link definitions with titles":       repeat("", "[a]: b\n'c\n"),
	"open titles of definitions":         repeat("", "[a]: b 'c\n"),
	"autolinks that do not end":          inLine("", "<http://a"),
	"tags that do not end":               inLine("a ", "<a b=' "),
	"comments that do not end":           inLine("a ", "<!--"),
	"declarations":                       inLine("a ", "<!A <?a <![CDATA["),

	// blocks
	"headings":                          repeat("", "## Decision: use a lock\n\nBecause it is simple.\n\n"),
	"headings of every level":           levels,
	"setext underlines":                 repeat("a\n", "===\n"),
	"one setext heading":                func(size int) string { return repeat("", "words of a heading\n")(size) + "===\n" },
	"one long list":                     repeat("## Decisions\n\n", "- Use a lock instead of a queue, because it is simple.\n"),
	"lists nested in a line":            inLine("", "- "),
	"lists nested":                      nestedLists,
	"lists nested, then blank lines":    repeat(strings.Repeat("- ", 2000)+"x\n", "\n"),
	"quotes nested in a line":           inLine("", ">"),
	"quotes nested in each line":        repeat("", strings.Repeat("> ", 100)+"x\n"),
	"quotes and lists":                  inLine("", "> - "),
	"lazy lines of a quote":             repeat("> a\n", "b\n"),
	"lazy lines of lists":               repeat(strings.Repeat("- ", 2000)+"x\n", "b\n"),
	"deep indentation":                  repeat("- a\n", strings.Repeat(" ", 2000)+"b\n"),
	"tabs":                              repeat("- a\n", strings.Repeat("\t", 200)+"b\n"),
	"fenced code":                       func(size int) string { return "## Problem\n\n```\n" + repeat("", "error: it broke\n")(size) + "```\n" },
	"many fences":                       repeat("", "```\nerror: it broke\n```\n"),
	"fences that do not end":            repeat("", "~~~~ a\n"),
	"fences in items":                   repeat("", "- a\n\n  ```\n  b\n  ```\n"),
	"an HTML comment that does not end": repeat("<!--\n", "a -- b\n"),
	"scripts that do not end":           repeat("", "<script>\n"),
	"front matter": func(size int) string {
		return numbered("key%d: value\n")(size)[:0] + "---\n" + numbered("key%d: value\n")(size) + "---\ntext\n"
	},
	"front matter of a list":         func(size int) string { return "---\ntags:\n" + repeat("", "  - a\n")(size) + "---\ntext\n" },
	"front matter nested":            func(size int) string { return "---\na: " + nestedIn("[", "]")(size) + "\n---\ntext\n" },
	"front matter of anchors":        func(size int) string { return "---\n" + numbered("k%d: &a%[1]d [*a%[1]d]\n")(size) + "---\ntext\n" },
	"front matter in TOML":           func(size int) string { return "+++\n" + numbered("key%d = 1\n")(size) + "+++\ntext\n" },
	"front matter that does not end": repeat("---\n", "a: b\n"),

	// tables
	"table":                  repeat("| Issue | Fix |\n|---|---|\n", "| the build fails here | pin the compiler |\n"),
	"wide table":             wideTable("a"),
	"wide table of problems": wideTable("Problem"),
	"short rows of a wide table": func(size int) string {
		n := min(size/8, MaxLine/4)
		return strings.Repeat("|a", n) + "\n" + strings.Repeat("|-", n) + "\n" + repeat("", "a\n")(size/2)
	},
	"delimiter rows":        repeat("", "|-|\n"),
	"escaped pipes in code": repeat("| a |\n|---|\n", "| `a\\|b` |\n"),
	"escaped pipes in a cell": func(size int) string {
		return "| a |\n|---|\n| `" + strings.Repeat(`a\|`, min(size/3, MaxLine/3-10)) + "` |\n"
	},
	"rows of decisions": repeat("| Decision | Reason | Alternatives |\n|---|---|---|\n", "| use a lock | it is simple | use a queue |\n"),

	// facts
	"inline labels":                inLine("", "It broke. Rationale: none given. "),
	"decisions and reasons":        repeat("", "Decision: use a lock. Reason: it is simple.\n\n"),
	"bold labels in a line":        inLine("", "**Fix**: x "),
	"labels without headings":      repeat("", "**Problem**: the job failed\n**Fix**: raise the limit\n**Result**: it passed\n\n"),
	"one long problem list":        repeat("## Problems\n\n", "- **Problem**: the build fails\n- **Fix**: pin the compiler\n"),
	"other problems":               numbered("## Problem %d\n\nThe build of part%[1]d fails with error E%[1]d.\n\n**Fix**: pin part%[1]d\n\n"),
	"faults of many names":         numbered("- The test parser_%d failed with E%[1]d\n"),
	"decisions of many names":      numbered("We decided to use lock%d instead of queue%[1]d because it is simple.\n\n"),
	"links between facts":          numbered("The build%d failed because cache%[1]d was stale. Fixed by pinning cache%[1]d.\n\n"),
	"commits":                      numbered("- `a%06x` fix(ci): pin the compiler\n"),
	"numbered sections":            repeat("## Decisions\n\n", "### Use a lock\n\n**Rationale**: simple\n\n"),
	"milestones of many names":     func(size int) string { return "## Work done\n\n" + numbered("- Added test%d for lock%[1]d\n")(size) },
	"labelled items of one record": repeat("## Fixes\n\n**Thread 1**: a\n\n", "- Fix: added a part of the parser\n"),
	"checks and verdicts":          repeat("", "## Verdict\n\n- All 40 parser tests passed\n- The lexer fails\n\n**Verdict**: APPROVED WITH CONDITIONS\n\n"),
	"conflicts settled":            repeat("", "The test merge failed with conflicts in the index.\n\n## Conflict resolution\n\n- **index**: kept main\n\n## Outcome\n\n- Merge completed\n\n"),
	"faults and work of one name":  repeat("", "## Problems\n\n- Missing tests for 34 parser rules, causing errors\n\n## Changes made\n\n- Added tests for 34 parser rules\n\n"),
	"faults, then work": func(size int) string {
		return "## Problems\n\n" + numbered("- Missing test%d for rule%[1]d, causing errors\n")(size/2) + "\n## Changes made\n\n" + numbered("- Added test%d for rule%[1]d\n")(size/2)
	},
	"option items": func(size int) string {
		return "## Decision\n\n**Options**:\n\n" + repeat("", "- use the lock\n")(size) + "\n**Decision**: use the lock\n"
	},
	"options of many names": func(size int) string {
		return "## Decision\n\n**Options**:\n\n" + numbered("- use lock%d\n")(size) + "\n**Decision**: use lock7\n"
	},
	"checkboxes":  repeat("", "- [x] done\n- [ ] open\n"),
	"clock times": repeat("", "- 10:15 - Ran the tests, 3 failed\n- 10:20 - Fixed the parser\n"),
	"handoffs":    repeat("", "## Next steps\n\n- Fix the parser\n\n"),
	"outcomes":    repeat("", "**Status**: complete\n\n## Outcome\n\nAll tests pass.\n\n"),
	"sections in sections": func(size int) string {
		return "# Decisions\n\n" + repeat("", "## Problem\n\n### Cause\n\nThe cache was stale.\n\n### Fix\n\nPin it.\n\n")(size)
	},
	"attempts": repeat("", "First attempt: pin the compiler. It failed.\n\nSecond attempt: raise the limit. It worked.\n\n"),
}

// repeat is head, then n times body, up to a size.
func repeat(head, body string) func(int) string {
	return func(size int) string { return head + strings.Repeat(body, max(1, (size-len(head))/len(body))) }
}

// inLine is repeat in lines as long as a line may be.
func inLine(head, body string) func(int) string {
	return func(size int) string {
		line := strings.Repeat(body, min(max(1, size/len(body)), (MaxLine-len(head)-2)/len(body)))
		return head + strings.Repeat(line+"\n", max(1, size/len(line)))
	}
}

// numbered repeats a body with a number in it.
func numbered(body string) func(int) string {
	return func(size int) string {
		var b strings.Builder
		for i := 1; b.Len() < size; i++ {
			fmt.Fprintf(&b, body, i)
		}
		return b.String()
	}
}

// lengths repeats a mark in ever longer runs.
func lengths(mark, between string) func(int) string {
	return func(size int) string {
		var b strings.Builder
		line := 0
		for i := 1; b.Len() < size; i++ {
			if line += i + 1; line > MaxLine-2 {
				b.WriteByte('\n')
				line = 0
			}
			b.WriteString(strings.Repeat(mark, i) + between)
		}
		return b.String()
	}
}

// nestedIn is half a size of what opens, then as many of what closes.
func nestedIn(open, end string) func(int) string {
	return func(size int) string {
		n := size / (len(open) + len(end))
		lines := func(s string) string {
			per := MaxLine / 2 / len(s)
			var b strings.Builder
			for left := n; left > 0; left -= per {
				b.WriteString(strings.Repeat(s, min(per, left)))
				if left > per {
					b.WriteByte('\n')
				}
			}
			return b.String()
		}
		return lines(open) + "\n" + lines(end) + "\n"
	}
}

func levels(size int) string {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, "%s Part %d\n\nThe build failed.\n\n", strings.Repeat("#", 1+i%6), i)
	}
	return b.String()
}

func nestedLists(size int) string {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		b.WriteString(strings.Repeat(" ", 2*(i%1000)) + "- x\n")
	}
	return b.String()
}

// wideTable has rows as long as a line may be.
func wideTable(cell string) func(int) string {
	return func(size int) string {
		n := min(size/30, 20_000)
		row := func(s string) string { return "|" + strings.Repeat(" "+s+" |", n) + "\n" }
		return row(cell) + row("---") + repeat("", row("the build failed"))(size)
	}
}
