package task

import (
	"slices"
	"strings"
)

// cycles reports each circle of edges once, as a depth-first walk in array order comes to it. A circle's path ends where it begins;
// that of a task with itself is the one id.
func (c *checker) cycles(code Code, format string, e edges) {
	const (
		fresh = iota
		open
		closed
	)
	type frame struct{ task, edge int }
	state := make([]byte, len(c.tasks))
	at := make([]int, len(c.tasks)) // where an open task lies on the path
	var path []frame
	known := map[string]bool{}
	enter := func(i int) {
		state[i], at[i] = open, len(path)
		path = append(path, frame{task: i})
	}
	distinct := c.distinct()
	for start := range c.tasks {
		if state[start] != fresh {
			continue
		}
		if !distinct {
			if first, _ := c.index(c.tasks[start].ID); first != start {
				continue // a second task of an id is never the one that is named
			}
		}
		enter(start)
		for len(path) > 0 {
			top := &path[len(path)-1]
			next := e.of(top.task)
			if top.edge == len(next) {
				state[top.task] = closed
				path = path[:len(path)-1]
				continue
			}
			to := int(next[top.edge])
			top.edge++
			switch {
			case to < 0 || state[to] == closed:
			case state[to] == fresh:
				enter(to)
			default:
				if c.budget -= len(path) - at[to]; c.budget < 0 {
					return // there is more to repair than anybody reads
				}
				var ids []string
				for _, f := range path[at[to]:] {
					ids = append(ids, c.tasks[f.task].ID)
				}
				c.cycle(code, format, ids, known)
			}
		}
	}
}

// cycle reports one circle, unless it was found from another of its tasks already.
func (c *checker) cycle(code Code, format string, ids []string, known map[string]bool) {
	if len(ids) > 1 {
		first := slices.Index(ids, slices.Min(ids))
		turned := slices.Concat(ids[first:], ids[:first])
		key := strings.Join(turned, "\x00")
		if known[key] {
			return
		}
		known[key] = true
		ids = append(ids, ids[0])
	}
	c.add(code, nil, ids, format, strings.Join(ids, " → "))
	i, _ := c.index(ids[0])
	c.out[len(c.out)-1].Location = c.tasks[i].Source
}
