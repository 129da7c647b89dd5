package term

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/assert"
)

func TestFuzzyOrder(t *testing.T) {
	names := []string{"docs/plans/add-cache.md", "docs/plans/parser.md", "docs/plans/2fa-login.md", "docs/plans/überblick.md", "a-c-h.md"}
	for query, want := range map[string][]int{
		"":       {0, 1, 2, 3, 4},
		"cache":  {0},
		"CACHE":  {0},
		"ach":    {0, 4},
		"login":  {2},
		"über":   {3},
		"zzz":    {},
		"parser": {1},
		" ":      {0, 1, 2, 3, 4},
	} {
		assert.Equal(t, append([]int{}, want...), fuzzyOrder(query, names), query)
	}
}

func pickerOf(width, height int, names ...string) *picker {
	var choices []Choice
	for _, n := range names {
		choices = append(choices, Choice{Name: n, Preview: func() string { return "about " + n + "\n\x1b[2Jhostile" }})
	}
	m := newPicker("plan:", choices)
	m.Update(tea.WindowSizeMsg{Width: width, Height: height})
	return m
}

func TestPickerKeys(t *testing.T) {
	for _, tt := range []struct {
		name string
		keys []string
		want int
	}{
		{"the first", []string{"enter"}, 0},
		{"down", []string{"down", "down", "enter"}, 2},
		{"not below the last", []string{"down", "down", "down", "down", "up", "enter"}, 1},
		{"typed", []string{"t", "w", "enter"}, 1},
		{"typed wrongly", []string{"t", "x", "enter", "backspace", "w", "enter"}, 1},
		{"cleared", []string{"x", "ctrl+u", "end", "enter"}, 2},
		{"left", []string{"down", "esc"}, -1},
		{"interrupted", []string{"ctrl+c"}, -1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := pickerOf(80, 10, "one.md", "two.md", "three.md")
			var quit tea.Cmd
			for _, k := range tt.keys {
				text := ""
				if len(k) == 1 {
					text = k
				}
				quit = m.key(k, text)
			}
			assert.NotNil(t, quit, "it is over")
			assert.Equal(t, tt.want, m.picked)
		})
	}
}

func TestPickerPicture(t *testing.T) {
	names := []string{"docs/plans/add-cache.md", "docs/plans/日本語.md", "docs/plans/evil\x1b[2J\nname.md"}
	golden(t, "pick_80x6.txt", ansi.Strip(pickerOf(80, 6, names...).draw())+"\n")
	golden(t, "pick_30x5.txt", ansi.Strip(pickerOf(30, 5, names...).draw())+"\n")
	for w := range 70 {
		for _, row := range strings.Split(pickerOf(w, 4, names...).draw(), "\n") {
			assert.LessOrEqual(t, ansi.StringWidth(row), w)
		}
	}
}
