package plan

import (
	"regexp"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// This file has both readings of a plan once more, written apart from the package and as plainly as can be,
// to hold the package against. What either of them counts must count, and where they differ there must be a
// problem at that line.

// publicReading is the rule of the public ralphex, spec §3.1. Keys are line numbers.
type publicReading struct {
	headers map[int]bool
	boxes   map[int]int // line of the box -> line of its task header
}

var (
	publicHeader = regexp.MustCompile(`^###\s+(?:Task|Iteration)\s+([^:]+):\s*(.*)$`)
	publicBox    = regexp.MustCompile(`^\s*-\s+\[[ xX]\]`)
	publicTitle  = regexp.MustCompile(`^#\s+\S`)
	publicFence  = regexp.MustCompile("^ {0,3}(```+|~~~+)(.*)$")
)

func readPublic(src string) publicReading {
	r := publicReading{map[int]bool{}, map[int]int{}}
	task, title, fence := 0, false, ""
	for i, line := range strings.Split(strings.TrimPrefix(src, bom), "\n") {
		line = strings.TrimSuffix(line, "\r")
		if m := publicFence.FindStringSubmatch(line); m != nil {
			switch {
			case fence == "" && (m[1][0] == '~' || !strings.Contains(m[2], "`")):
				fence = m[1]
				continue
			case fence != "" && m[1][0] == fence[0] && len(m[1]) >= len(fence) && strings.TrimSpace(m[2]) == "":
				fence = ""
				continue
			}
		}
		switch {
		case fence != "":
		case publicHeader.MatchString(line):
			task = i + 1
			r.headers[task] = true
		case strings.HasPrefix(line, "##") && !strings.HasPrefix(line, "###"):
			task = 0
		case strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "##") && title:
			task = 0
		case publicTitle.MatchString(line):
			title = true
		case publicBox.MatchString(line) && task > 0:
			r.boxes[i+1] = task
		}
	}
	return r
}

// markdownReading is what goldmark as it comes sees.
type markdownReading struct {
	headers map[int]bool
	boxes   map[int]bool // bullets with a mark, outside of quotes, in a task
	anyBox  map[int]bool // in a task or not
	left    map[int]bool // lines in closed fences, closed comments and quotes: nobody needs to count them
}

var (
	markdownBox    = regexp.MustCompile(`^\[[ xX~-]\](?:[ \t\r\f\n]|$)`)
	markdownHeader = regexp.MustCompile(`^(?:Task|Iteration)[ \t\r\f]+[^:]+:`)
)

func readMarkdown(src string) markdownReading {
	body := []byte(strings.TrimPrefix(src, bom))
	m := markdownReading{map[int]bool{}, map[int]bool{}, map[int]bool{}, map[int]bool{}}
	lineOf := func(at int) int { return strings.Count(string(body[:at]), "\n") + 1 }
	inTask := false
	doc := goldmark.DefaultParser().Parse(text.NewReader(body))
	_ = ast.Walk(doc, func(n ast.Node, enter bool) (ast.WalkStatus, error) {
		if !enter {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Blockquote:
			return ast.WalkSkipChildren, nil
		case *ast.Heading:
			if n.Parent().Kind() != ast.KindDocument || n.Lines().Len() == 0 {
				if n.Parent().Kind() == ast.KindDocument && n.Level <= 2 {
					inTask = false
				}
				return ast.WalkContinue, nil
			}
			seg := n.Lines().At(0)
			if n.Level == 3 && markdownHeader.Match(seg.Value(body)) {
				inTask = true
				m.headers[lineOf(seg.Start)] = true
			} else if n.Level <= 2 {
				inTask = false
			}
		case *ast.ListItem:
			first := n.FirstChild()
			if n.Parent().(*ast.List).IsOrdered() || first == nil || first.Lines() == nil || first.Lines().Len() == 0 {
				return ast.WalkContinue, nil
			}
			if first.Kind() != ast.KindTextBlock && first.Kind() != ast.KindParagraph {
				return ast.WalkContinue, nil
			}
			seg := first.Lines().At(0)
			marker := strings.TrimRight(string(body[:seg.Start]), " \t")
			if markdownBox.Match(seg.Value(body)) && strings.HasSuffix(marker, string(n.Parent().(*ast.List).Marker)) {
				m.anyBox[lineOf(seg.Start)] = true
				if inTask {
					m.boxes[lineOf(seg.Start)] = true
				}
			}
		case *ast.HTMLBlock:
			m.leaveOutComments(n, body, lineOf)
		case *ast.FencedCodeBlock:
			for i := range n.Lines().Len() {
				m.left[lineOf(n.Lines().At(i).Start)] = true
			}
		}
		return ast.WalkContinue, nil
	})
	return m
}

func (m markdownReading) leaveOutComments(n *ast.HTMLBlock, body []byte, lineOf func(int) int) {
	var at []int
	var all strings.Builder
	segs := n.Lines().Sliced(0, n.Lines().Len())
	if n.HasClosure() {
		segs = append(segs[:len(segs):len(segs)], n.ClosureLine)
	}
	for _, s := range segs {
		for i := s.Start; i < s.Stop; i++ {
			at = append(at, i)
			all.WriteByte(body[i])
		}
	}
	for _, c := range regexp.MustCompile(`(?s)<!--(?:>|.*?-->)`).FindAllStringIndex(all.String(), -1) {
		for i := c[0]; i < c[1]; i++ {
			m.left[lineOf(at[i])] = true
		}
	}
}

// FuzzTwoReadings holds the package against both.
func FuzzTwoReadings(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, src string) {
		p, err := ParsePlan([]byte(src))
		if err != nil || len(src) > 1<<14 {
			return
		}
		checkReadings(t, p, src)
	})
}

func checkReadings(t *testing.T, p *Plan, src string) {
	t.Helper()
	public, markdown := readPublic(src), readMarkdown(src)
	headers, boxes, problems := map[int]bool{}, map[int]bool{}, map[int]bool{}
	for _, task := range p.Tasks {
		headers[task.Line] = true
		for _, c := range task.Checkboxes {
			boxes[c.Line] = true
		}
	}
	for _, q := range p.Problems {
		problems[q.Line] = true
	}
	for _, line := range keys(public.headers, markdown.headers) {
		inPublic, inMarkdown := public.headers[line], markdown.headers[line]
		require.True(t, headers[line] || !inMarkdown, "Markdown's header in line %d of %q", line, src)
		require.True(t, headers[line] || !inPublic || markdown.left[line], "public header in line %d of %q", line, src)
		require.True(t, inPublic == inMarkdown || problems[line], "difference in line %d of %q", line, src)
	}
	for line, task := range public.boxes {
		if !markdown.left[line] && headers[task] {
			require.True(t, boxes[line], "public box in line %d of %q", line, src)
		}
		require.True(t, markdown.anyBox[line] || problems[line], "public box, difference in line %d of %q", line, src)
	}
	for line := range markdown.boxes {
		require.True(t, boxes[line], "Markdown's box in line %d of %q", line, src)
		_, ok := public.boxes[line]
		require.True(t, ok || problems[line], "Markdown's box, difference in line %d of %q", line, src)
	}
	for line := range boxes {
		_, ok := public.boxes[line]
		require.True(t, ok || markdown.boxes[line] || problems[line], "a box that nobody else counts in line %d of %q", line, src)
	}
}

func keys(ms ...map[int]bool) []int {
	var out []int
	for _, m := range ms {
		for k := range m {
			out = append(out, k)
		}
	}
	sort.Ints(out)
	return out
}

// FuzzTwoReadingsOfPieces builds plans from the pieces that matter: coverage would need hours to find
// out that a `<!--` goes well with a ` ```  `.
func FuzzTwoReadingsOfPieces(f *testing.F) {
	for i := range 40 {
		f.Add([]byte{byte(i), byte(i * 7), byte(i * 13), byte(i * 29), byte(i + 3), byte(i * 3), byte(i * 5), byte(i * 11)})
	}
	f.Fuzz(func(t *testing.T, choice []byte) {
		var b strings.Builder
		for _, c := range choice {
			b.WriteString(pieces[int(c)%len(pieces)])
		}
		src := b.String()
		if len(choice) > 40 {
			return
		}
		p, err := ParsePlan([]byte(src))
		if err != nil {
			require.ErrorIs(t, err, ErrLimit)
			return
		}
		checkPlan(t, p, src)
		checkReadings(t, p, src)
	})
}

var pieces = []string{
	"### Task 1: a\n", "### Iteration 2: b\r\n", " ### Task 3: c ###\n", "## Notes\n", "# Title\n", "#tag\n", "##tag\n", "Text\n---\n", "Text\n===\n", "text\n",
	"- [ ] a\n", "- [x] b\n", "* [ ] c\n", "+ [X] d\n", "- [~] e\n", "- [-] f\n", "1. [ ] g\n", "- - [ ] h\n", "-\t[ ] i\n", "-      [ ] j\n", "- [x](u)\n", "- [ ]: u\n",
	"  ", "   ", "    ", "\t", "> ", ">", "- ", "1. ", "10) ", "\n", "\n", "\r\n", "\r", "\f", "\x00", "\u00a0",
	"```\n", "```sh\n", "````\n", "~~~\n", "``` a`b\n", "<!--", "-->", "<!-->\n", "<!-- x -->\n", "<details>\n", "</details>\n", "<pre>\n", "</pre>\n", "<script>\n", "<a>\n", "<?x\n", "[a]: /b\n", "***\n", "- - -\n",
}
