package term

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"ralphex/pkg/event"
)

// bold is no colour, and is there without any.
const bold = "\x1b[1m"

// painter makes the rows of a Panel, each at most as wide as the window.
type painter struct {
	width int
	out   palette
	rows  []string
}

// row adds a row: text at the left, and at the right what fits behind it.
func (pt *painter) row(style, left, right string) {
	left = plainRow(left)
	right = ansi.Truncate(plainRow(right), max(pt.width/2, 1), "…")
	room := pt.width
	if right != "" {
		room -= ansi.StringWidth(right) + 1
	}
	left = ansi.Truncate(left, max(room, 1), "…")
	if gap := pt.width - ansi.StringWidth(left) - ansi.StringWidth(right); right != "" && gap > 0 {
		left += strings.Repeat(" ", gap) + right
	}
	pt.add(style, left)
}

func (pt *painter) add(style, text string) {
	if style != "" {
		text = style + text + ansi.ResetStyle
	}
	pt.rows = append(pt.rows, text)
}

// rule adds a line across the window with a title in it.
func (pt *painter) rule(title string) {
	if title != "" {
		title = " " + ansi.Truncate(plainRow(title), max(pt.width-6, 1), "…") + " "
	}
	line := "──" + title
	pt.add(pt.out.info, line+strings.Repeat("─", max(pt.width-ansi.StringWidth(line), 0)))
}

// plainRow makes text of others fit into a row.
func plainRow(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(clean(text), "\t", "    "), "\n", " ")
}

// draw draws the whole Panel. What is left when the window is small is the log and the keys.
func (m *panelModel) draw(st *panelState, now time.Time) string {
	if m.width <= 0 || m.height <= 0 {
		return ""
	}
	pt := &painter{width: m.width, out: m.p.screen.out}
	foot := &painter{width: m.width, out: pt.out}
	m.foot(foot, st, now)
	m.head(pt, st, now)
	free := m.height - len(pt.rows) - len(foot.rows)
	if n := min(len(st.rows)+st.openBoxes(), max(free/2-1, 0)); n > 0 {
		st.list(pt, n)
	}
	if free > 4 {
		pt.rule(m.logTitle(st))
	}
	m.log(pt, m.height-len(pt.rows)-len(foot.rows))
	rows := append(pt.rows, foot.rows...)
	if len(rows) > m.height {
		rows = rows[len(rows)-m.height:]
	}
	return strings.Join(rows, "\n")
}

// head says what the run is about.
func (m *panelModel) head(pt *painter, st *panelState, now time.Time) {
	name := filepath.Base(st.plan)
	if st.plan == "" {
		name = "no plan"
	}
	parts := []string{name}
	if st.branch != "" {
		parts = append(parts, st.branch)
	}
	if m.p.opt.Mode != "" {
		parts = append(parts, m.p.opt.Mode)
	}
	elapsed := ""
	if !st.started.IsZero() {
		elapsed = event.Elapsed(now.Sub(st.started))
	}
	pt.row(bold, strings.Join(parts, " · "), elapsed)
}

// openBoxes is how many rows the boxes of the task in work take.
func (st *panelState) openBoxes() int {
	if st.task < 1 || st.task > len(st.rows) {
		return 0
	}
	return len(st.rows[st.task-1].Boxes)
}

// list lists the tasks in n rows, the one in work with its boxes. Where they are too many, those around the next open box are shown.
func (st *panelState) list(pt *painter, n int) {
	all := &painter{width: pt.width, out: pt.out}
	focus, last := 0, 0
	for i, r := range st.rows {
		now := st.task == i+1
		if now {
			focus = len(all.rows)
		} else if r.State != TaskWaits {
			last = len(all.rows)
		}
		st.taskRow(all, i+1, r, now)
		for b, box := range r.Boxes {
			if !now {
				break
			}
			if !box.Checked && n >= 6 && b > 0 && r.Boxes[b-1].Checked {
				focus = len(all.rows) // the next open one
			}
			boxRow(all, box)
		}
	}
	if st.task == 0 {
		focus = last
	}
	first := min(max(focus-(n-1)/2, 0), max(len(all.rows)-n, 0))
	pt.rows = append(pt.rows, all.rows[first:min(first+n, len(all.rows))]...)
}

func (st *panelState) taskRow(pt *painter, position int, r TaskRow, now bool) {
	mark, style := map[TaskState]string{TaskWaits: " ", TaskDone: "✓", TaskUnproven: "✓", TaskLeft: "~", TaskFailed: "✗", TaskSkipped: "-"}[r.State], ""
	done, all := r.counts()
	if now {
		mark, style = ">", bold
		if all == 0 {
			done, all = st.done, st.boxes
		}
	}
	switch r.State {
	case TaskDone:
		style = pt.out.phases[event.PhaseTask]
	case TaskUnproven, TaskLeft, TaskSkipped:
		style = pt.out.warn
	case TaskFailed:
		style = pt.out.err
	}
	var right []string
	if r.State == TaskUnproven || r.State == TaskLeft || r.State == TaskFailed || r.State == TaskSkipped {
		right = append(right, string(r.State))
	}
	if now && st.attempt > 1 {
		right = append(right, fmt.Sprintf("attempt %d", st.attempt))
	}
	if all > 0 {
		right = append(right, fmt.Sprintf("%d/%d", done, all))
	}
	if d := st.elapsed[position]; d > 0 {
		right = append(right, event.Elapsed(d))
	}
	title := r.Title
	if title == "" {
		title = "task"
	}
	pt.row(style, fmt.Sprintf("%s %d %s", mark, position, title), strings.Join(right, "  "))
}

func boxRow(pt *painter, b BoxRow) {
	mark := "[ ]"
	switch {
	case b.Checked:
		mark = "[x]"
	case b.Person:
		mark = "[~]"
	}
	style := ""
	if b.Checked {
		style = pt.out.info
	}
	pt.row(style, "    "+mark+" "+b.Text, "")
}

// logTitle is the stage and the round that the log is of.
func (m *panelModel) logTitle(st *panelState) string {
	title := st.section
	if title == "" {
		title = string(st.stage)
	}
	if m.help {
		return "keys"
	}
	if !m.follow {
		title += fmt.Sprintf(" · %d newer lines below, End shows them", max(m.p.kept.end()-m.upto, 0))
	}
	return strings.TrimPrefix(title, " · ")
}

// log fills n rows with the end of the log, or what the person has scrolled to.
func (m *panelModel) log(pt *painter, n int) {
	if n <= 0 {
		return
	}
	var rows []string
	if m.help {
		rows = m.keys()
	} else {
		upto := m.p.kept.end()
		if !m.follow {
			upto = m.upto
		}
		for _, line := range m.p.kept.before(upto, n) {
			rows = append(rows, wrapRows(line, m.width)...)
		}
		rows = rows[max(len(rows)-n, 0):]
	}
	rows = rows[:min(len(rows), n)]
	pt.rows = append(pt.rows, rows...)
	for range n - len(rows) {
		pt.rows = append(pt.rows, "")
	}
}

// wrapRows breaks a line of the log into rows. Colours go on in the next row, where the terminal would have let them.
func wrapRows(line string, width int) []string {
	line = strings.ReplaceAll(line, "\t", "    ")
	if ansi.StringWidth(line) <= width {
		return []string{line}
	}
	rows, color := strings.Split(ansi.Hardwrap(ansi.Wrap(line, width, ""), width, true), "\n"), ""
	for i, r := range rows {
		rows[i] = color + r + ansi.ResetStyle
		if at := strings.LastIndex(r, "\x1b["); at >= 0 {
			color = r[at : at+strings.IndexByte(r[at:], 'm')+1]
		}
	}
	return rows
}

// foot says what goes on, what was used up, and which keys there are.
func (m *panelModel) foot(pt *painter, st *panelState, now time.Time) {
	var left []string
	if st.sessionN > 0 {
		left = append(left, strings.TrimSpace(fmt.Sprintf("session %d %s", st.sessionN, st.agent)))
	}
	style := pt.out.info
	switch {
	case st.waiting != "":
		left, style = []string{"waiting " + event.Elapsed(max(0, st.until.Sub(now))) + ": " + st.waiting}, pt.out.warn
	case st.nowDoing() != "":
		left = append(left, st.nowDoing())
	}
	if m.height >= panelRows {
		pt.row(style, strings.Join(left, " · "), strings.Join(UsageParts(st.used()), " "))
	}
	style, text := m.p.prompt(st)
	pt.row(style, text, "")
}

// used is what the run has used up, the session in flight too.
func (st *panelState) used() event.Usage { return st.usage.Add(st.status.session) }

// prompt is the last row: the keys, or what the person is asked.
func (p *Panel) prompt(st *panelState) (style, text string) {
	const loud = "\x1b[7m"
	switch {
	case st.answer != nil:
		return loud, "paused: Enter goes on, q ends the run"
	case st.stopping:
		return loud, "stopping: the session is being ended; q once more: now"
	case st.pausing:
		return loud, "pausing: the session is being ended"
	case st.held != "":
		return loud, "paused by " + st.held + ": Enter goes on, q ends the run"
	case st.ended:
		return "", ""
	case st.said != "":
		return loud, st.said
	}
	var keys []string
	if p.opt.Stop != nil {
		keys = append(keys, "q stop")
	}
	if p.opt.Pause != nil {
		keys = append(keys, "p pause")
	}
	if p.opt.Skip != nil {
		keys = append(keys, "s skip")
	}
	return p.screen.out.info, strings.Join(append(keys, "↑↓ log", "? help"), "  ")
}

// keys explains the keys.
func (m *panelModel) keys() []string {
	rows := []string{
		"q, Ctrl+C   end the run politely; once more: now",
		"p, Ctrl+\\   end the session and ask how to go on",
	}
	if m.p.opt.Skip != nil {
		rows = append(rows, "s           leave what is being done now")
	}
	rows = append(rows,
		"↑ ↓ PgUp PgDn Home   look at older lines",
		"End, Esc    follow the newest lines",
		"Ctrl+Z      to the shell; fg comes back",
		"?           close this",
		"",
		"When the run is over the log is on the normal screen.")
	for i, r := range rows {
		rows[i] = ansi.Truncate(r, m.width, "…")
	}
	return rows
}
