package claude

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/proc"
	"ralphex/pkg/event"
	"ralphex/pkg/executor"
	"ralphex/pkg/executor/jsonl"
	"ralphex/pkg/executor/session"
)

const (
	done   = "<<<RALPHEX:ALL_TASKS_DONE>>>"
	failed = "<<<RALPHEX:TASK_FAILED>>>"
)

const tool = `{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"make"}}]}}`

// Lines of a stream, short.
func says(text string) string {
	return fmt.Sprintf(`{"type":"assistant","message":{"content":[{"type":"text","text":%s}]}}`, quote(text))
}

func delta(text string) string {
	return fmt.Sprintf(`{"type":"content_block_delta","delta":{"type":"text_delta","text":%s}}`, quote(text))
}

func partial(text string) string {
	return fmt.Sprintf(`{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":%s}},"parent_tool_use_id":null,"session_id":"s"}`, quote(text))
}

func quote(s string) string { b, _ := json.Marshal(s); return string(b) }

// What counts and what doesn't, in lines that no recording holds.
func TestStream(t *testing.T) {
	tests := []struct {
		name     string
		lines    []string
		text     string
		signals  string
		mentions int
	}{
		{"text", []string{says("one"), says("two\n")}, "one\ntwo\n", "", 0},
		{"signal alone on its line", []string{says("well\n" + done)}, "well\n" + done + "\n", "ALL_TASKS_DONE", 0},
		{"signal in prose", []string{says("I will not print " + done + " yet")}, "I will not print " + done + " yet\n", "", 1},
		{"the last one wins", []string{says(done), says(failed)}, done + "\n" + failed + "\n", "ALL_TASKS_DONE TASK_FAILED", 0},
		{"keys in any order, blanks", []string{` { "message" : { "content" : [ { "text" : "` + done + `" , "type" : "text" } ] } , "type" : "assistant" } `}, done + "\n", "ALL_TASKS_DONE", 0},
		{"signal over deltas", []string{delta("<<<RALPH"), delta("EX:ALL_TASKS"), delta("_DONE>>>")}, done + "\n", "ALL_TASKS_DONE", 0},
		{"partial messages come again whole", []string{partial("a\n<<<RALPHEX"), partial(":ALL_TASKS_DONE>>>"), says("a\n" + done)}, "a\n" + done + "\n", "ALL_TASKS_DONE", 0},
		{"whole after the block's stop", []string{
			partial("first"), `{"type":"stream_event","event":{"type":"content_block_stop","index":0}}`,
			partial("second"), says("first"), says("second"), says("first")}, "first\nsecond\nfirst\n", "", 0},
		{"a broken stream is said again", []string{partial("I beg"), says("I begin.")}, "I beg\nI begin.\n", "", 0},
		{"deltas of a wrapper and its message_stop", []string{delta("a "), delta("b"), `{"type":"message_stop","message":{"content":[{"type":"text","text":"a b"},{"type":"text","text":"no"}]}}`}, "a b\n", "", 0},
		{"message_stop alone", []string{`{"type":"message_stop","message":{"content":[{"type":"text","text":"` + done + `"}]}}`}, done + "\n", "ALL_TASKS_DONE", 0},
		{"result repeats", []string{says("the end"), `{"type":"result","result":"the end"}`}, "the end\n", "", 0},
		{"result alone", []string{`{"type":"result","result":"x\n` + done + `"}`}, "x\n" + done + "\n", "ALL_TASKS_DONE", 0},
		{"result as an object", []string{`{"type":"result","result":{"output":"` + done + `"}}`}, done + "\n", "ALL_TASKS_DONE", 0},
		{"result of an error is nobody's word", []string{`{"type":"result","is_error":true,"result":"` + done + `"}`}, "", "", 0},
		{"signal after the first result", []string{says("wait"), `{"type":"result","result":"wait"}`, `{"type":"system","subtype":"init","session_id":"s"}`, says(done), `{"type":"result","result":"` + done + `"}`},
			"wait\n" + done + "\n", "ALL_TASKS_DONE", 0},
		{"a subagent's", []string{`{"type":"assistant","parent_tool_use_id":"t","message":{"content":[{"type":"text","text":"` + done + `"}]}}`}, "", "", 1},
		{"a subagent's delta", []string{`{"type":"stream_event","parent_tool_use_id":"t","event":{"type":"content_block_delta","delta":{"type":"text_delta","text":"` + done + `"}}}`}, "", "", 0},
		{"thinking", []string{`{"type":"assistant","message":{"content":[{"type":"thinking","thinking":"` + done + `"},{"type":"text","text":"no"}]}}`}, "no\n", "", 1},
		{"thinking delta", []string{`{"type":"content_block_delta","delta":{"type":"thinking_delta","thinking":"` + done + `"}}`}, "", "", 0},
		{"tool result", []string{`{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"` + done + `"}]}}`}, "", "", 1},
		{"prompt echo", []string{`{"type":"user","message":{"role":"user","content":"` + done + `"}}`}, "", "", 1},
		{"the CLI's own text", []string{`{"type":"assistant","is_api_error_message":true,"message":{"model":"<synthetic>","content":[{"type":"text","text":"` + done + `"}]}}`}, done + "\n", "", 0},
		{"no JSON", []string{"Warning: " + done, done, "", "{not json", `["array"]`, "42"}, "Warning: " + done + "\n" + done + "\n{not json\n[\"array\"]\n42\n", "", 2},
		{"no JSON amid deltas", []string{delta("<<<RALPHEX:ALL_TASKS_"), "warning", delta("DONE>>>")}, "<<<RALPHEX:ALL_TASKS_warning\nDONE>>>\n", "ALL_TASKS_DONE", 0},
		{"content as a text", []string{`{"type":"assistant","message":{"content":"` + done + `"}}`}, done + "\n", "ALL_TASKS_DONE", 0},
		{"fields of strange types", []string{`{"type":"assistant","error":{"a":1},"session_id":7,"message":{"id":9,"content":[{"type":"text","text":"` + done + `"},3]}}`}, done + "\n", "ALL_TASKS_DONE", 0},
		{"unknown types", []string{`{"type":"rate_limit_event"}`, `{"type":"x"}`, `{}`, `{"type":7}`, `{"type":"assistant"}`, `{"type":"system"}`, `{"type":"stream_event"}`, says("on")}, "on\n", "", 0},
		{"escapes", []string{says("tab\t \"q\" \\ é 日本 😀 \u2028"), `{"type":"assistant","message":{"content":[{"type":"text","text":"\ud83d\ude00 \ud83d \u00e9\/"}]}}`}, "tab\t \"q\" \\ é 日本 😀 \u2028\n😀 \ufffd é/\n", "", 0},
		{"bytes that are no UTF-8", []string{"{\"type\":\"assistant\",\"message\":{\"content\":[{\"type\":\"text\",\"text\":\"a\xffb\"}]}}", "raw \xff"}, "a\ufffdb\nraw \ufffd\n", "", 0},
		{"last line without newline", []string{says("x"), says(done) + "\x00cut"}, "", "", -1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			stdout := strings.Join(tt.lines, "\n") + "\n"
			if tt.mentions < 0 {
				stdout, tt.text, tt.signals, tt.mentions = strings.TrimSuffix(stdout, "\x00cut\n"), "x\n"+done+"\n", "ALL_TASKS_DONE", 0
			}
			for _, v := range variants(stdout) {
				got := read([]byte(stdout), v)
				assert.Equal(t, tt.text, got.Text, v)
				assert.Equal(t, tt.text, got.shown, "shown, %v", v)
				assert.Equal(t, tt.signals, got.kinds(), v)
				assert.Equal(t, tt.mentions, got.Mentions, "mentions, %v", v)
			}
		})
	}
}

// variant is a way to read a stream. All must understand the same.
type variant struct {
	piece int  // bytes a write
	plain bool // no fast path
	limit int  // a longer line goes through a file
}

func variants(stdout string) []variant {
	vs := []variant{{1 << 20, false, jsonl.MaxLine}, {1, false, jsonl.MaxLine}, {3, true, jsonl.MaxLine}}
	if wellFormed(stdout) {
		vs = append(vs, variant{1 << 20, false, 24}, variant{1, false, 16}, variant{50, false, 40})
	}
	return vs
}

// wellFormed tells whether lines that begin like JSON are JSON: what is wrong in a cut string stays unnoticed.
func wellFormed(stdout string) bool {
	for line := range strings.SplitSeq(stdout, "\n") {
		if strings.HasPrefix(strings.TrimLeft(line, " \t\r"), "{") && !json.Valid([]byte(line)) {
			return false
		}
	}
	return true
}

type reading struct {
	session.Said
	facts   facts
	json    bool
	shown   string // the agent's text, put together from Outputs
	claimed []string
	others  []string
}

func (r reading) kinds() string {
	var ks []string
	for _, s := range r.Signals {
		ks = append(ks, string(s.Kind))
	}
	return strings.Join(ks, " ")
}

func read(stdout []byte, v variant) reading {
	var r reading
	var shown strings.Builder
	s, d := newStream(func(d event.Data) {
		switch d := d.(type) {
		case event.Output:
			if d.Source != event.FromAgent {
				r.others = append(r.others, d.Text)
				return
			}
			shown.WriteString(d.Text)
			if !d.Partial {
				shown.WriteByte('\n')
			}
		case event.Claimed:
			r.claimed = append(r.claimed, fmt.Sprint(d))
		}
	}, nil)
	d.now = func() time.Time { return time.Unix(0, 0) }
	d.plain, s.Lines.Limit = v.plain, v.limit
	for p := stdout; len(p) > 0; p = p[min(v.piece, len(p)):] {
		_, _ = s.Write(p[:min(v.piece, len(p))])
	}
	r.Said, r.facts = s.Close(), d.facts
	r.json = strings.Contains(string(stdout), `{"`)
	r.shown = shown.String()
	return r
}

func newStream(emit func(event.Data), idle *proc.Idle) (*session.Stream, *dialect) {
	var d *dialect
	s := session.NewStream(emit, idle, func(t *session.Talk) session.Dialect { d = newDialect(t); return d })
	return s, d
}

// ended is how a reading and an exit go together.
func (r reading) ended(code int, stderr string) *executor.Failure {
	return classify(session.End{Exit: proc.Exit{Code: code}, Stderr: stderr, Said: r.Said, JSON: r.json}, r.facts)
}

func FuzzStream(f *testing.F) {
	files, err := filepath.Glob("testdata/streams/*.stdout")
	require.NoError(f, err)
	for _, file := range files {
		b, err := os.ReadFile(file)
		require.NoError(f, err)
		if len(b) < 8<<10 { // larger ones are only slow to mutate
			f.Add(b, 7)
		}
	}
	for _, s := range []string{strings.Replace(tool, "Bash", "B\xff", 1), strings.Replace(tool, `"make"`, `"\u0041\n","url":"x"`, 1), delta("<<<RALPH") + "\n" + delta("x\n") + "\n" + says("<<<RALPHx\n"), "{\"type\":\"assistant\",\"Message\":{}}",
		`{"type":"assistant","type":"user","message":{"content":[]}}`, "\xff\xfe{", says("\u0000x"), strings.Repeat("{", 99), partial("é") + "\n" + says("é")} {
		f.Add([]byte(s), 1)
	}
	f.Fuzz(func(t *testing.T, stdout []byte, piece int) {
		whole := read(stdout, variant{1 << 20, false, jsonl.MaxLine})
		piece = 1 + (piece&0xff)%64
		others := []variant{{piece, false, jsonl.MaxLine}, {1 << 20, true, jsonl.MaxLine}}
		if wellFormed(string(stdout)) && !bytes.Contains(stdout, []byte("\x00")) {
			others = append(others, variant{piece, false, 2 * piece})
		}
		for _, v := range others {
			got := read(stdout, v)
			require.Equal(t, whole.shown, got.shown, v)
			require.Equal(t, whole.claimed, got.claimed, v)
			require.Equal(t, whole.Text, got.Text, v)
			if v.limit == jsonl.MaxLine {
				wu, wm := whole.facts.usage()
				gu, gm := got.facts.usage()
				require.Equal(t, wu, gu)
				require.Equal(t, wm, gm)
				require.Equal(t, whole.facts.sessionID, got.facts.sessionID, v)
				require.Equal(t, whole.others, got.others, v)
				require.Equal(t, whole.Mentions, got.Mentions, v)
			}
		}
	})
}

// A long line costs no memory, and a signal at its end is found.
func TestLongLines(t *testing.T) {
	text := strings.Repeat("0123456789 é \n", 300_000) // 4 MB
	result := `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":` + quote(text) + `}]}}`
	tests := []struct {
		name, line string
		signals    string
		note       string
		size       int
	}{
		{"text", says(text + done), "ALL_TASKS_DONE", "", len(text) + len(done) + 1},
		{"delta", delta(text + done), "ALL_TASKS_DONE", "", len(text) + len(done) + 1},
		{"result", `{"type":"result","result":` + quote(text+done) + `}`, "ALL_TASKS_DONE", "", len(text) + len(done) + 1},
		{"tool result", result, "", "a tool result of 4.6 MB is not shown", 0},
		{"no JSON", text[:13] + strings.ReplaceAll(text, "\n", " "), "", "", len(text) + 14},
		{"begins like JSON", "{" + strings.ReplaceAll(text, "\n", " "), "", "", len(text) + 2},
		{"too much structure", `{"type":"user","x":[` + strings.Repeat("1,", 1<<20) + `1]}`, "", "a line of 2.0 MB was left out: its structure is too large to be read", 0},
		{"another type", `{"type":"system","subtype":"x","y":` + quote(text) + `}`, "", "a line of 4.6 MB (system) is not shown", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var notes []string
			size := 0
			s, _ := newStream(func(d event.Data) {
				switch d := d.(type) {
				case event.Note:
					notes = append(notes, d.Text)
				case event.Output:
					size += len(d.Text)
					assert.LessOrEqual(t, len(d.Text), 64<<10)
					if !d.Partial {
						size++
					}
				}
			}, nil)
			for p := []byte(tt.line + "\n" + says("after") + "\n"); len(p) > 0; p = p[min(50_000, len(p)):] {
				_, _ = s.Write(p[:min(50_000, len(p))])
			}
			f := s.Close()
			assert.Equal(t, tt.note, strings.Join(notes, "; "))
			assert.Equal(t, tt.signals, reading{Said: f}.kinds())
			assert.InDelta(t, tt.size+len("after\n"), size, 300, "nothing is cut silently")
			assert.True(t, strings.HasSuffix(f.Text, "after\n"))
			assert.LessOrEqual(t, len(f.Text), executor.MaxText)
		})
	}
}

// Long text that comes in deltas and again whole is said once.
func TestLongRepetition(t *testing.T) {
	part := strings.Repeat("abc défg\n", 10_000)
	var b strings.Builder
	for range 40 {
		b.WriteString(partial(part) + "\n")
	}
	b.WriteString(says(strings.Repeat(part, 40)) + "\n")
	r := read([]byte(b.String()), variant{64 << 10, false, jsonl.MaxLine})
	assert.Equal(t, 40*len(part), len(r.shown))
}

func TestHolds(t *testing.T) {
	ended := `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"ok"}]}}`
	started := `{"type":"system","subtype":"task_started","task_id":"b1","description":"server","task_type":"local_bash","is_backgrounded":true}`
	changed := `{"type":"system","subtype":"background_tasks_changed","tasks":[{"task_id":"b1","description":"server","task_type":"local_bash"}]}`
	result := `{"type":"result","result":"x"}`
	for _, tt := range []struct {
		name    string
		lines   []string
		held    bool
		pending []string
	}{
		{"nothing", []string{says("x")}, false, nil},
		{"tool runs", []string{tool}, true, nil},
		{"tool ended", []string{tool, ended}, false, nil},
		{"turn ended", []string{tool, result}, false, nil},
		{"task runs", []string{tool, started, ended, result}, true, []string{"server (local_bash b1)"}},
		{"task ended", []string{started, `{"type":"system","subtype":"task_notification","task_id":"b1","status":"completed"}`}, false, nil},
		{"task killed", []string{changed, `{"type":"system","subtype":"task_updated","task_id":"b1","patch":{"status":"killed"}}`}, false, nil},
		{"list is empty", []string{changed, started, `{"type":"system","subtype":"background_tasks_changed","tasks":[]}`}, false, nil},
		{"a foreground task is its tool's", []string{strings.Replace(started, "true", "false", 1)}, false, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, _ := newStream(nil, proc.NewIdle(time.Hour))
			_, _ = s.Write([]byte(strings.Join(tt.lines, "\n") + "\n"))
			assert.Equal(t, tt.held, s.Talk.Waiting())
			assert.Equal(t, tt.pending, s.Close().Pending)
			assert.False(t, s.Talk.Waiting())
		})
	}
}

func TestFailureIsNeverFromProse(t *testing.T) {
	prose := says("You've hit your limit · resets 2:30pm (UTC)\nAPI Error: 529 Overloaded. Invalid API key")
	f := read([]byte(prose+"\n"+`{"type":"result","result":"You've hit your limit","is_error":false}`+"\n"), variant{1 << 20, false, jsonl.MaxLine})
	assert.Nil(t, f.ended(0, ""))
	got := reading{json: true}.ended(1, "")
	assert.Equal(t, executor.ClassCrash, got.Class, "non-zero exit without a reason")
	f = read([]byte(prose+"\n"), variant{1 << 20, false, jsonl.MaxLine})
	assert.Equal(t, executor.ClassCrash, f.ended(1, "").Class)
	f = read([]byte(says(done)+"\n"), variant{1 << 20, false, jsonl.MaxLine})
	assert.Nil(t, f.ended(1, "boom"), "a signal outweighs the exit code")
	got = reading{}.ended(3, "line one\nwrapper: no such model\n")
	assert.Equal(t, "crash: the agent ended with exit 3: wrapper: no such model", got.Error())
	old := `{"type":"result","is_error":true,"result":"You've hit your session limit · resets 2:30pm (UTC)"}`
	f = read([]byte(old+"\n"), variant{1 << 20, false, jsonl.MaxLine})
	got = f.ended(1, "")
	assert.Equal(t, executor.ClassLimit, got.Class)
	assert.False(t, got.ResetAt.IsZero())
}
