package stable

import "sort"

// step is how many bytes lie between two counts that Lines keeps.
const step = 1024

// Lines finds the line and column of a byte offset. Only "\n" ends a line, and columns count UTF-16 units. It may be
// used by several goroutines.
type Lines struct {
	data   []byte
	starts []int // byte offset of each line
	counts []int // UTF-16 units before byte 0, step, 2·step …
}

// NewLines looks through the text once. It keeps data, which must not change.
func NewLines(data []byte) *Lines {
	l := &Lines{data: data, starts: []int{0}, counts: make([]int, 0, len(data)/step+1)}
	n := 0
	for i, c := range data {
		if i%step == 0 {
			l.counts = append(l.counts, n)
		}
		n += units(c)
		if c == '\n' {
			l.starts = append(l.starts, i+1)
		}
	}
	if len(data)%step == 0 {
		l.counts = append(l.counts, n)
	}
	return l
}

// Position returns the line and the column of a byte offset, both from 1. An offset outside the text is taken for its nearest end.
func (l *Lines) Position(offset int) (line, col int) {
	offset = min(max(offset, 0), len(l.data))
	line = sort.SearchInts(l.starts, offset+1)
	return line, l.unitsBefore(offset) - l.unitsBefore(l.starts[line-1]) + 1
}

func (l *Lines) unitsBefore(offset int) int {
	n := l.counts[offset/step]
	for _, c := range l.data[offset/step*step : offset] {
		n += units(c)
	}
	return n
}
