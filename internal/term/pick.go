package term

import (
	"context"
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// ErrNotPicked says that the person left without a choice.
var ErrNotPicked = errors.New("nothing was chosen")

// Choice is one of several things to pick from.
type Choice struct {
	Name    string
	Preview func() string // what is shown beside it; asked for when it is first looked at
}

// Pick lets the person choose: typed letters narrow the list down, arrows move, Enter takes. It returns the index of the choice, or
// ErrNotPicked after Esc or Ctrl+C, or what ended ctx.
func Pick(ctx context.Context, tio *IO, title string, choices []Choice) (int, error) {
	m := newPicker(title, choices)
	defer remember(tio)()
	prog := tea.NewProgram(m, programOptions(tio)...)
	defer context.AfterFunc(ctx, prog.Quit)() // a program that is killed closes the terminal's reader while it still reads
	_, err := prog.Run()
	switch {
	case ctx.Err() != nil:
		return 0, context.Cause(ctx)
	case err != nil:
		return 0, fmt.Errorf("show the list: %w", err)
	case m.picked < 0:
		return 0, ErrNotPicked
	}
	return m.picked, nil
}

// picker is the terminal program of Pick.
type picker struct {
	title         string
	choices       []Choice
	names         []string
	previews      map[int]string
	query         string
	shown         []int // indexes of what fits
	at            int   // in shown
	picked        int   // -1 = nothing
	done          bool
	width, height int
}

func newPicker(title string, choices []Choice) *picker {
	m := &picker{title: title, choices: choices, previews: map[int]string{}, picked: -1}
	for _, c := range choices {
		m.names = append(m.names, plainRow(c.Name))
	}
	m.filter("")
	return m
}

func (m *picker) filter(query string) {
	m.query, m.at = query, 0
	m.shown = fuzzyOrder(query, m.names)
}

// Init has nothing to begin.
func (m *picker) Init() tea.Cmd { return nil }

// Update takes in a key, pasted text, or a new size of the window.
func (m *picker) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tea.PasteMsg:
		m.filter(m.query + plainRow(msg.Content))
	case tea.KeyPressMsg:
		return m, m.key(msg.String(), msg.Key().Text)
	}
	return m, nil
}

func (m *picker) key(name, text string) tea.Cmd {
	switch name {
	case "esc", "ctrl+c", "ctrl+d", "ctrl+\\":
		m.done = true
		return tea.Quit
	case "enter":
		if len(m.shown) == 0 {
			return nil
		}
		m.picked, m.done = m.shown[m.at], true
		return tea.Quit
	case "up", "ctrl+p", "ctrl+k":
		m.at = max(m.at-1, 0)
	case "down", "ctrl+n", "ctrl+j", "tab":
		m.at = max(min(m.at+1, len(m.shown)-1), 0)
	case "pgup", "home":
		m.at = 0
	case "pgdown", "end":
		m.at = max(len(m.shown)-1, 0)
	case "backspace":
		if r := []rune(m.query); len(r) > 0 {
			m.filter(string(r[:len(r)-1]))
		}
	case "ctrl+u", "ctrl+w":
		m.filter("")
	default:
		if text != "" {
			m.filter(m.query + plainRow(text))
		}
	}
	return nil
}

// View draws the list, with the preview beside it in a window that is wide enough for both.
func (m *picker) View() tea.View {
	v := tea.NewView(m.draw())
	v.AltScreen = true
	if m.done {
		v.AltScreen, v.Content = false, ""
	}
	return v
}

func (m *picker) draw() string {
	if m.width <= 0 || m.height <= 0 {
		return ""
	}
	left := m.width
	if m.width >= 60 {
		left = m.width * 2 / 5
	}
	list := m.list(left, max(m.height-2, 0))
	if left < m.width {
		preview := m.preview(m.width-left-3, len(list))
		for i := range list {
			list[i] += strings.Repeat(" ", max(left-ansi.StringWidth(list[i]), 0)) + " │ " + preview[i]
		}
	}
	rows := append([]string{ansi.Truncate(fmt.Sprintf("%s %s▏", m.title, m.query), m.width, "…")}, list...)
	rows = append(rows, ansi.Truncate(fmt.Sprintf("%d of %d · type to narrow down, ↑↓ move, Enter takes, Esc leaves", len(m.shown), len(m.choices)), m.width, "…"))
	return strings.Join(rows[:min(len(rows), m.height)], "\n")
}

func (m *picker) list(width, n int) []string {
	rows := make([]string, n)
	first := max(m.at-n+1, 0)
	for i := range rows {
		if first+i >= len(m.shown) {
			break
		}
		mark := "  "
		if first+i == m.at {
			mark = "> "
		}
		rows[i] = ansi.Truncate(mark+m.names[m.shown[first+i]], width, "…")
		if first+i == m.at {
			rows[i] = "\x1b[7m" + rows[i] + ansi.ResetStyle
		}
	}
	return rows
}

func (m *picker) preview(width, n int) []string {
	rows := make([]string, n)
	if len(m.shown) == 0 {
		return rows
	}
	index := m.shown[m.at]
	text, ok := m.previews[index]
	if !ok && m.choices[index].Preview != nil {
		text = m.choices[index].Preview()
		m.previews[index] = text
	}
	for i, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		if i < n {
			rows[i] = ansi.Truncate(plainRow(line), width, "…")
		}
	}
	return rows
}
