package signals

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	done   = "<<<RALPHEX:ALL_TASKS_DONE>>>"
	failed = "<<<RALPHEX:TASK_FAILED>>>"
	review = "<<<RALPHEX:REVIEW_DONE>>>"
)

// A case is blocks of text; what counts is written as the names in order, malformed ones with a "!" and the reason.
var scanCases = []struct {
	name     string
	blocks   []string
	want     []string
	mentions int
}{
	{name: "nothing", blocks: []string{""}},
	{name: "only text", blocks: []string{"All done."}},
	{name: "alone", blocks: []string{done}, want: []string{"ALL_TASKS_DONE"}},
	{name: "last line", blocks: []string{"Work is done.\n\n" + done + "\n"}, want: []string{"ALL_TASKS_DONE"}},
	{name: "first line", blocks: []string{failed + "\nI could not go on."}, want: []string{"TASK_FAILED"}},
	{name: "every kind", blocks: []string{done + "\n" + failed + "\n" + review + "\n<<<RALPHEX:CODEX_REVIEW_DONE>>>\n<<<RALPHEX:PLAN_READY>>>"},
		want: []string{"ALL_TASKS_DONE", "TASK_FAILED", "REVIEW_DONE", "CODEX_REVIEW_DONE", "PLAN_READY"}},
	{name: "three spaces before, blanks and CR behind", blocks: []string{"   " + done + " \t \r\nx"}, want: []string{"ALL_TASKS_DONE"}},
	{name: "CRLF", blocks: []string{"a\r\n" + done + "\r\n"}, want: []string{"ALL_TASKS_DONE"}},
	{name: "four spaces", blocks: []string{"    " + done}, mentions: 1},
	{name: "tab", blocks: []string{"\t" + done}, mentions: 1},
	{name: "two blocks", blocks: []string{"x\n" + failed, done}, want: []string{"TASK_FAILED", "ALL_TASKS_DONE"}},
	{name: "blocks are no line", blocks: []string{"I say ", done}, want: []string{"ALL_TASKS_DONE"}},
	{name: "token cut by block", blocks: []string{"<<<RALPHEX:ALL_", "TASKS_DONE>>>"}},

	{name: "prose", blocks: []string{"I will not emit " + review + " now."}, mentions: 1},
	{name: "full stop", blocks: []string{done + "."}, mentions: 1},
	{name: "bold", blocks: []string{"**" + done + "**"}, mentions: 1},
	{name: "list item", blocks: []string{"- " + done}, mentions: 1},
	{name: "two on a line", blocks: []string{done + " " + done}, mentions: 2},
	{name: "glued", blocks: []string{done + done}, mentions: 2},
	{name: "unknown name", blocks: []string{"<<<RALPHEX:COMPLETED>>>"}, mentions: 1},
	{name: "END without beginning", blocks: []string{"<<<RALPHEX:END>>>"}, mentions: 1},
	{name: "lower case", blocks: []string{"<<<RALPHEX:all_tasks_done>>>"}},
	{name: "one angle bracket more", blocks: []string{"<" + done}, mentions: 1},
	{name: "beginning twice", blocks: []string{"<<<RALPHEX:" + done}, mentions: 1},
	{name: "overlong name", blocks: []string{"<<<RALPHEX:" + strings.Repeat("A", 33) + ">>>"}},

	{name: "quote", blocks: []string{"> " + done}, mentions: 1},
	{name: "quote without blank", blocks: []string{">" + done}, mentions: 1},
	{name: "code span", blocks: []string{"`" + done + "`"}, mentions: 1},
	{name: "code span over lines", blocks: []string{"I'd print `\n" + done + "\n` here"}, mentions: 1},
	{name: "double code span over lines", blocks: []string{"``a ` b\n" + done + "\nc``"}, mentions: 1},
	{name: "stray backtick, end", blocks: []string{"handle the ` char\n" + done}, want: []string{"ALL_TASKS_DONE"}},
	{name: "stray backtick, blank line", blocks: []string{"the ` char\n" + done + "\n\nthe ` again"}, want: []string{"ALL_TASKS_DONE"}},
	{name: "closed span before", blocks: []string{"ran `go test`\n" + done}, want: []string{"ALL_TASKS_DONE"}},
	{name: "other run does not close", blocks: []string{"a ` b\n" + done + "\nc `` d"}, want: []string{"ALL_TASKS_DONE"}},
	{name: "span ends with list item", blocks: []string{"a ` b\n" + done + "\n- c ` d"}, want: []string{"ALL_TASKS_DONE"}},

	{name: "fence", blocks: []string{"```\n" + done + "\n```"}, mentions: 1},
	{name: "fence with info", blocks: []string{"```text\n" + done + "\n```\n" + failed}, want: []string{"TASK_FAILED"}, mentions: 1},
	{name: "tildes", blocks: []string{"~~~\n" + done + "\n~~~\n"}, mentions: 1},
	{name: "tildes do not close backticks", blocks: []string{"```\n~~~\n" + done + "\n```\n" + failed}, want: []string{"TASK_FAILED"}, mentions: 1},
	{name: "short run does not close", blocks: []string{"````\n```\n" + done + "\n````\n" + failed}, want: []string{"TASK_FAILED"}, mentions: 1},
	{name: "long run closes", blocks: []string{"```\n`````\n" + done}, want: []string{"ALL_TASKS_DONE"}},
	{name: "run with text does not close", blocks: []string{"```\n```go\n" + done}, mentions: 1},
	{name: "unclosed fence ends with the block", blocks: []string{"```\n" + failed, done}, want: []string{"ALL_TASKS_DONE"}, mentions: 1},
	{name: "three backticks as a span", blocks: []string{"```x``` is code\n" + done}, want: []string{"ALL_TASKS_DONE"}},
	{name: "fence in a list", blocks: []string{"1. so:\n\n   ```\n   " + done + "\n   ```\n" + failed}, want: []string{"TASK_FAILED"}, mentions: 1},
	{name: "fence behind a marker", blocks: []string{"- ```\n  " + done + "\n  ```\n\n" + failed}, want: []string{"TASK_FAILED"}, mentions: 1},
	{name: "unclosed fence ends with the item", blocks: []string{"- ```\n  " + failed + "\n\n" + done}, want: []string{"ALL_TASKS_DONE"}, mentions: 1},
	{name: "marker in a fence does not close", blocks: []string{"```\n- ```\n" + done + "\n```"}, mentions: 1},

	{name: "question", blocks: []string{"<<<RALPHEX:QUESTION>>>\n{\"question\":\"Which?\",\"options\":[\"a\",\"b\"]}\n<<<RALPHEX:END>>>"}, want: []string{"QUESTION Which? a|b"}},
	{name: "question over blocks", blocks: []string{"<<<RALPHEX:QUESTION>>>", "{\"question\":\"Which?\",", "\"options\":[\"a\"]}", "<<<RALPHEX:END>>>"}, want: []string{"QUESTION Which? a"}},
	{name: "question without JSON", blocks: []string{"<<<RALPHEX:QUESTION>>>\nWhich?\n<<<RALPHEX:END>>>"}, want: []string{"QUESTION !invalid JSON"}},
	{name: "question without text", blocks: []string{"<<<RALPHEX:QUESTION>>>\n{\"options\":[\"a\"]}\n<<<RALPHEX:END>>>"}, want: []string{"QUESTION !no question"}},
	{name: "question without options", blocks: []string{"<<<RALPHEX:QUESTION>>>\n{\"question\":\"a\",\"options\":[]}\n<<<RALPHEX:END>>>"}, want: []string{"QUESTION !no options"}},
	{name: "question, empty", blocks: []string{"<<<RALPHEX:QUESTION>>>\n<<<RALPHEX:END>>>"}, want: []string{"QUESTION !empty"}},
	{name: "question without end", blocks: []string{"<<<RALPHEX:QUESTION>>>\n{}"}, want: []string{"QUESTION !no END marker"}},
	{name: "question that a signal ends", blocks: []string{"<<<RALPHEX:QUESTION>>>\n{}\n" + failed}, want: []string{"QUESTION !no END marker", "TASK_FAILED"}},
	{name: "question on one line", blocks: []string{"<<<RALPHEX:QUESTION>>>{}<<<RALPHEX:END>>>"}, mentions: 2},
	{name: "question in a fence", blocks: []string{"```\n<<<RALPHEX:QUESTION>>>\n{}\n<<<RALPHEX:END>>>\n```"}, mentions: 2},

	{name: "draft", blocks: []string{"Here:\n<<<RALPHEX:PLAN_DRAFT>>>\n# T\r\n\n```\n" + done + "\n\tx  \n<<<RALPHEX:END>>>\n" + failed},
		want: []string{"PLAN_DRAFT \"# T\\r\\n\\n```\\n" + done + "\\n\\tx  \\n\"", "TASK_FAILED"}},
	{name: "draft over blocks", blocks: []string{"<<<RALPHEX:PLAN_DRAFT>>>\n# T", "text\n", "<<<RALPHEX:END>>>"}, want: []string{`PLAN_DRAFT "# T\ntext\n"`}},
	{name: "draft with END in prose and code", blocks: []string{"<<<RALPHEX:PLAN_DRAFT>>>\nsay <<<RALPHEX:END>>>\n    <<<RALPHEX:END>>>\n<<<RALPHEX:END>>>"},
		want: []string{`PLAN_DRAFT "say <<<RALPHEX:END>>>\n    <<<RALPHEX:END>>>\n"`}},
	{name: "draft, blank", blocks: []string{"<<<RALPHEX:PLAN_DRAFT>>>\n \n<<<RALPHEX:END>>>"}, want: []string{"PLAN_DRAFT !empty"}},
	{name: "draft without end", blocks: []string{"<<<RALPHEX:PLAN_DRAFT>>>\n# T"}, want: []string{"PLAN_DRAFT !no END marker"}},
	{name: "draft that is too long", blocks: []string{"<<<RALPHEX:PLAN_DRAFT>>>\n" + strings.Repeat("x", MaxPayload+1) + "\n<<<RALPHEX:END>>>\n" + done},
		want: []string{"PLAN_DRAFT !longer than 1048576 bytes", "ALL_TASKS_DONE"}},
	{name: "draft with a long line", blocks: []string{"<<<RALPHEX:PLAN_DRAFT>>>\n" + strings.Repeat("x", MaxLine+1) + "\n<<<RALPHEX:END>>>"},
		want: []string{`PLAN_DRAFT "` + strings.Repeat("x", MaxLine+1) + `\n"`}},

	{name: "long line, signal behind", blocks: []string{strings.Repeat("word ", 2000) + "\n" + done}, want: []string{"ALL_TASKS_DONE"}},
	{name: "long line with mentions", blocks: []string{done + strings.Repeat(" ", MaxLine) + done + "x" + done + strings.Repeat("y", 100) + "\n" + failed},
		want: []string{"TASK_FAILED"}, mentions: 3},
	{name: "mention over the limit of a line", blocks: []string{strings.Repeat("x", MaxLine-5) + done}, mentions: 1},
	{name: "long fence line", blocks: []string{"```" + strings.Repeat("x", MaxLine) + "\n" + done + "\n```\n" + failed}, want: []string{"TASK_FAILED"}, mentions: 1},
}

func TestScanner(t *testing.T) {
	for _, tt := range scanCases {
		t.Run(tt.name, func(t *testing.T) {
			s := scan(tt.blocks, func(block string) []string { return []string{block} })
			assert.Equal(t, tt.want, describe(s.Signals()))
			assert.Equal(t, tt.mentions, s.Mentions(), "mentions")
			for _, size := range []int{1, 2, 3, 7, 64, 4096} {
				if size < 64 && len(tt.blocks[0]) > MaxPayload {
					continue // a million pieces say no more than a thousand
				}
				cut := scan(tt.blocks, func(block string) []string { return pieces(block, size) })
				require.Equal(t, s.Signals(), cut.Signals(), "in pieces of %d bytes", size)
				require.Equal(t, s.Mentions(), cut.Mentions(), "in pieces of %d bytes", size)
			}
		})
	}
}

// Block is Write and EndBlock, wherever the block was cut before, and keeps nothing of the text that it was given.
func TestScannerBlock(t *testing.T) {
	for _, tt := range scanCases {
		t.Run(tt.name, func(t *testing.T) {
			for _, before := range []int{0, 1, 5, MaxLine + 1} {
				s := NewScanner()
				for _, block := range tt.blocks {
					n := min(before, len(block))
					s.Write(block[:n])
					text := []byte(block[n:])
					s.Block(text)
					clear(text)
				}
				s.Finish()
				assert.Equal(t, tt.want, describe(s.Signals()), "%d bytes written before", before)
				assert.Equal(t, tt.mentions, s.Mentions(), "mentions, %d bytes written before", before)
			}
		})
	}
}

// A held or finished signal is told as soon as it is sure: an agent may hang right behind it.
func TestScannerTellsAtOnce(t *testing.T) {
	s := NewScanner()
	s.Write("work `done`\n" + done + "\n")
	require.Equal(t, []string{"ALL_TASKS_DONE"}, describe(s.Signals()))
	s.Write("a ` here\n" + failed + "\n")
	require.Len(t, s.Signals(), 1, "it may be in a code span")
	s.Write("\n")
	require.Equal(t, []string{"ALL_TASKS_DONE", "TASK_FAILED"}, describe(s.Signals()))
}

func TestPayloadErrorKeepsText(t *testing.T) {
	const raw = "{\"question\": \"Which?\",\r\n  oops"
	got := Scan("<<<RALPHEX:QUESTION>>>\n" + raw + "\n<<<RALPHEX:END>>>\n")
	require.Len(t, got, 1)
	require.ErrorIs(t, got[0].Err, ErrPayload)
	var problem *PayloadError
	require.ErrorAs(t, got[0].Err, &problem)
	assert.Equal(t, raw+"\n", problem.Raw)
	assert.Contains(t, problem.Error(), "QUESTION payload: invalid JSON")
}

func TestFinishTwice(t *testing.T) {
	s := NewScanner()
	s.Write("<<<RALPHEX:PLAN_DRAFT>>>\nx")
	s.Finish()
	s.Finish()
	require.Len(t, s.Signals(), 1)
	var problem *PayloadError
	require.ErrorAs(t, s.Signals()[0].Err, &problem)
	assert.Equal(t, "x", problem.Raw, "no newline that the agent did not write")
}

func scan(blocks []string, cut func(string) []string) *Scanner {
	s := NewScanner()
	for _, block := range blocks {
		for _, piece := range cut(block) {
			s.Write(piece)
		}
		s.EndBlock()
	}
	s.Finish()
	return s
}

func pieces(s string, size int) (out []string) {
	for len(s) > size {
		out, s = append(out, s[:size]), s[size:]
	}
	return append(out, s)
}

func describe(signals []Signal) (out []string) {
	for _, s := range signals {
		text := string(s.Kind)
		switch {
		case s.Err != nil:
			reason := s.Err.(*PayloadError).Reason
			if i := strings.Index(reason, ": "); i >= 0 {
				reason = reason[:i]
			}
			text += " !" + reason
		case s.Question != nil:
			text += " " + s.Question.Question + " " + strings.Join(s.Question.Options, "|")
		case s.Kind == KindPlanDraft:
			text += " " + quote(s.Draft)
		}
		out = append(out, text)
	}
	return out
}

func quote(s string) string {
	r := strings.NewReplacer("\r", `\r`, "\n", `\n`, "\t", `\t`)
	return `"` + r.Replace(s) + `"`
}
