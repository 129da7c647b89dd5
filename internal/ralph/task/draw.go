package task

import (
	"fmt"
	"strings"
	"unicode"
)

// Drawing is a way to draw the graph.
type Drawing string

// The drawings.
const (
	AsText    Drawing = "text"    // a tree by parents, with what each task waits for
	AsMermaid Drawing = "mermaid" // a flowchart that many Markdown renderers draw
	AsDot     Drawing = "dot"     // for Graphviz
)

// Drawings lists them.
var Drawings = []Drawing{AsText, AsMermaid, AsDot}

// Draw draws tasks. The same tasks give the same text, and no title breaks out of its place. Parents that don't exist and circles
// are drawn as far as they go: each task stands there once.
func Draw(tasks []Task, d Drawing) string {
	switch d {
	case AsMermaid:
		return mermaid(tasks)
	case AsDot:
		return dot(tasks)
	}
	return tree(tasks)
}

var marks = map[Status]string{Todo: "[ ]", InProgress: "[>]", Blocked: "[!]", Done: "[x]"}

// tree draws each task below its parent.
func tree(tasks []Task) string {
	g := NewGraph(tasks)
	var b strings.Builder
	drawn := make([]bool, len(tasks))
	type row struct{ at, depth int }
	from := func(start int) {
		stack := []row{{start, 0}}
		for len(stack) > 0 {
			r := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if drawn[r.at] {
				continue
			}
			drawn[r.at] = true
			t := &tasks[r.at]
			const deepest = 40 // deeper trees are drawn as if they went no deeper
			fmt.Fprintf(&b, "%s%s %s %s", strings.Repeat("  ", min(r.depth, deepest)), marks[t.Status], Plain(t.ID), Plain(t.Title))
			if unmet := g.Unmet(t); len(unmet) > 0 && t.Status != Done {
				fmt.Fprintf(&b, " (waits for %s)", Plain(strings.Join(unmet, ", ")))
			}
			if t.Status == Blocked && t.Blocker != "" {
				fmt.Fprintf(&b, " (blocked: %s)", Plain(t.Blocker))
			}
			b.WriteByte('\n')
			if first, _ := g.index(t.ID); first == r.at {
				for _, c := range reversed(g.below(t.ID)) {
					stack = append(stack, row{int(c), r.depth + 1})
				}
			}
		}
	}
	for i := range tasks {
		if p := tasks[i].ParentID; p == "" {
			from(i)
		} else if _, ok := g.index(p); !ok {
			from(i)
		}
	}
	for i := range tasks { // circles of parents
		from(i)
	}
	return b.String()
}

// Plain is a text on one line, without what moves a cursor or turns the direction of writing round.
func Plain(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsControl(r) || r == '\u2028' || r == '\u2029':
			return ' '
		case r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0x200e, r == 0x200f, r == 0x061c:
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd"))
	return strings.Join(strings.Fields(s), " ")
}

// edges visits what depends on what, and what is a part of what, by place.
func (g *Graph) edges(dependency, part func(from, to int)) {
	for i := range g.tasks {
		t := &g.tasks[i]
		for _, d := range t.DependsOn {
			if on, ok := g.index(d); ok {
				dependency(on, i)
			}
		}
		if p, ok := g.index(t.ParentID); ok && t.ParentID != "" {
			part(p, i)
		}
	}
}

func mermaid(tasks []Task) string {
	var b strings.Builder
	b.WriteString("flowchart LR\n")
	// Entities of Mermaid are numbers between # and ;.
	escape := strings.NewReplacer("#", "#35;", `"`, "#quot;", "<", "#lt;", ">", "#gt;", "`", "#96;", "\\", "#92;", "&", "#amp;")
	for i := range tasks {
		t := &tasks[i]
		fmt.Fprintf(&b, "  n%d[\"%s: %s\"]:::%s\n", i, escape.Replace(Plain(t.ID)), escape.Replace(Plain(t.Title)), t.Status)
	}
	NewGraph(tasks).edges(
		func(from, to int) { fmt.Fprintf(&b, "  n%d --> n%d\n", from, to) },
		func(from, to int) { fmt.Fprintf(&b, "  n%d -.- n%d\n", from, to) })
	b.WriteString("  classDef todo fill:#fff,stroke:#888\n  classDef in_progress fill:#def,stroke:#06c\n  classDef blocked fill:#fdd,stroke:#c00\n  classDef done fill:#dfd,stroke:#080\n")
	return b.String()
}

func dot(tasks []Task) string {
	colours := map[Status]string{Todo: "white", InProgress: "lightblue", Blocked: "mistyrose", Done: "palegreen"}
	escape := strings.NewReplacer(`\`, `\\`, `"`, `\"`)
	var b strings.Builder
	b.WriteString("digraph tasks {\n  rankdir=LR;\n  node [shape=box, style=filled];\n")
	for i := range tasks {
		t := &tasks[i]
		fmt.Fprintf(&b, "  n%d [label=\"%s: %s\", fillcolor=%s];\n", i, escape.Replace(Plain(t.ID)), escape.Replace(Plain(t.Title)), colours[t.Status])
	}
	NewGraph(tasks).edges(
		func(from, to int) { fmt.Fprintf(&b, "  n%d -> n%d;\n", from, to) },
		func(from, to int) {
			fmt.Fprintf(&b, "  n%d -> n%d [style=dashed, arrowhead=none];\n", from, to)
		})
	b.WriteString("}\n")
	return b.String()
}
