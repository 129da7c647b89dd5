package term

import (
	"strconv"
	"strings"
	"sync"
)

// emulator is a terminal as far as a Screen needs one: text, newline, carriage return, erase to the end of the line or the
// screen, cursor up. Every rune is one column, but for those of East Asia, which are two. A line that is too long goes on in the next row.
type emulator struct {
	mu       sync.Mutex
	width    int
	lines    [][]rune
	row, col int
	drawings int // how often something was written behind an eraser
}

func (e *emulator) Write(p []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	text := string(p)
	if strings.HasPrefix(text, "\r\x1b[") {
		e.drawings++
	}
	for text != "" {
		if rest, ok := strings.CutPrefix(text, "\x1b["); ok {
			n := strings.IndexFunc(rest, func(r rune) bool { return r < '0' || r > ';' })
			e.control(rest[:n], rest[n])
			text = rest[n+1:]
			continue
		}
		r := []rune(text)[0]
		text = text[len(string(r)):]
		e.rune(r)
	}
	return len(p), nil
}

func (e *emulator) rune(r rune) {
	switch r {
	case '\n':
		e.down()
		e.col = 0
	case '\r':
		e.col = 0
	default:
		cells := 1
		if r >= 0x4e00 && r < 0xa000 {
			cells = 2
		}
		if e.col+cells > e.width {
			e.down()
			e.col = 0
		}
		for range cells {
			e.put(r)
			r = 0 // the second cell of a wide rune
		}
	}
}

func (e *emulator) put(r rune) {
	for len(e.lines[e.row]) <= e.col {
		e.lines[e.row] = append(e.lines[e.row], ' ')
	}
	e.lines[e.row][e.col] = r
	e.col++
}

func (e *emulator) down() {
	e.row++
	if e.row == len(e.lines) {
		e.lines = append(e.lines, nil)
	}
}

func (e *emulator) control(params string, final byte) {
	n, _ := strconv.Atoi(params)
	switch final {
	case 'K':
		e.lines[e.row] = e.lines[e.row][:min(e.col, len(e.lines[e.row]))]
	case 'J':
		e.control("", 'K')
		e.lines = e.lines[:e.row+1]
	case 'A':
		e.row = max(e.row-max(n, 1), 0)
	}
}

// resize breaks the row with the cursor anew, as terminals do.
func (e *emulator) resize(width int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.width = width
	for len(e.lines[e.row]) > width {
		rest := append([]rune(nil), e.lines[e.row][width:]...)
		e.lines[e.row] = e.lines[e.row][:width]
		e.lines = append(e.lines, rest)
		e.row++
	}
	e.col = len(e.lines[e.row])
}

func (e *emulator) String() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	var b strings.Builder
	for _, line := range e.lines {
		b.WriteString(strings.ReplaceAll(string(line), "\x00", "") + "\n")
	}
	return b.String()
}

// last is the last row that is not empty.
func (e *emulator) last() string {
	rows := strings.Split(strings.TrimRight(e.String(), "\n"), "\n")
	return rows[len(rows)-1]
}

// bottom returns how many rows there are, and the columns in use of the last one.
func (e *emulator) bottom() (rows, used int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.lines), len(e.lines[len(e.lines)-1])
}

func (e *emulator) columns() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.width
}

func (e *emulator) drawn() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.drawings
}
