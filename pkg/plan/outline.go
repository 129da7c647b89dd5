package plan

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// outline is what Markdown sees in the body: blocks in file order, with byte offsets.
type outline struct {
	heads  []head
	items  []item
	fences []fence
	raws   []span // HTML blocks
	hidden []span // closed comments
	notes  []note // what is odd about comments
	broken bool   // goldmark gave up; only the line rule is left
}

type span struct{ start, end int }

// head is a heading.
type head struct {
	pos    int // first byte of its first line
	level  int
	text   string // without the marks
	setext bool
	nested bool // inside a list or a quote: no section of the document
}

// item is a list item.
type item struct {
	pos     int // its marker
	end     int // where the next block begins
	own     int // where its first nested list or fence begins, or end
	depth   int
	ordered bool
	quoted  bool
	prose   bool // begins with a paragraph: a box at its start is a box for Markdown
}

// fence is a fenced code block.
type fence struct {
	pos    int // the opening fence's first character
	end    int // after its last line
	closed bool
	quoted bool
	node   *ast.FencedCodeBlock
}

// note is a problem at an offset.
type note struct {
	pos  int
	code Code
}

// readOutline parses body. deep is the offset of the block that is nested too deep, or -1.
//
// str is body as a string: the outline's texts are parts of it.
func readOutline(body []byte, str string) (o outline, deep int) {
	defer func() {
		switch at := recover().(type) {
		case nil:
		case tooDeep:
			o, deep = outline{}, int(at)
		default: // a bug in the parser must not lose a plan: the line rule still reads it
			o, deep = outline{broken: true}, -1
		}
	}()
	w := &watch{items: make([]int, 0, bytes.Count(body, []byte("\n"))/2)}
	pc := parser.NewContext()
	pc.Set(watchKey, w)
	doc := blockParser().Parse(text.NewReader(body), parser.WithContext(pc))
	wk := walker{src: body, str: str, w: w}
	wk.o.items = make([]item, 0, len(w.items))
	wk.o.heads = make([]head, 0, w.atx)
	wk.children(doc, len(body), nesting{})
	return wk.o, -1
}

// walker turns the tree into the flat outline.
type walker struct {
	src           []byte
	str           string // src
	w             *watch
	o             outline
	items, fences int // how many of the watch's records are used; they are in tree order
}

// nesting is where in the tree a block stands.
type nesting struct {
	lists  int
	quoted bool
}

// children visits the blocks of n, which ends at end.
func (k *walker) children(n ast.Node, end int, at nesting) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		stop := end
		if next := c.NextSibling(); next != nil {
			stop = k.start(next, end)
		}
		k.block(c, stop, at)
	}
}

func (k *walker) block(n ast.Node, end int, at nesting) {
	switch n := n.(type) {
	case *ast.Heading:
		k.heading(n, at)
	case *ast.List:
		at.lists++
		k.children(n, end, at)
	case *ast.ListItem:
		k.item(n, end, at)
	case *ast.Blockquote:
		at.quoted = true
		k.children(n, end, at)
	case *ast.FencedCodeBlock:
		s := k.w.fences[k.fences]
		k.fences++
		k.o.fences = append(k.o.fences, fence{pos: s.pos, end: s.end, closed: s.closed, quoted: at.quoted, node: n})
	case *ast.HTMLBlock:
		k.html(n)
	}
}

func (k *walker) heading(n *ast.Heading, at nesting) {
	h := head{pos: lineStart(k.src, min(max(n.Pos(), 0), len(k.src))), level: n.Level, nested: at.lists > 0 || at.quoted}
	if n.Lines().Len() > 0 { // watched ATX headings carry no lines
		h.setext = true
		h.text = strings.Join(strings.Fields(string(n.Lines().Value(k.src))), " ")
	} else {
		pos := min(max(n.Pos(), 0), len(k.src))
		h.text = atxText(k.str[pos:lineEnd(k.src, pos)])
	}
	k.o.heads = append(k.o.heads, h)
}

// atxText returns what stands between the opening and the closing sequence of a heading.
func atxText(line string) string {
	s := strings.TrimSpace(line)
	s = strings.TrimSpace(strings.TrimLeft(s, "#"))
	bare := strings.TrimRight(s, "#")
	if bare == "" || bare != s && (strings.HasSuffix(bare, " ") || strings.HasSuffix(bare, "\t")) {
		return strings.TrimSpace(bare)
	}
	return s
}

func (k *walker) item(n *ast.ListItem, end int, at nesting) {
	i := len(k.o.items)
	it := item{pos: k.w.items[k.items], end: end, own: end, depth: at.lists - 1, quoted: at.quoted}
	it.ordered = n.Parent().(*ast.List).IsOrdered()
	it.prose = n.FirstChild() != nil && n.FirstChild().Kind() == ast.KindParagraph
	k.items++
	k.o.items = append(k.o.items, it)
	firstItem, firstFence := k.items, k.fences
	k.children(n, end, at)
	if n.NextSibling() != nil { // its record is exact, where Pos is off by what is left of a tab
		end = lineStart(k.src, k.w.items[k.items])
		for j := i; j < len(k.o.items); j++ {
			k.o.items[j].end = min(k.o.items[j].end, end)
			k.o.items[j].own = min(k.o.items[j].own, end)
		}
	}
	if k.items > firstItem {
		k.o.items[i].own = lineStart(k.src, k.w.items[firstItem])
	}
	if k.fences > firstFence {
		k.o.items[i].own = min(k.o.items[i].own, lineStart(k.src, k.w.fences[firstFence].pos))
	}
	k.o.items[i].own = max(k.o.items[i].own, it.pos)
}

// html notes the block and the closed comments in it.
func (k *walker) html(n *ast.HTMLBlock) {
	start := lineStart(k.src, n.Lines().At(0).Start)
	end := n.Lines().At(n.Lines().Len() - 1).Stop
	if n.HasClosure() {
		end = n.ClosureLine.Stop
	}
	k.o.raws = append(k.o.raws, span{start, end})
	for at := start; ; {
		open := bytes.Index(k.src[at:end], []byte("<!--"))
		if open < 0 {
			return
		}
		open += at
		// "<!-->" is a whole comment, so the end may share the two dashes.
		length := bytes.Index(k.src[open+2:end], []byte("-->"))
		if length < 0 {
			if n.HTMLBlockType == ast.HTMLBlockType2 {
				k.o.notes = append(k.o.notes, note{open, UnclosedComment})
			}
			return
		}
		at = open + 2 + length + len("-->")
		k.o.hidden = append(k.o.hidden, span{open, at})
		if bytes.Contains(k.src[min(open+4, at):at], []byte("<!--")) {
			k.o.notes = append(k.o.notes, note{open, CommentInside})
		}
	}
}

// start finds the first byte of the line on which a block begins, fallback if the tree does not say.
func (k *walker) start(n ast.Node, fallback int) int {
	if p := n.Pos(); p >= 0 {
		return min(lineStart(k.src, min(p, len(k.src))), fallback)
	}
	return fallback
}

// lineStart returns the first byte of the line that holds pos.
func lineStart(src []byte, pos int) int { return bytes.LastIndexByte(src[:pos], '\n') + 1 }

// lineEnd returns the offset of the line feed that ends the line at pos, or the end of src.
func lineEnd(src []byte, pos int) int {
	if i := bytes.IndexByte(src[pos:], '\n'); i >= 0 {
		return pos + i
	}
	return len(src)
}

// fenceText returns a block's content with LF line ends.
func fenceText(src []byte, n *ast.FencedCodeBlock) string {
	var b strings.Builder
	for i := range n.Lines().Len() {
		seg := n.Lines().At(i)
		line := bytes.TrimRight(seg.Value(src), "\r\n")
		b.Write(line)
		b.WriteByte('\n')
	}
	return b.String()
}

// fenceInfo returns what follows the opening fence.
func fenceInfo(src []byte, n *ast.FencedCodeBlock) string {
	if n.Info == nil {
		return ""
	}
	return string(bytes.TrimSpace(n.Info.Segment.Value(src)))
}
