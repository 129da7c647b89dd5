package phase_test

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/event"
	"ralphex/pkg/executor"
	"ralphex/pkg/processor/phase"
	"ralphex/pkg/signals"
	"ralphex/pkg/vcs"
	"ralphex/pkg/vcs/vcstest"
)

// draftBoard is plan creation over a real repository, with an agent and a person that a test scripts.
type draftBoard struct {
	t       *testing.T
	repo    *vcstest.Repo
	deps    *phase.Deps
	events  []event.Data
	prompts []phase.CreatePrompt
	acts    []func() (executor.Result, error) // what each session does; there is none behind the last
	says    []event.DraftReview
	answers []string
	asked   []event.Asked
	shown   []event.Draft
	before  []string
	opts    phase.CreateOptions
}

func newBoard(t *testing.T, acts ...func() (executor.Result, error)) *draftBoard {
	t.Helper()
	r := vcstest.NewRepo(t)
	r.Write("a.go", "package a\n")
	r.Write("docs/plans/old.md", "# Old\n")
	r.Commit("start")
	return &draftBoard{t: t, repo: r, deps: phase.NewDeps(), acts: acts, opts: phase.CreateOptions{Agent: "claude"}}
}

func (b *draftBoard) Emit(_ int, d event.Data) { b.events = append(b.events, d) }

func (b *draftBoard) Create(p phase.CreatePrompt) (phase.Prompt, error) {
	b.prompts = append(b.prompts, p)
	return phase.Told("draft"), nil
}

func (b *draftBoard) Run(ctx context.Context, _ phase.Session) (executor.Result, error) {
	require.NotEmpty(b.t, b.acts, "a session that nobody expected")
	act := b.acts[0]
	b.acts = b.acts[1:]
	res, err := act()
	if errors.Is(err, errWaits) {
		<-ctx.Done()
		return res, context.Cause(ctx)
	}
	return res, err
}

func (b *draftBoard) AskQuestion(_ context.Context, q event.Asked) (string, error) {
	b.asked = append(b.asked, q)
	if len(b.answers) == 0 {
		return "", phase.ErrNoPerson
	}
	a := b.answers[0]
	b.answers = b.answers[1:]
	return a, nil
}

func (b *draftBoard) AskDraftReview(_ context.Context, d event.Draft, before string) (event.DraftReview, error) {
	b.shown, b.before = append(b.shown, d), append(b.before, before)
	if len(b.says) == 0 {
		return event.DraftReview{}, phase.ErrNoPerson
	}
	r := b.says[0]
	b.says = b.says[1:]
	return r, nil
}

// The board is the shelf, too.
func (b *draftBoard) Free(string) string      { return "docs/plans/new.md" }
func (b *draftBoard) Path(name string) string { return filepath.Join(b.repo.Dir, name) }
func (b *draftBoard) Write(n string, text []byte) error {
	return os.WriteFile(b.Path(n), text, 0o644)
}

func (b *draftBoard) Plans() (map[string][]byte, error) {
	plans := map[string][]byte{}
	found, _ := filepath.Glob(b.Path("docs/plans/*.md"))
	for _, f := range found {
		text, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		plans["docs/plans/"+filepath.Base(f)] = text
	}
	return plans, nil
}

// check is a rule of the test's own.
func check(text string) []string {
	if strings.Contains(text, "bad") {
		return []string{"line 1: it is bad"}
	}
	return nil
}

func (b *draftBoard) run() (phase.Report, error) {
	b.t.Helper()
	tree := b.repo.Open(b.t)
	b.deps.SetInput(b)
	site := phase.NewSite(phase.SiteParts{Log: b, Tree: tree, Committer: tree, Deletions: vcs.Deletions(tree)}, phase.SiteOptions{Root: b.repo.Dir})
	c := phase.NewCreation(phase.CreateParts{Deps: b.deps, Site: site, Sessions: b, Prompts: b, Shelf: b, Check: check,
		Clean: func(d event.Data) event.Data { return d }}, b.opts)
	return c.Run(b.t.Context())
}

// plans are the texts on the shelf.
func (b *draftBoard) plans() map[string]string {
	b.t.Helper()
	all, err := b.Plans()
	require.NoError(b.t, err)
	out := map[string]string{}
	for n, text := range all {
		out[n] = string(text)
	}
	return out
}

func (b *draftBoard) notes() string {
	var s strings.Builder
	for _, d := range b.events {
		if n, ok := d.(event.Note); ok {
			s.WriteString(n.Text + "\n")
		}
	}
	return s.String()
}

func prints(sigs ...signals.Signal) func() (executor.Result, error) {
	return func() (executor.Result, error) { return executor.Result{Signals: sigs}, nil }
}

func drafts(text string) func() (executor.Result, error) {
	return prints(signals.Signal{Kind: signals.KindPlanDraft, Draft: text})
}

func asks(q string, options ...string) func() (executor.Result, error) {
	return prints(signals.Signal{Kind: signals.KindQuestion, Question: &signals.Question{Question: q, Options: options}})
}

// writes is a session that writes files and says that it is ready.
func (b *draftBoard) writes(files map[string]string) func() (executor.Result, error) {
	return func() (executor.Result, error) {
		for n, text := range files {
			require.NoError(b.t, b.Write(n, []byte(text)))
		}
		return executor.Result{Signals: []signals.Signal{{Kind: signals.PlanReady}}}, nil
	}
}

var (
	accept = event.DraftReview{Action: event.Accept}
	reject = event.DraftReview{Action: event.Reject}
)

func revise(text string) event.DraftReview {
	return event.DraftReview{Action: event.Revise, Feedback: text}
}

func TestCreationFromQuestionToFile(t *testing.T) {
	b := newBoard(t, asks("Where?", "here", "there"), drafts("# A\n"), drafts("# B\n"))
	b.acts = append(b.acts, b.writes(map[string]string{"docs/plans/new.md": "# B\n"}))
	b.answers, b.says = []string{"there"}, []event.DraftReview{revise("call it B"), accept}
	report, err := b.run()
	require.NoError(t, err)
	assert.Equal(t, "docs/plans/new.md", report.Created)
	assert.Equal(t, 4, report.Sessions)
	assert.Equal(t, "# B\n", b.plans()["docs/plans/new.md"])
	assert.Equal(t, []string{"", "# A\n"}, b.before, "a second draft can be compared with the first")

	assert.Equal(t, phase.CreatePrompt{}, b.prompts[0])
	assert.Equal(t, "there", b.prompts[1].Answers[0].Answer)
	assert.Equal(t, "call it B", b.prompts[2].Feedback)
	assert.Equal(t, "# A\n", b.prompts[2].Draft)
	assert.Equal(t, filepath.Join(b.repo.Dir, "docs/plans/new.md"), b.prompts[3].Write)
	assert.Equal(t, "# B\n", b.prompts[3].Draft)
	assert.Equal(t, event.PlanFile{Path: "docs/plans/new.md", By: "agent"}, b.events[len(b.events)-1])
}

// What lies in the tree is what was accepted, whatever the session makes of it.
func TestAcceptedTextIsWritten(t *testing.T) {
	const accepted = "# A\n\n\n- two blank lines\n"
	tests := []struct {
		name  string
		wrote map[string]string
		want  map[string]string
		note  string
		look  bool
	}{
		{"nothing", nil, map[string]string{"docs/plans/new.md": accepted}, "did not write the plan", false},
		{"something else", map[string]string{"docs/plans/new.md": "# A\n"}, map[string]string{"docs/plans/new.md": accepted}, "is not what was accepted", false},
		{"a name of its own", map[string]string{"docs/plans/a.md": accepted}, map[string]string{"docs/plans/a.md": accepted}, "", false},
		{"the wrong text under its own name", map[string]string{"docs/plans/a.md": "x"}, map[string]string{"docs/plans/a.md": accepted}, "is not what was accepted", false},
		{"over another plan", map[string]string{"docs/plans/old.md": accepted}, map[string]string{"docs/plans/new.md": accepted}, "it is as it was before", false},
		{"more than the plan", map[string]string{"docs/plans/new.md": accepted, "a.go": "x"}, map[string]string{"docs/plans/new.md": accepted}, "was to write the plan only, and wrote: a.go", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBoard(t, drafts(accepted))
			b.acts = append(b.acts, b.writes(tt.wrote))
			b.says = []event.DraftReview{accept}
			report, err := b.run()
			require.NoError(t, err)
			want := map[string]string{"docs/plans/old.md": "# Old\n"}
			maps.Copy(want, tt.want)
			assert.Equal(t, want, b.plans())
			assert.Contains(t, want, report.Created)
			assert.Contains(t, b.notes(), tt.note)
			assert.Equal(t, tt.look, len(report.Look) > 0)
		})
	}
	t.Run("by the tool", func(t *testing.T) {
		b := newBoard(t, drafts(accepted))
		b.says, b.opts.ToolWrites = []event.DraftReview{accept}, true
		report, err := b.run()
		require.NoError(t, err)
		assert.Equal(t, 1, report.Sessions)
		assert.Equal(t, accepted, b.plans()["docs/plans/new.md"])
	})
}

func TestDraftOfAWrongFormGoesBackOnce(t *testing.T) {
	b := newBoard(t, drafts("# bad\n"), drafts("# still bad\n"))
	_, err := b.run()
	var p *phase.PendingError
	require.ErrorAs(t, err, &p)
	require.ErrorIs(t, err, phase.ErrNoPerson)
	assert.Equal(t, []string{"line 1: it is bad"}, b.prompts[1].Problems)
	require.Len(t, b.shown, 1, "the person saw the second one only")
	assert.Equal(t, "# still bad\n", p.Draft.Text)
	assert.Equal(t, []string{"line 1: it is bad"}, p.Draft.Problems)
	assert.Empty(t, p.Before, "what nobody saw is nothing to compare with")
}

// A conversation is what its events say, so another process goes on at each point of it.
func TestCreationGoesOn(t *testing.T) {
	whole := newBoard(t, asks("Where?", "here"), drafts("# A\n"), drafts("# B\n"))
	whole.opts.ToolWrites = true
	whole.answers, whole.says = []string{"here"}, []event.DraftReview{revise("B"), accept}
	_, err := whole.run()
	require.NoError(t, err)
	sessionsAfter := func(n int) []func() (executor.Result, error) {
		all := []func() (executor.Result, error){asks("Where?", "here"), drafts("# A\n"), drafts("# B\n")}
		done := 0
		for _, d := range whole.events[:n] {
			switch d := d.(type) {
			case event.Asked:
				done = max(done, 1)
			case event.Draft:
				done = d.N + 1
			}
		}
		return all[done:]
	}
	for n := range whole.events {
		b := newBoard(t, sessionsAfter(n)...)
		b.opts.ToolWrites, b.opts.Earlier = true, whole.events[:n]
		b.answers, b.says = []string{"here"}, []event.DraftReview{revise("B"), accept}
		for _, d := range whole.events[:n] {
			if r, ok := d.(event.DraftReview); ok && r.Action == event.Revise {
				b.says = b.says[1:]
			}
		}
		report, err := b.run()
		require.NoError(t, err, "cut off behind event %d", n)
		assert.Equal(t, "docs/plans/new.md", report.Created)
		assert.Equal(t, "# B\n", b.plans()["docs/plans/new.md"])
		assert.Empty(t, b.acts, "no session was left out, behind event %d", n)
	}
}

func TestDraftingSessionThatChangesTheTree(t *testing.T) {
	b := newBoard(t)
	b.acts = append(b.acts, func() (executor.Result, error) {
		require.NoError(t, b.Write("a.go", []byte("package b\n")))
		return drafts("# A\n")()
	})
	_, err := b.run()
	require.ErrorIs(t, err, phase.ErrNoPerson)
	assert.Contains(t, b.notes(), "was to change nothing, and did: a.go")
	assert.Contains(t, b.events, event.Data(event.SetAside{Paths: []string{"a.go"}, By: event.ByTool}))
}

// A plan that a session writes instead of printing it has to get past the person all the same.
func TestPlanThatWasWrittenUnasked(t *testing.T) {
	b := newBoard(t)
	b.acts = append(b.acts, b.writes(map[string]string{"docs/plans/mine.md": "# Mine\n"}))
	b.says = []event.DraftReview{accept}
	report, err := b.run()
	require.NoError(t, err)
	require.Len(t, b.shown, 1)
	assert.Equal(t, "# Mine\n", b.shown[0].Text)
	assert.Equal(t, "docs/plans/mine.md", report.Created)
	assert.Equal(t, map[string]string{"docs/plans/old.md": "# Old\n", "docs/plans/mine.md": "# Mine\n"}, b.plans())
	assert.NotEmpty(t, report.Look, "the tree changed before anything was accepted")
}

func TestReadyWithoutAPlan(t *testing.T) {
	b := newBoard(t, prints(signals.Signal{Kind: signals.PlanReady}), func() (executor.Result, error) {
		return executor.Result{Text: "That is old.md already.", Signals: []signals.Signal{{Kind: signals.PlanReady}}}, nil
	})
	report, err := b.run()
	require.NoError(t, err)
	assert.Contains(t, b.prompts[1].Trouble, "no draft was accepted")
	assert.Equal(t, "docs/plans/old.md", report.Created)
}

func TestEndsOfCreation(t *testing.T) {
	malformed := prints(signals.Signal{Kind: signals.KindQuestion, Err: &signals.PayloadError{Kind: signals.KindQuestion, Reason: "no options"}})
	failed := func() (executor.Result, error) {
		return executor.Result{Failure: &executor.Failure{Class: executor.ClassCrash, Message: "it crashed"}}, nil
	}
	tests := []struct {
		name string
		acts []func() (executor.Result, error)
		says []event.DraftReview
		max  int
		want func(t *testing.T, err error)
	}{
		{"rejected", []func() (executor.Result, error){drafts("# A\n")}, []event.DraftReview{reject}, 0, func(t *testing.T, err error) {
			require.ErrorIs(t, err, phase.ErrRejected)
			assert.EqualError(t, err, "user rejected plan")
		}},
		{"the agent gives up", []func() (executor.Result, error){prints(signals.Signal{Kind: signals.TaskFailed})}, nil, 0, func(t *testing.T, err error) {
			require.ErrorContains(t, err, "FAILED signal received")
		}},
		{"no end", []func() (executor.Result, error){malformed, prints()}, nil, 2, func(t *testing.T, err error) {
			require.EqualError(t, err, "max plan iterations (2) reached without completion")
		}},
		{"crashes", []func() (executor.Result, error){failed, failed, failed}, nil, 0, func(t *testing.T, err error) {
			var stuck *phase.BreakerError
			require.ErrorAs(t, err, &stuck)
		}},
		{"a question", []func() (executor.Result, error){asks("Where?", "here")}, nil, 0, func(t *testing.T, err error) {
			var p *phase.PendingError
			require.ErrorAs(t, err, &p)
			assert.Equal(t, "Where?", p.Question.Question)
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBoard(t, tt.acts...)
			b.says, b.opts.Max = tt.says, tt.max
			_, err := b.run()
			tt.want(t, err)
			assert.Equal(t, map[string]string{"docs/plans/old.md": "# Old\n"}, b.plans())
		})
	}
}

// A break ends the session; the person says whether there is another one.
func TestBreakInCreation(t *testing.T) {
	brk := make(chan struct{}, 1)
	b := newBoard(t, func() (executor.Result, error) {
		brk <- struct{}{}
		return executor.Result{}, errWaits
	}, drafts("# A\n"))
	b.deps.SetBreak(brk)
	b.deps.SetPause(func(context.Context) bool { return true })
	_, err := b.run()
	require.ErrorIs(t, err, phase.ErrNoPerson)
	assert.Len(t, b.shown, 1)

	b = newBoard(t, func() (executor.Result, error) {
		brk <- struct{}{}
		return executor.Result{}, errWaits
	})
	b.deps.SetBreak(brk)
	_, err = b.run()
	require.ErrorIs(t, err, phase.ErrAborted)
}
