package term

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/event"
)

// lookAt is a Panel that nothing draws, and the model of its program.
func lookAt(opt PanelOptions, width, height int) (*Panel, *panelModel) {
	tio, _, _, _ := Test()
	p := newPanel(tio, opt)
	p.prog = tea.NewProgram(nil)
	m := &panelModel{p: p, follow: true}
	m.Update(tea.WindowSizeMsg{Width: width, Height: height})
	return p, m
}

func (p *Panel) picture(m *panelModel, at time.Time) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return ansi.Strip(m.draw(&p.st, at))
}

var panelTasks = []TaskRow{
	{Title: "Scaffold", Boxes: []BoxRow{{Text: "files", Checked: true}}, State: TaskDone},
	{Title: "Read the plan 日本語日本語日本語日本語日本語日本語日本語日本語日本語日本語 to its end", Boxes: []BoxRow{{Text: "blocks"}, {Text: "boxes \x1b[2J"}, {Text: "(manual) ask", Person: true}}},
	{Title: "Wire it", Boxes: []BoxRow{{Text: "wire"}}},
}

var panelRun = []event.Data{
	event.RunStart{Plan: "/repo/docs/plans/feature.md", Mode: "full", Branch: "master", Tasks: 4},
	event.Branch{Name: "feature", Created: true},
	event.PhaseStart{Name: event.PhaseTask, Stage: event.StageTasks},
	event.NewTaskIterationSection(1),
	event.TaskStart{ID: "2", Title: panelTasks[1].Title, Open: 2, Total: 2, Attempt: 2},
	event.SessionStart{N: 3, Executor: "claude", Model: "opus"},
	event.Output{Text: "I read the plan.\n" + strings.Repeat("long words ", 12)},
	event.Output{Text: "Bash: go test ./...\t\x1b]0;evil\a", Source: event.FromTool},
	event.Tick{Box: 1, Text: "blocks", Checked: true, By: "agent"},
	event.Spent{Usage: event.Usage{InputTokens: 12_345, OutputTokens: 678, CostUSD: 0.421}},
	event.Note{Level: event.Warn, Text: "look here"},
}

func TestPanelPictures(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}, {40, 10}, {12, 4}, {1, 1}} {
		name := fmt.Sprintf("panel_%dx%d.txt", size[0], size[1])
		t.Run(name, func(t *testing.T) {
			p, m := lookAt(PanelOptions{Tasks: clonedTasks(), Mode: "full", Orders: Orders{Stop: func() {}, Pause: func() {}}}, size[0], size[1])
			feed(t, p, 2, panelRun...)
			got := p.picture(m, start.Add(250*time.Second))
			rows := strings.Split(got, "\n")
			assert.Len(t, rows, size[1])
			for _, r := range rows {
				assert.LessOrEqual(t, ansi.StringWidth(r), size[0], "%q", r)
			}
			golden(t, name, got+"\n")
		})
	}
}

func clonedTasks() []TaskRow {
	var out []TaskRow
	for _, r := range panelTasks {
		r.Boxes = append([]BoxRow(nil), r.Boxes...)
		out = append(out, r)
	}
	return out
}

func feed(t *testing.T, p *Panel, task int, facts ...event.Data) {
	t.Helper()
	for i, d := range facts {
		require.NoError(t, p.Handle(event.Event{Time: start.Add(time.Duration(i) * time.Second), Phase: event.PhaseTask, Task: task, Data: d}))
	}
}

func TestPanelCountsALimitDown(t *testing.T) {
	p, m := lookAt(PanelOptions{}, 60, 10)
	feed(t, p, 0, event.RunStart{}, event.Wait{For: time.Hour, Reason: "usage limit", Until: start.Add(time.Hour)})
	assert.Contains(t, p.picture(m, start.Add(15*time.Minute)), "waiting 45m0s: usage limit")
	feed(t, p, 0, event.Output{Text: "on it goes"})
	assert.NotContains(t, p.picture(m, start.Add(15*time.Minute)), "45m0s")
}

// The states of tasks can be told apart without colours.
func TestPanelTaskStates(t *testing.T) {
	p, m := lookAt(PanelOptions{}, 60, 24)
	feed(t, p, 0, event.RunStart{Tasks: 6})
	for i, o := range []event.Outcome{event.Done, event.Unproven, event.LeftHuman, event.Failed, event.Skipped} {
		feed(t, p, i+1, event.TaskStart{Title: string(o), Open: 1, Total: 1}, event.TaskEnd{Outcome: o, Elapsed: time.Minute})
	}
	got := p.picture(m, start)
	for _, want := range []string{`✓ 1 done +1m0s`, `✓ 2 unproven +unproven  1m0s`, `~ 3 left +left for a person  1m0s`, `✗ 4 failed +failed  1m0s`, `- 5 skipped +skipped  1m0s`, `  6 task`} {
		assert.Regexp(t, want, got)
	}
}

func TestPanelScrolls(t *testing.T) {
	p, m := lookAt(PanelOptions{}, 60, 12)
	for i := range 100 {
		feed(t, p, 0, event.Output{Text: fmt.Sprintf("line %d.", i)})
	}
	assert.Contains(t, p.picture(m, start), "line 99.")
	m.key("pgup")
	got := p.picture(m, start)
	assert.NotContains(t, got, "line 99.")
	assert.Contains(t, got, "6 newer lines below")
	feed(t, p, 0, event.Output{Text: "line 100."})
	assert.Equal(t, strings.Replace(got, "6 newer", "7 newer", 1), p.picture(m, start), "what is being read stays where it is")
	m.key("home")
	assert.Contains(t, p.picture(m, start), "line 0.")
	m.key("end")
	assert.Contains(t, p.picture(m, start), "line 100.")
	m.key("?")
	assert.Contains(t, p.picture(m, start), "end the run politely")
}

func TestPanelOrders(t *testing.T) {
	var told []string
	order := func(name string) func() { return func() { told = append(told, name) } }
	_, m := lookAt(PanelOptions{Orders: Orders{Stop: order("stop"), Pause: order("pause"), Skip: order("skip")}}, 60, 12)
	for _, k := range []string{"x", "s", "p", "ctrl+\\", "q", "p", "s", "ctrl+c"} {
		m.key(k)
	}
	assert.Equal(t, []string{"skip", "pause", "pause", "stop", "stop"}, told, "a run that ends is not paused")
}

func TestPanelAsks(t *testing.T) {
	for key, want := range map[string]bool{"enter": true, "p": true, "q": false, "ctrl+c": false} {
		p, m := lookAt(PanelOptions{Orders: Orders{Stop: func() { t.Error("an answer is no order") }}}, 60, 12)
		got := make(chan bool)
		go func() { got <- p.Ask(t.Context(), nil) }()
		require.Eventually(t, func() bool { return strings.Contains(p.picture(m, start), "paused: Enter goes on") }, 2*time.Minute, time.Millisecond)
		m.key("s")
		m.key(key)
		assert.Equal(t, want, <-got, key)
		assert.NotContains(t, p.picture(m, start), "paused")

		answer := make(chan bool, 1) // of an Ask that has not come to take it yet
		p.change(func(st *panelState) { st.answer = answer })
		m.key(key)
		m.key(key)
		assert.Equal(t, want, <-answer, "%s, twice", key)
	}
	p, _ := lookAt(PanelOptions{}, 60, 12)
	resumed := make(chan struct{})
	close(resumed)
	assert.True(t, p.Ask(t.Context(), resumed), "somebody else ended the pause")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	assert.False(t, p.Ask(ctx, nil))
}

// A pause that another process ordered is shown, and ended by a key.
func TestPanelHeldByOthers(t *testing.T) {
	resumed := 0
	p, m := lookAt(PanelOptions{Orders: Orders{Resume: func() { resumed++ }}}, 60, 12)
	m.key("enter")
	feed(t, p, 0, event.Pause{By: "anna"})
	assert.Contains(t, p.picture(m, start), "paused by anna: Enter goes on")
	m.key("enter")
	assert.Equal(t, 1, resumed)
	feed(t, p, 0, event.Pause{By: "anna", Over: true})
	p.Say("there is nothing to skip yet")
	assert.Contains(t, p.picture(m, start), "nothing to skip yet")
	m.key("x")
	assert.NotContains(t, p.picture(m, start), "nothing to skip yet")
}

func TestKeptIsBounded(t *testing.T) {
	k := &kept{}
	for i := range maxKeptLines + 10 {
		fmt.Fprintf(k.stream(toOut), "line %d\n", i)
	}
	fmt.Fprint(k.stream(toErr), "half a ")
	var out, err strings.Builder
	require.NoError(t, k.release(&out, &err, "the.log", func(s string) string { return s }))
	assert.True(t, strings.HasPrefix(out.String(), "… 11 lines before these are in the.log\nline 11\n"), out.String()[:60])
	fmt.Fprint(k.stream(toErr), "line\n")
	assert.Equal(t, "half a \nline\n", err.String())
	big := &kept{}
	for range 10 {
		fmt.Fprintln(big.stream(toOut), strings.Repeat("x", 1<<20))
	}
	assert.LessOrEqual(t, big.bytes, maxKeptBytes)
	assert.Equal(t, 10, big.end())
}
