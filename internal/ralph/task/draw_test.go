package task

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestDraw(t *testing.T) {
	t.Parallel()
	list := graph(t, "A done", "B in_progress", "C todo B A,B", "D blocked C X", "E todo GONE")
	list[1].Title = "say \"<hi>\"\n\x1b[31m`#1`\\"
	list[3].Blocker = "no key"
	assert.Equal(t, `[x] A A
[>] B say "<hi>" [31m`+"`#1`"+`\
  [ ] C C (waits for B)
    [!] D D (waits for X) (blocked: no key)
[ ] E E
`, Draw(list, AsText))
	assert.Equal(t, `flowchart LR
  n0["A: A"]:::done
  n1["B: say #quot;#lt;hi#gt;#quot; [31m#96;#35;1#96;#92;"]:::in_progress
  n2["C: C"]:::todo
  n3["D: D"]:::blocked
  n4["E: E"]:::todo
  n0 --> n2
  n1 --> n2
  n1 -.- n2
  n2 -.- n3
`, strings.Split(Draw(list, AsMermaid), "  classDef")[0])
	assert.Equal(t, `digraph tasks {
  rankdir=LR;
  node [shape=box, style=filled];
  n0 [label="A: A", fillcolor=palegreen];
  n1 [label="B: say \"<hi>\" [31m`+"`#1`"+`\\", fillcolor=lightblue];
  n2 [label="C: C", fillcolor=white];
  n3 [label="D: D", fillcolor=mistyrose];
  n4 [label="E: E", fillcolor=white];
  n0 -> n2;
  n1 -> n2;
  n1 -> n2 [style=dashed, arrowhead=none];
  n2 -> n3 [style=dashed, arrowhead=none];
}
`, Draw(list, AsDot))
	ring := Draw(graph(t, "A todo C", "B todo A", "C todo B", "A done"), AsText)
	assert.Equal(t, 4, strings.Count(ring, "\n"), "each once, circles and twins, too:\n%s", ring)
}

func TestPlainMovesNothing(t *testing.T) {
	assert.Equal(t, "a b [2J c d e", Plain("a\n\tb \x1b[2J c \u202e\u2066d\u2028e\u200f"))
	assert.Equal(t, "\u05d0 \ufffd", Plain("\u05d0 \xff"), "letters of any language stay")
}
