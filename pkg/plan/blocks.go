package plan

import (
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// maxDepth is how many lists and quotes may stand inside each other. goldmark's time grows with depth times
// lines (a list 1,600 deep takes seconds), and nobody reads such a plan.
const maxDepth = 100

// watch collects, while goldmark reads, what its tree does not keep. Records are in the order in which blocks
// open, which is the order of the tree.
type watch struct {
	items  []int // offsets of the list markers
	fences []watchedFence
	atx    int // how many ATX headings
}

type watchedFence struct {
	pos, end int
	closed   bool
}

var watchKey = parser.NewContextKey()

// blockParser reads blocks only. No inline parser runs, and no link definitions are gathered (50,000 of them
// take seconds): nothing that a plan means depends on them.
var blockParser = sync.OnceValue(func() parser.Parser {
	return parser.NewParser(parser.WithBlockParsers(
		util.Prioritized(parser.NewSetextHeadingParser(), 100),
		util.Prioritized(parser.NewThematicBreakParser(), 200),
		util.Prioritized(listParser{parser.NewListParser()}, 300),
		util.Prioritized(itemParser{parser.NewListItemParser()}, 400),
		util.Prioritized(parser.NewCodeBlockParser(), 500),
		util.Prioritized(atxParser{parser.NewATXHeadingParser()}, 600),
		util.Prioritized(fenceParser{parser.NewFencedCodeBlockParser()}, 700),
		util.Prioritized(quoteParser{parser.NewBlockquoteParser()}, 800),
		util.Prioritized(parser.NewHTMLBlockParser(), 900),
		util.Prioritized(parser.NewParagraphParser(), 1000),
	))
})

// tooDeep stops goldmark by a panic that readOutline recovers from: it has no other way to give up, and
// going on would cost the time that the limit is there to save. Its value is the offset of the block.
type tooDeep int

// checkDepth panics if a container in parent would be nested deeper than maxDepth.
func checkDepth(parent ast.Node, pos int) {
	depth := 0
	for n := parent; n != nil; n = n.Parent() {
		switch n.(type) {
		case *ast.ListItem, *ast.Blockquote:
			depth++
		}
	}
	if depth >= maxDepth {
		panic(tooDeep(pos))
	}
}

type listParser struct{ parser.BlockParser }

func (b listParser) Open(parent ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	n, state := b.BlockParser.Open(parent, r, pc)
	if n != nil {
		_, seg := r.PeekLine()
		checkDepth(parent, seg.Start)
	}
	return n, state
}

// Close drops the text of the items once no later line can make a heading of it, so that no inline pass is
// spent on it: boxes are read from the bytes. What goldmark does here, telling tight lists from loose ones,
// matters for drawing only.
func (b listParser) Close(n ast.Node, r text.Reader, pc parser.Context) {
	for it := n.FirstChild(); it != nil; it = it.NextSibling() {
		if c := it.FirstChild(); c != nil && c.Kind() == ast.KindParagraph {
			c.Lines().Clear()
		}
	}
}

type itemParser struct{ parser.BlockParser }

func (b itemParser) Open(parent ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, seg := r.PeekLine()
	n, state := b.BlockParser.Open(parent, r, pc)
	if n != nil {
		w := pc.Get(watchKey).(*watch)
		w.items = append(w.items, contentStart(line, seg))
	}
	return n, state
}

type quoteParser struct{ parser.BlockParser }

func (b quoteParser) Open(parent ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	_, seg := r.PeekLine()
	checkDepth(parent, seg.Start)
	return b.BlockParser.Open(parent, r, pc)
}

type atxParser struct{ parser.BlockParser }

// Close drops the heading's text, which is read from the bytes.
func (b atxParser) Close(n ast.Node, r text.Reader, pc parser.Context) {
	b.BlockParser.Close(n, r, pc)
	n.Lines().Clear()
	pc.Get(watchKey).(*watch).atx++
}

type fenceParser struct{ parser.BlockParser }

func (b fenceParser) Open(parent ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, seg := r.PeekLine()
	n, state := b.BlockParser.Open(parent, r, pc)
	if n != nil {
		w := pc.Get(watchKey).(*watch)
		w.fences = append(w.fences, watchedFence{pos: contentStart(line, seg), end: seg.Stop})
	}
	return n, state
}

func (b fenceParser) Continue(n ast.Node, r text.Reader, pc parser.Context) parser.State {
	_, seg := r.PeekLine()
	state := b.BlockParser.Continue(n, r, pc)
	w := pc.Get(watchKey).(*watch)
	f := &w.fences[len(w.fences)-1]
	f.end = seg.Stop
	f.closed = state&parser.Close != 0
	return state
}

// contentStart is the offset of the first character of line that is no blank. A reader pads a line whose tab
// was only partly used up by the container; padding has no bytes.
func contentStart(line []byte, seg text.Segment) int {
	i := 0
	for i < len(line) && (line[i] == ' ' || line[i] == '\t') {
		i++
	}
	return seg.Start + max(i-seg.Padding, 0)
}
