package gate

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/redact"
	"ralphex/pkg/event"
)

// recorder keeps what a gate sends.
type recorder struct {
	mu   sync.Mutex
	data []event.Data
}

func (r *recorder) emit(d event.Data) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.data = append(r.data, d)
}

// kinds lists what was sent, without the output.
func (r *recorder) kinds() []string {
	var list []string
	for _, d := range r.data {
		if _, ok := d.(event.Output); !ok {
			list = append(list, string(d.Kind()))
		}
	}
	return list
}

// text joins the output of one source.
func (r *recorder) text(source event.Source) string {
	var lines []string
	for _, d := range r.data {
		if o, ok := d.(event.Output); ok && o.Source == source {
			lines = append(lines, o.Text)
		}
	}
	return strings.Join(lines, "\n")
}

func commands(texts ...string) []event.Command {
	var list []event.Command
	for _, t := range texts {
		list = append(list, event.Command{Text: t})
	}
	return list
}

// run runs commands in a new folder and wants a verdict.
func run(t *testing.T, o Options) (Verdict, *recorder) {
	t.Helper()
	rec := &recorder{}
	o.Emit = rec.emit
	if o.Dir == "" {
		o.Dir = t.TempDir()
	}
	v, err := Run(t.Context(), o)
	require.NoError(t, err)
	return v, rec
}

func sum(text string) string {
	s := sha256.Sum256([]byte(text))
	return hex.EncodeToString(s[:])
}

func TestAllGreen(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a folder")
	require.NoError(t, os.Mkdir(dir, 0o755))
	out := filepath.Join(t.TempDir(), "new", "gate-1")
	v, rec := run(t, Options{Dir: dir, OutputDir: out, Commands: commands("pwd", "true", `printf '%s\n' "a  b" '$x'`)})
	assert.True(t, v.Green)
	assert.Equal(t, 3, v.Commands)
	assert.Equal(t, []string{"gate_start", "gate_command", "gate_command", "gate_command", "gate_end"}, rec.kinds())
	assert.Equal(t, v.GateEnd, rec.data[len(rec.data)-1])

	assert.Equal(t, "a  b\n$x\n", v.Results[2].Tail)
	assert.Equal(t, sum("a  b\n$x\n"), v.Results[2].OutputHash)
	kept, err := os.ReadFile(v.Results[2].OutputFile)
	require.NoError(t, err)
	assert.Equal(t, "a  b\n$x\n", string(kept))
	assert.Equal(t, out, filepath.Dir(v.Results[2].OutputFile))

	assert.Empty(t, v.Results[1].OutputFile, "a silent command leaves no file")
	assert.Equal(t, sum(""), v.Results[1].OutputHash)
	assert.Equal(t, "$ pwd\n$ true\n$ printf '%s\\n' \"a  b\" '$x'", rec.text(event.FromTool))
	assert.Contains(t, rec.text(event.FromCommand), "a folder\na  b\n$x")
	assert.Empty(t, v.Failure())
	assert.Contains(t, v.Summary(), "3 validation commands passed in ")
}

func TestAllRunAfterARedOne(t *testing.T) {
	v, _ := run(t, Options{Commands: commands("echo one; exit 3", "echo two", "kill -9 $$", "no_such_command_here", "true")})
	assert.False(t, v.Green, "a green last command hides nothing")
	require.Len(t, v.Results, 5)
	assert.Equal(t, 3, v.Results[0].Exit)
	assert.Equal(t, "two\n", v.Results[1].Tail)
	assert.Equal(t, -1, v.Results[2].Exit)
	assert.Equal(t, "signal: killed", v.Results[2].Cause)
	assert.Equal(t, 127, v.Results[3].Exit)
	assert.Contains(t, v.Results[3].Tail, "no_such_command_here", "the shell's own words are part of the output")
	assert.Equal(t, "3 of 5 validation commands failed: echo one; exit 3 (exit 3), kill -9 $$ (signal: killed), no_such_command_here (exit 127)", v.Summary())
}

func TestNoCommandsProveNothing(t *testing.T) {
	v, rec := run(t, Options{})
	assert.True(t, v.Green)
	assert.Zero(t, v.Commands)
	assert.Equal(t, []string{"gate_start", "gate_end"}, rec.kinds())
	assert.Contains(t, v.Summary(), "nothing was proven")
}

func TestShapesOfCommands(t *testing.T) {
	for _, tt := range []struct{ name, command, want string }{
		{"several lines", "a=1\nif true; then\n  echo $a\nfi", "1\n"},
		{"quotes", `echo "it's" '"fine"' \$HOME`, "it's \"fine\" $HOME\n"},
		{"pipes", "printf 'b\\na\\n' | sort", "a\nb\n"},
		{"leading dash", "-x 2>/dev/null || echo none", "none\n"},
		{"non-ascii", "echo grüße 日本", "grüße 日本\n"},
		{"order of the outputs", "for i in 1 2 3; do echo o$i; echo e$i >&2; done", "o1\ne1\no2\ne2\no3\ne3\n"},
		{"no input", "if read x; then echo got $x; else echo none; fi; cat", "none\n"},
		{"input is the null device", "if [ -p /dev/stdin ]; then echo pipe; else echo none; fi", "none\n"},
		{"no newline", "printf abc", "abc"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v, rec := run(t, Options{Commands: commands(tt.command)})
			assert.Equal(t, tt.want, v.Results[0].Tail)
			assert.Equal(t, strings.TrimSuffix(tt.want, "\n"), rec.text(event.FromCommand))
			assert.True(t, v.Green, v.Summary())
		})
	}
}

// timedOut runs commands of which the first never ends, with a time that is long enough for it to say that it has begun, and for the others to end: how
// long that is depends on the machine. It returns what the cause of the first is to be.
func timedOut(t *testing.T, begun string, lines ...string) (v Verdict, cause string) {
	t.Helper()
	for limit := 300 * time.Millisecond; ; limit *= 4 {
		v, _ = run(t, Options{Commands: commands(lines...), Timeout: limit})
		late := v.Results[0].Tail != begun
		for _, r := range v.Results[1:] {
			late = late || r.Cause != ""
		}
		if !late || limit > time.Minute {
			return v, "timed out after " + limit.String()
		}
	}
}

func TestTimeout(t *testing.T) {
	v, cause := timedOut(t, "begun\n", "echo begun; sleep 500; echo done", "echo next")
	assert.False(t, v.Green)
	assert.Equal(t, cause, v.Results[0].Cause)
	assert.Equal(t, "begun\n", v.Results[0].Tail)
	assert.Equal(t, "next\n", v.Results[1].Tail, "the next command has its own time")
	assert.Less(t, v.Elapsed, 400*time.Second)
}

func TestCommandThatCatchesTheEndIsStillRed(t *testing.T) {
	v, cause := timedOut(t, "begun\n", "trap 'exit 0' TERM; echo begun; sleep 500 & wait")
	assert.Equal(t, 0, v.Results[0].Exit)
	assert.Equal(t, cause, v.Results[0].Cause)
	assert.False(t, v.Green)
}

func TestNothingIsLeftRunning(t *testing.T) {
	v, rec := run(t, Options{Commands: commands("sleep 987 & echo $!"), Mark: "gate-test"})
	require.True(t, v.Green, "%s: %s", v.Summary(), v.Failure())
	pid := strings.TrimSpace(v.Results[0].Tail)
	assert.Error(t, exec.Command("kill", "-0", pid).Run(), "process %s lives on", pid)
	assert.Less(t, v.Elapsed, 400*time.Second, "the open pipe of a child held the gate up")
	assert.NotContains(t, rec.kinds(), "note")
}

func TestEnvironment(t *testing.T) {
	env := []string{"PATH=" + os.Getenv("PATH"), "CLAUDECODE=1", "CLAUDE_CODE_ENTRYPOINT=cli", "CLAUDE_CODE_MAX=5", "KEEP=me", "RALPHEX_SESSION=outer"}
	v, _ := run(t, Options{Env: env, Mark: "inner", Commands: commands(`echo "$CLAUDECODE|$CLAUDE_CODE_ENTRYPOINT|$CLAUDE_CODE_MAX|$KEEP|$RALPHEX_SESSION"`)})
	assert.Equal(t, "||5|me|inner\n", v.Results[0].Tail)
}

func TestCancel(t *testing.T) {
	why := errors.New("user said stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	rec := &recorder{}
	v, err := Run(ctx, Options{Dir: t.TempDir(), Commands: commands("echo begun; sleep 100", "echo never"), Emit: func(d event.Data) {
		rec.emit(d)
		if o, ok := d.(event.Output); ok && o.Text == "begun" {
			cancel(why)
		}
	}})
	require.ErrorIs(t, err, why)
	assert.ErrorContains(t, err, "echo begun; sleep 100")
	assert.False(t, v.Green)
	require.Len(t, v.Results, 1)
	assert.Equal(t, "stopped: user said stop", v.Results[0].Cause)
	assert.Equal(t, []string{"gate_start", "gate_command"}, rec.kinds(), "an interrupted gate has no verdict")

	_, err = Run(ctx, Options{Dir: t.TempDir(), Commands: commands("echo never")})
	assert.ErrorIs(t, err, why)
}

func TestEvidenceIsAboutWhatWasSeen(t *testing.T) {
	dir := t.TempDir()
	evidence := func(texts ...string) string {
		v, _ := run(t, Options{Dir: dir, Commands: commands(texts...)})
		return v.Evidence
	}
	base := evidence("echo a", "cat f 2>/dev/null")
	assert.Equal(t, base, evidence("echo a", "cat f 2>/dev/null"))
	assert.NotEqual(t, base, evidence("echo b", "cat f 2>/dev/null"))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "f"), []byte("x"), 0o644))
	assert.NotEqual(t, base, evidence("echo a", "cat f 2>/dev/null"))
}

func TestTreeIsAskedBeforeTheEnd(t *testing.T) {
	rec := &recorder{}
	asked := false
	o := Options{Dir: t.TempDir(), Commands: commands("true"), Emit: rec.emit}
	o.Tree = func(context.Context) (string, []string, error) {
		asked = true
		assert.NotContains(t, rec.kinds(), "gate_end")
		return "tree", []string{"made.txt"}, nil
	}
	v, err := Run(t.Context(), o)
	require.NoError(t, err)
	assert.True(t, asked)
	assert.Equal(t, event.GateEnd{Green: true, Commands: 1, Elapsed: v.Elapsed, Evidence: v.Evidence, TreeHash: "tree", Created: []string{"made.txt"}}, rec.data[len(rec.data)-1])

	broken := errors.New("no tree")
	o.Tree = func(context.Context) (string, []string, error) { return "", nil, broken }
	v, err = Run(t.Context(), o)
	assert.ErrorIs(t, err, broken)
	assert.False(t, v.Green, "a verdict without its tree is none")
}

func TestWithoutAShell(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, err := Run(t.Context(), Options{Dir: t.TempDir(), Commands: commands("true")})
	assert.ErrorIs(t, err, ErrNoShell)
	v, err := Run(t.Context(), Options{Dir: t.TempDir()})
	assert.NoError(t, err, "nothing to run needs no shell")
	assert.True(t, v.Green)
}

func TestPlainShWhereThereIsNoBash(t *testing.T) {
	sh, err := exec.LookPath("sh")
	require.NoError(t, err)
	bin := t.TempDir()
	require.NoError(t, os.Symlink(sh, filepath.Join(bin, "sh")))
	t.Setenv("PATH", bin)
	v, _ := run(t, Options{Commands: commands("echo $0")})
	assert.Equal(t, filepath.Join(bin, "sh")+"\n", v.Results[0].Tail)
}

func TestBadFolderIsARedCommand(t *testing.T) {
	v, _ := run(t, Options{Dir: filepath.Join(t.TempDir(), "gone"), Commands: commands("true")})
	assert.False(t, v.Green)
	assert.Contains(t, v.Results[0].Cause, "start ")
}

func TestFullOutputFolderDoesNotFailTheTests(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	v, rec := run(t, Options{OutputDir: filepath.Join(file, "sub"), Commands: commands("echo a")})
	assert.True(t, v.Green)
	assert.Empty(t, v.Results[0].OutputFile)
	assert.Equal(t, "a\n", v.Results[0].Tail)
	assert.Equal(t, []string{"gate_start", "note", "gate_command", "gate_end"}, rec.kinds())
}

func TestEvidenceIsNeverWrittenOver(t *testing.T) {
	out := t.TempDir()
	o := Options{OutputDir: out, Commands: commands("echo a")}
	first, _ := run(t, o)
	second, _ := run(t, o)
	third, _ := run(t, o)
	assert.Equal(t, []string{"command-01.log", "command-01-2.log", "command-01-3.log"},
		[]string{filepath.Base(first.Results[0].OutputFile), filepath.Base(second.Results[0].OutputFile), filepath.Base(third.Results[0].OutputFile)})
}

func TestHugeOutput(t *testing.T) {
	const size = 20 << 20
	v, rec := run(t, Options{OutputDir: t.TempDir(), Commands: commands("echo first; head -c 20971520 /dev/zero | tr '\\0' x; echo; echo last")})
	r := v.Results[0]
	whole := "first\n" + strings.Repeat("x", size) + "\nlast\n"
	assert.Equal(t, sum(whole), r.OutputHash, "the hash is over everything")
	assert.LessOrEqual(t, len(r.Tail), maxTail)
	assert.True(t, strings.HasSuffix(r.Tail, "x\nlast\n"))

	kept, err := os.ReadFile(r.OutputFile)
	require.NoError(t, err)
	assert.Less(t, len(kept), 17<<20)
	assert.True(t, bytes.HasPrefix(kept, []byte("first\nxxx")))
	assert.True(t, bytes.HasSuffix(kept, []byte("x\nlast\n")))
	assert.Contains(t, string(kept[maxHead:maxHead+100]), "bytes are left out here]")

	streamed := len(rec.text(event.FromCommand))
	assert.Greater(t, streamed, maxStream)
	assert.Less(t, streamed, 2*maxStream)
	assert.Contains(t, rec.text(event.FromTool), "more output follows, see "+r.OutputFile)
}

func TestFailureForTheNextSession(t *testing.T) {
	v := Verdict{GateEnd: event.GateEnd{Commands: 3}, Results: []event.GateCommand{
		{Command: "go test ./...", Exit: 1, Elapsed: 1500 * time.Millisecond, OutputFile: "out/command-01.log", Tail: "--- FAIL: TestX\n```\nFAIL\n"},
		{Command: "go vet", Exit: 0, Tail: "fine"},
		{Command: "sleep\n9", Exit: -1, Cause: "timed out after 1s", Elapsed: time.Second, Tail: " \n"},
	}}
	assert.Equal(t, strings.Join([]string{
		"Command: go test ./...", "Ended: exit 1 after 1.5s", "Whole output: out/command-01.log", "End of its output:",
		"````", "--- FAIL: TestX", "```", "FAIL", "````", "",
		"Command: sleep", "9", "Ended: timed out after 1s after 1s", "It printed nothing.",
	}, "\n"), v.Failure())
	assert.Equal(t, "2 of 3 validation commands failed: go test ./... (exit 1), sleep … (timed out after 1s)", v.Summary())
}

func BenchmarkGateOfOneTrivialCommand(b *testing.B) {
	o := Options{Dir: b.TempDir(), Commands: commands("true")}
	for b.Loop() {
		if v, err := Run(b.Context(), o); err != nil || !v.Green {
			b.Fatal(v, err)
		}
	}
}

func TestStreamsApart(t *testing.T) {
	dir := t.TempDir()
	v, rec := run(t, Options{Apart: true, OutputDir: dir, Commands: commands("echo out; echo err >&2; echo more; printf rest; exit 3", "echo fine", "read -r x || echo no input >&2")})
	require.False(t, v.Green)
	require.Equal(t, []Streams{{[]byte("out\nmore\nrest"), []byte("err\n")}, {[]byte("fine\n"), nil}, {nil, []byte("no input\n")}}, v.Streams)
	require.Len(t, v.Results, 3)
	r := v.Results[0]
	assert.Equal(t, 3, r.Exit)
	data, err := os.ReadFile(r.OutputFile)
	require.NoError(t, err)
	assert.ElementsMatch(t, []string{"out", "err", "more", "rest"}, strings.Split(string(data), "\n"), "nothing is lost in the common output")
	assert.Equal(t, sum(string(data)), r.OutputHash)
	assert.Equal(t, string(data), r.Tail)
	assert.Contains(t, rec.text(event.FromCommand), "err")

	v, _ = run(t, Options{Commands: commands("echo out; echo err >&2")})
	assert.Nil(t, v.Streams, "nobody asked")
	assert.Equal(t, "out\nerr\n", v.Results[0].Tail)
}

// TestStreamsApartKeepSecrets: a line that one stream has begun isn't torn apart by the other one, or a secret in it would not be seen.
func TestStreamsApartKeepSecrets(t *testing.T) {
	dir := t.TempDir()
	mask := redact.New([]string{}, "hunter2hunter2")
	v, _ := run(t, Options{Apart: true, OutputDir: dir, Safe: func(w io.Writer) io.WriteCloser { return mask.Writer(w) },
		Commands: commands("printf 'out hunter2'; for i in 1 2 3 4 5; do echo err hunter2hunter2 >&2; done; printf 'hunter2\n'")})
	require.Len(t, v.Streams, 1)
	data, err := os.ReadFile(v.Results[0].OutputFile)
	require.NoError(t, err)
	for _, text := range [][]byte{v.Streams[0].Stdout, v.Streams[0].Stderr, data} {
		assert.NotContains(t, string(text), "hunter2")
		assert.NotEmpty(t, text)
	}
	assert.Equal(t, 6, bytes.Count(data, []byte("\n")))
}

func TestStreamsApartAreBounded(t *testing.T) {
	v, _ := run(t, Options{Apart: true, Commands: commands("echo begin; yes line of output | head -c 2000000; echo; echo end >&2; echo end")})
	out := string(v.Streams[0].Stdout)
	assert.Less(t, len(out), 512<<10)
	assert.True(t, strings.HasPrefix(out, "begin\n") && strings.HasSuffix(out, "\nend\n"))
	assert.Contains(t, out, "bytes are left out here]")
	assert.Equal(t, "end\n", string(v.Streams[0].Stderr))
}
