package term

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// panelTick is the time between two looks at what has changed.
const panelTick = 100 * time.Millisecond

// panelModel is what the terminal program of a Panel knows beside the Panel: the window, and what the person looks at.
type panelModel struct {
	p             *Panel
	width, height int
	follow        bool // the newest lines are shown
	upto          int  // the number of the first line below what is shown, where they are not
	help          bool
	view          string // as it was drawn last
	second        int64  // when
}

type tick time.Time

func nextTick() tea.Cmd { return tea.Tick(panelTick, func(t time.Time) tea.Msg { return tick(t) }) }

// Init starts the clock.
func (m *panelModel) Init() tea.Cmd { return nextTick() }

// Update takes in a key, a new size of the window, or the time.
func (m *panelModel) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tick:
		return m, nextTick()
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		m.stale()
	case tea.KeyPressMsg:
		m.stale()
		return m, m.key(msg.String())
	}
	return m, nil
}

func (m *panelModel) stale() { m.p.change(func(*panelState) {}) }

// key does what a key means.
func (m *panelModel) key(name string) tea.Cmd {
	switch name {
	case "?", "h":
		m.help = !m.help
	case "esc":
		m.help, m.follow = false, true
	case "up", "k":
		m.scroll(-1)
	case "down", "j":
		m.scroll(1)
	case "pgup", "b":
		m.scroll(-max(m.height/2, 1))
	case "pgdown", "space":
		m.scroll(max(m.height/2, 1))
	case "home", "g":
		m.scroll(-maxKeptLines)
	case "end", "G":
		m.follow = true
	case "ctrl+z":
		return tea.Suspend
	default:
		m.p.order(name)
	}
	return nil
}

// scroll moves the log by so many lines, down to the newest, which are followed then.
func (m *panelModel) scroll(by int) {
	end := m.p.kept.end()
	if m.follow {
		m.upto = end
	}
	m.upto = max(m.upto+by, min(1, end))
	m.follow = m.upto >= end
}

// View draws the Panel, if anything is another than before.
func (m *panelModel) View() tea.View {
	now := time.Now()
	m.p.mu.Lock()
	if m.p.st.dirty || m.second != now.Unix() {
		m.p.st.dirty, m.second = false, now.Unix()
		m.view = m.draw(&m.p.st, now)
	}
	m.p.mu.Unlock()
	v := tea.NewView(m.view)
	v.AltScreen = true
	return v
}

// order does what a key asks of the run.
func (p *Panel) order(key string) {
	p.mu.Lock()
	answer := p.st.answer
	var do func()
	p.st.said = ""
	switch key {
	case "q", "ctrl+c":
		switch {
		case answer != nil:
			say(answer, false)
		case p.opt.Stop != nil:
			p.st.stopping, do = true, p.opt.Stop
		}
	case "enter":
		switch {
		case answer != nil:
			say(answer, true)
		case p.st.held != "":
			do = p.opt.Resume
		}
	case "p", "ctrl+\\":
		switch {
		case answer != nil:
			say(answer, true)
		case p.st.held != "":
			do = p.opt.Resume
		case p.opt.Pause != nil && !p.st.stopping:
			p.st.pausing, do = true, p.opt.Pause
		}
	case "s":
		if answer == nil && !p.st.stopping {
			do = p.opt.Skip
		}
	}
	p.mu.Unlock()
	if do != nil {
		do()
	}
}

// say answers once; a second key finds the answer given.
func say(answer chan bool, on bool) {
	select {
	case answer <- on:
	default:
	}
}
