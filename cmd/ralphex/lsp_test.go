package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"ralphex/internal/lsp/jsonrpc"
	"ralphex/internal/lsp/lsptest"
)

// cmdLSP is an editor: it starts `ralphex lsp ARGS…`, speaks the client's part of a conversation, and compares what is
// said and the exit code: `lsp CODE TALK ARGS…`.
func cmdLSP(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: lsp CODE TALK ARGS…")
	}
	want := ts.ReadFile(args[1])
	talk, err := lsptest.Parse([]byte(want))
	ts.Check(err)
	editor, err := startEditor(ts, args[2:])
	ts.Check(err)
	err = talk.Play(editor)
	ts.Logf("[stderr]\n%s", editor.stderr.String())
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs("stderr.out"), editor.stderr.Bytes(), 0o644))
	if got := string(talk.Format()); got != want {
		ts.Check(os.WriteFile(ts.MkAbs(args[1]+".out"), []byte(got), 0o644))
		ts.Logf("%s", output(ts, "sh", "-c", `diff -u "$0" "$0.out" || true`, args[1]))
		ts.Fatalf("the conversation went another way")
	}
	if talk.End != args[0] {
		ts.Fatalf("exit code %s, want %s", talk.End, args[0])
	}
}

// editor is the other end of a real server.
type editor struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	said   chan *jsonrpc.Message // closed at the end of its stdout
	stderr bytes.Buffer
}

func startEditor(ts *testscript.TestScript, args []string) (*editor, error) {
	e := &editor{cmd: exec.Command("ralphex", append([]string{"lsp"}, args...)...), said: make(chan *jsonrpc.Message, 1000)}
	e.cmd.Dir, e.cmd.Env, e.cmd.Stderr = ts.MkAbs("."), environment(ts), &e.stderr
	var err error
	if e.in, err = e.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := e.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := e.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		defer close(e.said)
		r := jsonrpc.NewReader(out, 1<<30)
		for {
			body, err := r.Read()
			if err != nil {
				return
			}
			m, bad := jsonrpc.Decode(body)
			if bad != nil {
				m = &jsonrpc.Message{Error: bad}
			}
			e.said <- m
		}
	}()
	return e, nil
}

func (e *editor) Send(raw []byte) error {
	_, err := e.in.Write(raw)
	return err
}

// Settle waits for as many messages as the conversation has here. One too many is seen at the next step, or at the end.
func (e *editor) Settle(want int) ([]*jsonrpc.Message, error) {
	var got []*jsonrpc.Message
	limit := time.After(time.Minute)
	for len(got) < want {
		select {
		case m, ok := <-e.said:
			if !ok {
				return got, errors.New("the server has ended")
			}
			got = append(got, m)
		case <-limit:
			return got, fmt.Errorf("%d of %d messages came", len(got), want)
		}
	}
	return got, nil
}

// Wait need not wait: Settle does, for what comes next.
func (e *editor) Wait(time.Duration) {}

func (e *editor) HangUp() error { return e.in.Close() }

// End is the exit code; what was said and not expected goes before it.
func (e *editor) End() string {
	e.in.Close()
	rest := ""
	for m := range e.said {
		body, _ := jsonrpc.Encode(m)
		rest += "unexpected " + string(body) + " "
	}
	e.cmd.Wait()
	return rest + strconv.Itoa(e.cmd.ProcessState.ExitCode())
}
