package convert

import (
	"fmt"
	"slices"
	"strings"
)

// maxGroup is how many items a task has at most where the source groups them by nothing.
const maxGroup = 7

// chunk cuts tasks without a heading into parts of five to seven items.
func (s *Source) chunk() {
	var out []Task
	for _, t := range s.Tasks {
		if hasWord(t.Title) {
			out = append(out, t)
			continue
		}
		out = append(out, s.parts(t)...)
	}
	s.Tasks = out
}

// parts cuts one task, evenly, and never between an item and what is nested in it.
func (s *Source) parts(t Task) []Task {
	var tops []int
	for i, it := range t.Items {
		if it.Depth == 0 || i == 0 {
			tops = append(tops, i)
		}
	}
	n := (len(tops) + maxGroup - 1) / maxGroup
	if n <= 1 {
		t.Title = s.Title
		return []Task{t}
	}
	var out []Task
	for k := range n {
		from, to := tops[k*len(tops)/n], len(t.Items)
		if k+1 < n {
			to = tops[(k+1)*len(tops)/n]
		}
		part := t
		part.Title = fmt.Sprintf("%s, part %d of %d", s.Title, k+1, n)
		part.Items = slices.Clone(t.Items[from:to])
		if k > 0 {
			part.Intro, part.ID = "", ""
		}
		if k+1 < n {
			part.Outro = ""
		}
		out = append(out, part)
	}
	return out
}

// distinct gives tasks with equal titles their own.
func (s *Source) distinct() {
	count := map[string]int{}
	key := func(t *Task) string { return strings.ToLower(oneLine(t.Title)) }
	taken := map[string]bool{}
	for i := range s.Tasks {
		taken[key(&s.Tasks[i])] = true
	}
	for i := range s.Tasks {
		t := &s.Tasks[i]
		k := key(t)
		if count[k]++; count[k] == 1 {
			continue
		}
		title := t.Title
		for n := count[k]; ; n++ {
			t.Title = fmt.Sprintf("%s (%d)", title, n)
			if !taken[key(t)] {
				taken[key(t)] = true
				break
			}
		}
	}
}
