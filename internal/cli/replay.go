package cli

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"ralphex/internal/journal"
	"ralphex/internal/proc"
	"ralphex/pkg/event"
	"ralphex/pkg/executor/claude"
	"ralphex/pkg/executor/codex"
	"ralphex/pkg/executor/copilot"
	"ralphex/pkg/executor/custom"
	"ralphex/pkg/executor/gemini"
	"ralphex/pkg/executor/opencode"
	"ralphex/pkg/executor/pi"
	"ralphex/pkg/executor/qwen"
	"ralphex/pkg/executor/session"
)

// dialect is a stream that replay can read.
type dialect struct {
	name string
	mark string
	open func(*session.Talk) session.Dialect
}

// dialects are the streams that replay can read, with what their beginning is known by; the first that fits counts.
var dialects = []dialect{
	{"codex", `"type":"thread.started"`, codex.Dialect},
	{"opencode", `"sessionID":"ses_`, opencode.Dialect},
	{"gemini", `"type":"init"`, gemini.Dialect},
	{"copilot", `"type":"session.`, copilot.Dialect},
	{"pi", `{"type":"session"`, pi.Dialect},
	{"qwen", `"qwen_code_version"`, qwen.Dialect},
	{"claude", "{", claude.Dialect}, // and its wrappers, whose lines are JSON, too
	{"custom", "", custom.Dialect},
}

type replayCmd struct {
	Source   string `arg:"" name:"run|file" help:"A run (its id, the beginning of it, its plan), or a file that holds what an agent printed."`
	Session  int    `help:"Session of the run (default: the last one whose stream was kept)." placeholder:"N"`
	Executor string `help:"Whose stream it is (default: by the journal, or by its first lines)." placeholder:"NAME"`
	Exit     int    `help:"Exit code of the agent, for a file." placeholder:"N"`
	JSON     bool   `name:"json" help:"Print a JSON line for each fact, and one for what the session was."`
}

// Help shows examples.
func (replayCmd) Help() string {
	return `Examples:
  ralphex replay docs/plans/feature.md           the last session of its newest run
  ralphex replay 20261130-1530 --session 3
  ralphex replay stream.jsonl --executor codex --exit 1

Shows what ralphex understood of an agent's raw stream: its words, tools, signals that count and those that were only mentioned, usage, and why it
failed. Nothing is run and nothing is written. Where that is wrong, the stream and this output make a bug report (docs/agents.md).`
}

// replayed is a stream and what is known about it beside.
type replayed struct {
	path     string
	title    string
	executor string
	exit     proc.Exit
	stderr   string
	journal  string // the failure as the run saw it
}

// Run reads the stream once more.
func (c *replayCmd) Run(ctx context.Context, p *Proc) error {
	r, err := c.find(ctx, p)
	if err != nil {
		return err
	}
	f, err := os.Open(r.path)
	if err != nil {
		return usage(fmt.Errorf("open the stream: %w", err), "raw streams of old runs are removed (stream_runs); a run with keep_streams = false has none")
	}
	defer f.Close()
	head := make([]byte, 16<<10)
	n, _ := io.ReadFull(f, head)
	i := slices.IndexFunc(dialects, func(d dialect) bool {
		if r.executor != "" {
			return d.name == r.executor
		}
		return bytes.Contains(head[:n], []byte(d.mark))
	})
	if i < 0 {
		return usage(fmt.Errorf("no stream of %q can be read", r.executor), "there are: claude, codex, copilot, custom, gemini, opencode, pi, qwen")
	}
	when := time.Now()
	if fi, err := f.Stat(); err == nil {
		when = fi.ModTime() // "resets 3pm" was said then
	}
	out := &replayOut{w: p.Out, json: c.JSON}
	out.title(dialects[i].name, r, relative(p.Dir, r.path))
	st := session.NewStream(out.emit, nil, dialects[i].open)
	st.Now = func() time.Time { return when }
	if _, err := io.Copy(st, io.MultiReader(bytes.NewReader(head[:n]), f)); err != nil {
		return fmt.Errorf("read the stream: %w", err)
	}
	said := st.Close()
	return out.end(said, st.Outcome(r.exit, r.stderr), r)
}

// find is the stream that is asked for.
func (c *replayCmd) find(ctx context.Context, p *Proc) (replayed, error) {
	path := c.Source
	if !filepath.IsAbs(path) {
		path = filepath.Join(p.Dir, path)
	}
	if fi, err := os.Stat(path); err == nil && fi.Mode().IsRegular() && filepath.Ext(path) != ".md" {
		if c.Session != 0 {
			return replayed{}, usage(errors.New("--session is for a run, not for a file"), "")
		}
		return replayed{path: path, executor: c.Executor, exit: proc.Exit{Code: c.Exit}}, nil
	}
	repo, run, err := namedRun(ctx, p, c.Source)
	if err != nil {
		return replayed{}, err
	}
	return c.fromRun(repo.Root(), run)
}

// fromRun finds the session in the journal, which also knows its exit code and what it said on stderr.
func (c *replayCmd) fromRun(root string, run journal.Summary) (found replayed, err error) {
	var at replayed
	for e, err := range journal.Events(run.Path) {
		if err != nil {
			return found, err
		}
		switch d := e.Data.(type) {
		case event.SessionStart:
			at = replayed{executor: d.Executor}
		case event.Output:
			if d.Source == event.FromStderr {
				at.stderr += d.Text + "\n"
			}
		case event.SessionEnd:
			if d.Transcript == "" || c.Session != 0 && d.N != c.Session {
				continue
			}
			at.path, at.title = filepath.FromSlash(d.Transcript), fmt.Sprintf("session %d of run %s", d.N, run.Run)
			at.exit, at.journal = exitOf(d.Exit), d.Failure
			found = at
		}
	}
	if found.path == "" {
		return found, usage(fmt.Errorf("run %s has no such session, or no stream of it was kept", run.Run), "ralphex cost --csv lists its sessions; keep_streams = true keeps their streams")
	}
	if found.path, err = streamOf(root, found.path); err != nil {
		return replayed{}, err
	}
	found.executor = cmp.Or(c.Executor, found.executor)
	return found, nil
}

// streamOf is the file of a stream that a journal names. Whoever can write into the checkout can write a journal: what lies elsewhere, also by a link, or is
// no regular file is not opened. One that is gone is found out by opening it.
func streamOf(root, name string) (string, error) {
	path := filepath.Join(root, name)
	fi, err := os.Stat(path)
	if !filepath.IsLocal(name) || err == nil && (!fi.Mode().IsRegular() || !leadsInside(root, path)) {
		return "", usage(fmt.Errorf("the journal names %q as the stream: that is no file of this repository", name), "a stream that you trust can be named itself: ralphex replay FILE")
	}
	return path, nil
}

// exitOf reads what the journal says of an end.
func exitOf(text string) (e proc.Exit) {
	if signal, ok := strings.CutPrefix(text, "signal: "); ok {
		return proc.Exit{Code: -1, Signal: signal}
	}
	_, _ = fmt.Sscanf(text, "exit %d", &e.Code)
	return e
}

// replayOut prints what is understood.
type replayOut struct {
	w    io.Writer
	json bool
	open bool // a line of text goes on
	err  error
}

func (o *replayOut) printf(format string, args ...any) {
	if o.err == nil {
		_, o.err = fmt.Fprintf(o.w, format, args...)
	}
}

func (o *replayOut) title(agent string, r replayed, name string) {
	if !o.json {
		o.printf("%s\nstream of %s: %s\n\n", cmp.Or(r.title, "a file"), agent, name)
	}
}

func (o *replayOut) line(kind string, data any) {
	b, err := json.Marshal(map[string]any{"type": kind, "data": data})
	if err == nil {
		o.printf("%s\n", b)
	}
}

func (o *replayOut) emit(d event.Data) {
	if o.json {
		o.line(string(d.Kind()), d)
		return
	}
	switch d := d.(type) {
	case event.Output:
		kind := cmp.Or(string(d.Source), "text")
		for i, text := range strings.Split(d.Text, "\n") {
			if i > 0 {
				o.printf("\n")
				o.open = false
			}
			if !o.open {
				o.printf("%-8s", kind)
			}
			o.printf("%s", harmless(text))
			o.open = true
		}
		if o.open = d.Partial; !o.open {
			o.printf("\n")
		}
		return
	}
	if o.open {
		o.printf("\n")
		o.open = false
	}
	switch d := d.(type) {
	case event.Claimed:
		o.printf("%-8s%s\n", "SIGNAL", harmless(strings.TrimSpace(d.Signal+" "+d.Payload+" "+d.Problem)))
	case event.Note:
		o.printf("%-8s%s\n", d.Level, harmless(d.Text))
	default:
		o.printf("%-8s%+v\n", d.Kind(), d)
	}
}

// harmless takes out what a terminal would obey.
func harmless(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\t' {
			return '?'
		}
		return r
	}, s)
}

// verdict is what the session was, as JSON.
type verdict struct {
	Class    string                 `json:"class"` // empty = it went well
	Message  string                 `json:"message,omitempty"`
	Status   int                    `json:"http_status,omitempty"`
	ResetAt  string                 `json:"reset_at,omitempty"`
	Journal  string                 `json:"journal_class"` // as the run saw it
	Exit     string                 `json:"exit"`
	Session  string                 `json:"session_id,omitempty"`
	Signals  []string               `json:"signals"`
	Mentions int                    `json:"mentions"`
	Pending  []string               `json:"pending,omitempty"`
	Usage    event.Usage            `json:"usage"`
	Models   map[string]event.Usage `json:"models,omitempty"`
}

func (o *replayOut) end(said session.Said, out session.Outcome, r replayed) error {
	v := verdict{Journal: r.journal, Exit: r.exit.String(), Session: out.SessionID, Signals: []string{}, Mentions: said.Mentions, Pending: said.Pending,
		Usage: out.Usage, Models: out.Models}
	for _, s := range said.Signals {
		v.Signals = append(v.Signals, string(s.Kind))
	}
	if f := out.Failure; f != nil {
		v.Class, v.Message, v.Status = string(f.Class), f.Message, f.Status
		if !f.ResetAt.IsZero() {
			v.ResetAt = f.ResetAt.UTC().Format("2006-01-02T15:04:05Z")
		}
	}
	if o.json {
		o.line("verdict", v)
		return o.err
	}
	o.printf("\nsignals   %d that count%s, %d only mentioned\n", len(v.Signals), afterList(": ", v.Signals), v.Mentions)
	if len(v.Pending) > 0 {
		o.printf("pending   %s\n", harmless(strings.Join(v.Pending, "; ")))
	}
	u := v.Usage
	o.printf("usage     input %d, cache read %d, cache write %d, output %d, dollars %.6f, turns %d\n", u.InputTokens, u.CacheReadTokens, u.CacheWriteTokens, u.OutputTokens, u.CostUSD, u.Turns)
	if len(v.Models) > 0 {
		o.printf("models    %s\n", harmless(strings.Join(slices.Sorted(maps.Keys(v.Models)), ", ")))
	}
	o.printf("session   %s\nexit      %s\n", cmp.Or(harmless(v.Session), "(no id)"), v.Exit)
	if v.Class == "" {
		o.printf("class     (it went well)\n")
	} else {
		o.printf("class     %s: %s\n", v.Class, harmless(v.Message))
	}
	if v.ResetAt != "" {
		o.printf("resets    %s\n", v.ResetAt)
	}
	if r.title != "" && r.journal != v.Class {
		o.printf("journal   %s (the run knew more than the stream: a time-out, a break, words of the settings)\n", cmp.Or(r.journal, "(it went well)"))
	}
	return o.err
}

func afterList(before string, words []string) string {
	if len(words) == 0 {
		return ""
	}
	return before + strings.Join(words, ", ")
}
