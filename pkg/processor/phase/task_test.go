package phase_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/event"
	"ralphex/pkg/executor"
	"ralphex/pkg/plan"
	"ralphex/pkg/processor/phase"
	"ralphex/pkg/signals"
	"ralphex/pkg/vcs"
	"ralphex/pkg/vcs/vcstest"
)

const twoTasks = `# Plan

### Task 1: one
- [ ] first
- [ ] second

### Task 2: two
- [ ] third
`

// bench is a task phase over a real repository, with sessions that a test scripts and a gate that runs real
// commands.
type bench struct {
	t        *testing.T
	repo     *vcstest.Repo
	tree     vcs.Repo
	deps     *phase.Deps
	events   []event.Event
	prompts  []phase.TaskPrompt
	sessions []session // what each session does, in order; the last one repeats
	ran      int
	opts     phase.TaskOptions
	site     phase.SiteOptions
	commands []string
	keeper   phase.Keeper
}

type session func(ctx context.Context, b *bench) (executor.Result, error)

func newBench(t *testing.T, planText string, sessions ...session) *bench {
	t.Helper()
	r := vcstest.NewRepo(t)
	r.Write("docs/plans/plan.md", planText)
	r.Write("README", "x\n")
	r.Commit("start")
	b := &bench{t: t, repo: r, tree: r.Open(t), deps: phase.NewDeps(), sessions: sessions}
	b.opts, b.site = phase.TaskOptions{Retries: 1}, phase.SiteOptions{Root: r.Dir}
	return b
}

func (b *bench) run() (phase.Report, error) {
	b.t.Helper()
	for _, c := range b.commands {
		b.opts.Frozen = append(b.opts.Frozen, event.Command{Text: c})
	}
	return b.phase(phase.TaskParts{}).Run(b.t.Context())
}

// phase is the task phase over the bench, with the further parts that p has.
func (b *bench) phase(p phase.TaskParts) *phase.Task {
	p.Deps, p.Plans, p.Prompts, p.Sessions = b.deps, b, b, b
	p.Site = phase.NewSite(phase.SiteParts{Log: b, Tree: b.tree, Committer: b.tree, Gate: b, Keeper: b.keeper, Deletions: vcs.Deletions(b.tree)}, b.site)
	return phase.NewTask(p, b.opts)
}

func (b *bench) Emit(task int, d event.Data) {
	b.events = append(b.events, event.Event{Task: task, Data: d})
}

func (b *bench) Path() string { return b.repo.Path("docs/plans/plan.md") }

func (b *bench) Load() (*plan.Plan, error) { return plan.ParsePlanFile(b.Path()) }

func (b *bench) Task(p phase.TaskPrompt) (phase.Prompt, error) {
	b.prompts = append(b.prompts, p)
	return phase.Told(fmt.Sprintf("task %d", p.Position)), nil
}

func (b *bench) Run(ctx context.Context, _ phase.Session) (executor.Result, error) {
	s := b.sessions[min(b.ran, len(b.sessions)-1)]
	b.ran++
	return s(ctx, b)
}

func (b *bench) Commands() int { return len(b.commands) }

func (b *bench) Check(ctx context.Context, _ int) (phase.Verdict, error) {
	v := phase.Verdict{Green: true}
	for _, c := range b.commands {
		cmd := exec.CommandContext(ctx, "sh", "-c", c)
		cmd.Dir = b.repo.Dir
		out, err := cmd.CombinedOutput()
		v.Evidence += string(out)
		if err != nil {
			v.Green, v.Summary = false, c+": "+err.Error()
			v.Failure += string(out)
		}
	}
	return v, nil
}

// tick ticks boxes of a task, all without a list.
func (b *bench) tick(pos int, boxes ...int) {
	b.t.Helper()
	p, err := b.Load()
	require.NoError(b.t, err)
	if len(boxes) == 0 {
		boxes = p.Tasks[pos-1].OpenForAgent()
	}
	require.NoError(b.t, p.SetBoxes(pos, boxes, true))
}

func (b *bench) notes(l event.Level) string {
	var out []string
	for _, e := range b.events {
		if n, ok := e.Data.(event.Note); ok && n.Level == l {
			out = append(out, n.Text)
		}
	}
	return strings.Join(out, "\n")
}

func ends(b *bench) []string {
	var out []string
	for _, e := range b.events {
		if d, ok := e.Data.(event.TaskEnd); ok {
			out = append(out, fmt.Sprintf("%d %s", e.Task, d.Outcome))
		}
	}
	return out
}

func (b *bench) log() []string {
	return strings.Split(b.repo.Git("log", "--reverse", "--format=%s"), "\n")[1:]
}

// does is a session that works on task pos: writes a file, ticks, and ends.
func does(pos int) session {
	return func(_ context.Context, b *bench) (executor.Result, error) {
		b.repo.Write(fmt.Sprintf("work%d.txt", pos), "done\n")
		b.tick(pos)
		return executor.Result{Text: "done"}, nil
	}
}

func says(kind signals.Kind) session {
	return func(context.Context, *bench) (executor.Result, error) {
		return executor.Result{Signals: []signals.Signal{{Kind: kind}}}, nil
	}
}

func idles(context.Context, *bench) (executor.Result, error) { return executor.Result{}, nil }

func fails(class executor.Class, text string) session {
	return func(context.Context, *bench) (executor.Result, error) {
		return executor.Result{Failure: &executor.Failure{Class: class, Message: text, Help: "do this"}, Exit: executor.Exit{Code: 1}}, nil
	}
}

func TestTaskDoneByFacts(t *testing.T) {
	t.Parallel()
	b := newBench(t, twoTasks, does(1), does(2))
	b.commands = []string{"test -e README"}
	report, err := b.run()
	require.NoError(t, err)
	assert.Equal(t, phase.Report{Done: 2, Sessions: 2}, report)
	assert.Equal(t, []string{"1 done", "2 done"}, ends(b))
	assert.Equal(t, []string{"feat: one", "feat: two"}, b.log())
	assert.Empty(t, b.repo.Status())
}

func TestAgentThatCommitsGetsNoSecondCommit(t *testing.T) {
	t.Parallel()
	b := newBench(t, twoTasks, func(ctx context.Context, b *bench) (executor.Result, error) {
		b.repo.Write("work.txt", "x")
		b.tick(1)
		b.tick(2)
		b.repo.Commit("feat: all of it")
		return executor.Result{}, nil
	})
	report, err := b.run()
	require.NoError(t, err)
	assert.Equal(t, []string{"feat: all of it"}, b.log())
	assert.Equal(t, []string{"1 unproven", "2 unproven"}, ends(b))
	assert.True(t, report.Unproven)
}

func TestAllTickedPlanStartsNoSession(t *testing.T) {
	t.Parallel()
	b := newBench(t, strings.ReplaceAll(twoTasks, "[ ]", "[x]"), idles)
	b.commands = []string{"true"}
	report, err := b.run()
	require.NoError(t, err)
	assert.Zero(t, b.ran)
	assert.Equal(t, phase.Report{}, report)

	b = newBench(t, strings.ReplaceAll(twoTasks, "[ ]", "[x]"), idles)
	b.commands = []string{"echo broken; false"}
	_, err = b.run()
	var te *phase.TaskError
	require.ErrorAs(t, err, &te)
	assert.Contains(t, te.Detail, "broken")
	assert.Zero(t, b.ran)
}

func TestRedGateGoesBackThenGreen(t *testing.T) {
	t.Parallel()
	b := newBench(t, twoTasks, does(1), func(_ context.Context, b *bench) (executor.Result, error) {
		b.repo.Write("ok", "")
		return executor.Result{}, nil
	}, does(2))
	b.commands = []string{"test -e ok || { echo no ok file; exit 3; }"}
	report, err := b.run()
	require.NoError(t, err)
	assert.Equal(t, 3, report.Sessions)
	require.Len(t, b.prompts, 3)
	assert.Equal(t, 1, b.prompts[1].Position, "the same task again, though its boxes are ticked")
	assert.Equal(t, 2, b.prompts[1].Attempt)
	assert.Contains(t, b.prompts[1].Failure, "no ok file")
	assert.Empty(t, b.prompts[2].Failure)
	assert.Equal(t, []string{"feat: one", "feat: two"}, b.log(), "nothing is committed while the gate is red")
}

func TestRedForGoodReopensTheBoxes(t *testing.T) {
	t.Parallel()
	b := newBench(t, twoTasks, func(_ context.Context, b *bench) (executor.Result, error) {
		b.tick(1)
		b.tick(2) // ahead of its turn: a claim too
		b.repo.Commit("feat: wrong")
		return executor.Result{}, nil
	}, idles)
	b.commands = []string{"echo red; false"}
	_, err := b.run()
	var te *phase.TaskError
	require.ErrorAs(t, err, &te)
	assert.Equal(t, 1, te.Position)
	assert.True(t, te.Reopened)
	assert.Contains(t, te.Reason, "after 2 attempts")
	assert.Equal(t, twoTasks, b.repo.Read("docs/plans/plan.md"))
	assert.Equal(t, []string{"feat: wrong", "reopen: one"}, b.log())
	assert.Empty(t, b.repo.Status())
}

func TestReportModeTellsAndGoesOn(t *testing.T) {
	t.Parallel()
	b := newBench(t, twoTasks, does(1), does(2))
	b.commands, b.site.Validate = []string{"false"}, phase.ValidateReport
	report, err := b.run()
	require.NoError(t, err)
	assert.True(t, report.Unproven)
	assert.Equal(t, []string{"1 unproven", "2 unproven"}, ends(b))
	assert.Contains(t, b.notes(event.Warn), "report only")
}

func TestTickWithoutWorkIsOnlyAClaim(t *testing.T) {
	t.Parallel()
	ticks := func(_ context.Context, b *bench) (executor.Result, error) {
		b.tick(1)
		return executor.Result{Signals: []signals.Signal{{Kind: signals.AllTasksDone}}}, nil
	}
	b := newBench(t, twoTasks, ticks, idles)
	b.commands = []string{"test -e work1.txt"}
	_, err := b.run()
	require.ErrorAs(t, err, new(*phase.TaskError))
	assert.Equal(t, twoTasks, b.repo.Read("docs/plans/plan.md"))
}

func TestSignalsAreClaims(t *testing.T) {
	t.Parallel()
	t.Run("all done with open boxes is a warning", func(t *testing.T) {
		b := newBench(t, twoTasks, says(signals.AllTasksDone), does(1), does(2))
		_, err := b.run()
		require.NoError(t, err)
		assert.Contains(t, b.notes(event.Warn), "completion signal received but plan still has [ ] items, continuing...")
	})
	t.Run("failed is retried, then ends the run", func(t *testing.T) {
		b := newBench(t, twoTasks, func(context.Context, *bench) (executor.Result, error) {
			return executor.Result{Text: "no compiler here", Signals: []signals.Signal{{Kind: signals.TaskFailed}}}, nil
		})
		_, err := b.run()
		var te *phase.TaskError
		require.ErrorAs(t, err, &te)
		assert.Equal(t, 2, b.ran)
		assert.Contains(t, te.Reason, "TASK_FAILED")
		assert.Contains(t, b.prompts[1].Failure, "no compiler here")
	})
	t.Run("failed on a task that is done and green", func(t *testing.T) {
		b := newBench(t, twoTasks, func(ctx context.Context, b *bench) (executor.Result, error) {
			_, _ = does(1)(ctx, b)
			return says(signals.TaskFailed)(ctx, b)
		}, does(2))
		b.commands = []string{"true"}
		_, err := b.run()
		require.NoError(t, err)
		assert.Contains(t, b.notes(event.Warn), "counted as done")
	})
}

func TestStallEndsTheRun(t *testing.T) {
	t.Parallel()
	b := newBench(t, twoTasks, idles)
	_, err := b.run()
	var se *phase.StallError
	require.ErrorAs(t, err, &se)
	assert.Equal(t, 3, b.ran)
}

func TestFilesThatChangeAreNoStall(t *testing.T) {
	t.Parallel()
	n := 0
	b := newBench(t, twoTasks, func(ctx context.Context, b *bench) (executor.Result, error) {
		if n++; n < 6 {
			b.repo.Write("draft", strings.Repeat("x", n)) // the same path every time: only its content moves
			return executor.Result{}, nil
		}
		b.tick(1)
		return does(2)(ctx, b)
	})
	_, err := b.run()
	require.NoError(t, err)
	assert.Equal(t, 6, b.ran)
}

func TestFastIdenticalFailuresTripTheBreaker(t *testing.T) {
	t.Parallel()
	b := newBench(t, twoTasks, fails(executor.ClassCrash, "cannot find module\nsecond line"))
	_, err := b.run()
	var be *phase.BreakerError
	require.ErrorAs(t, err, &be)
	assert.Equal(t, "cannot find module", be.Line)
	assert.Equal(t, 3, b.ran)
}

func TestFailureClasses(t *testing.T) {
	t.Parallel()
	for _, class := range []executor.Class{executor.ClassLogin, executor.ClassLimit, executor.ClassRequest, executor.ClassUsage} {
		t.Run(string(class)+" ends at once", func(t *testing.T) {
			b := newBench(t, twoTasks, fails(class, "no"))
			_, err := b.run()
			var f *executor.Failure
			require.ErrorAs(t, err, &f)
			assert.Equal(t, class, f.Class)
			assert.Equal(t, 1, b.ran)
		})
	}
	t.Run("overload is tried again", func(t *testing.T) {
		b := newBench(t, twoTasks, fails(executor.ClassOverload, "529"), fails(executor.ClassOverload, "502"), does(1), does(2))
		_, err := b.run()
		require.NoError(t, err)
	})
	t.Run("a failure after the work was done does not undo it", func(t *testing.T) {
		b := newBench(t, twoTasks, func(ctx context.Context, b *bench) (executor.Result, error) {
			_, _ = does(1)(ctx, b)
			return fails(executor.ClassCrash, "exit 1")(ctx, b)
		}, does(2))
		report, err := b.run()
		require.NoError(t, err)
		assert.Equal(t, 2, report.Done)
	})
	t.Run("unfinished work is the next session's", func(t *testing.T) {
		b := newBench(t, twoTasks, func(_ context.Context, b *bench) (executor.Result, error) {
			b.repo.Write("half.go", "x")
			return executor.Result{Cause: executor.ErrIdle}, nil
		}, does(1), does(2))
		_, err := b.run()
		require.NoError(t, err)
		assert.Equal(t, []string{"half.go"}, b.prompts[1].Unfinished)
		assert.Empty(t, b.prompts[2].Unfinished)
	})
	t.Run("an idle time-out keeps what was done", func(t *testing.T) {
		b := newBench(t, twoTasks, func(ctx context.Context, b *bench) (executor.Result, error) {
			_, _ = does(1)(ctx, b)
			return executor.Result{Cause: executor.ErrIdle}, nil
		}, does(2))
		report, err := b.run()
		require.NoError(t, err)
		assert.Equal(t, 2, report.Done)
	})
}

func TestUsersDirtIsNeverCommitted(t *testing.T) {
	t.Parallel()
	b := newBench(t, twoTasks, func(ctx context.Context, b *bench) (executor.Result, error) {
		b.repo.Write("README", "touched by the session too\n")
		return does(1)(ctx, b)
	}, does(2))
	b.repo.Write("README", "mine\n")
	b.repo.Write("staged.txt", "mine\n")
	b.repo.Git("add", "staged.txt")
	b.site.UserDirty = []string{"README", "staged.txt"}
	report, err := b.run()
	require.NoError(t, err)
	assert.Equal(t, []string{"README"}, report.Kept)
	assert.Equal(t, " M README\nA  staged.txt", b.repo.Status())
}

func TestSessionThatCommitsTheUsersFilesIsNamed(t *testing.T) {
	t.Parallel()
	b := newBench(t, twoTasks, func(_ context.Context, b *bench) (executor.Result, error) {
		b.tick(1)
		b.repo.Commit("feat: everything there is")
		return executor.Result{}, nil
	}, does(2))
	b.repo.Write("README", "mine\n")
	b.site.UserDirty = []string{"README"}
	report, err := b.run()
	require.NoError(t, err)
	assert.Equal(t, []string{"README"}, report.Swept)
	assert.Contains(t, b.notes(event.Warn), "your changes of README")
}

func TestTouchedFilesAreAStall(t *testing.T) {
	t.Parallel()
	b := newBench(t, twoTasks, func(_ context.Context, b *bench) (executor.Result, error) {
		b.repo.Write("same", "bytes")
		return executor.Result{}, nil
	})
	_, err := b.run()
	require.ErrorAs(t, err, new(*phase.StallError))
	assert.Equal(t, 4, b.ran, "one that made it, three that changed nothing")
}

func TestNewEvidenceIsNoStall(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		command string
		stalls  bool
	}{
		{"echo the same; test -e ok", true},
		{"date +%s%N; test -e ok", false},
	} {
		b := newBench(t, twoTasks, func(_ context.Context, b *bench) (executor.Result, error) {
			if b.ran == 1 {
				b.tick(1)
			}
			return executor.Result{}, nil
		})
		b.commands, b.opts.Retries = []string{row.command}, 5
		_, err := b.run()
		if row.stalls {
			require.ErrorAs(t, err, new(*phase.StallError), row.command)
		} else {
			require.ErrorAs(t, err, new(*phase.TaskError), row.command)
		}
	}
}

func TestNestedRepositoryIsSetAside(t *testing.T) {
	t.Parallel()
	b := newBench(t, twoTasks, func(ctx context.Context, b *bench) (executor.Result, error) {
		vcstest.NewRepoAt(b.t, b.repo.Path("sub")).Write("inner", "x")
		return does(1)(ctx, b)
	}, does(2))
	report, err := b.run()
	require.NoError(t, err)
	assert.Equal(t, []string{"feat: one", "feat: two"}, b.log())
	assert.NotEmpty(t, report.Kept)
}

func TestEmptiedPlanIsNotFinished(t *testing.T) {
	t.Parallel()
	b := newBench(t, twoTasks, func(_ context.Context, b *bench) (executor.Result, error) {
		b.repo.Write("docs/plans/plan.md", "")
		return executor.Result{}, nil
	})
	_, err := b.run()
	var se *phase.SurpriseError
	require.ErrorAs(t, err, &se)
	assert.Contains(t, se.Way, "git restore")
}

func TestWhatTheGateMakesIsReportedNotCommitted(t *testing.T) {
	t.Parallel()
	b := newBench(t, twoTasks, does(1), does(2))
	b.commands = []string{"echo x > coverage.out"}
	_, err := b.run()
	require.NoError(t, err)
	assert.Equal(t, "?? coverage.out", b.repo.Status())
	assert.Contains(t, b.notes(event.Warn), "coverage.out")
}

func TestRefusingHookSendsTheTaskBack(t *testing.T) {
	t.Parallel()
	b := newBench(t, twoTasks, does(1), func(_ context.Context, b *bench) (executor.Result, error) {
		b.repo.Write("formatted", "")
		return executor.Result{}, nil
	}, does(2))
	b.repo.Hook("pre-commit", "test -e formatted || { echo run the formatter >&2; exit 1; }")
	_, err := b.run()
	require.NoError(t, err)
	assert.Contains(t, b.prompts[1].Failure, "run the formatter")
	assert.Equal(t, []string{"feat: one", "feat: two"}, b.log())
}

func TestItemsForAPerson(t *testing.T) {
	t.Parallel()
	b := newBench(t, "# P\n\n### Task 1: one\n- [ ] a\n- [~] look at it\n- [ ] (manual) ask Ann\n", does(1))
	report, err := b.run()
	require.NoError(t, err)
	assert.Equal(t, []string{"1 left"}, ends(b))
	require.Len(t, report.Left, 2)
	assert.Equal(t, phase.LeftItem{Position: 1, Box: 2, Line: 5, Task: "one", Text: "look at it"}, report.Left[0])
}

func TestBoxesThatTheExecutorLeaves(t *testing.T) {
	t.Parallel()
	b := newBench(t, twoTasks, func(_ context.Context, b *bench) (executor.Result, error) {
		b.tick(1, 1)
		return executor.Result{LeftBoxes: []int{2}}, nil
	}, does(2))
	report, err := b.run()
	require.NoError(t, err)
	assert.Equal(t, 2, b.ran)
	assert.Equal(t, []string{"1 left", "2 unproven"}, ends(b))
	require.Len(t, report.Left, 1)
	assert.Equal(t, "second", report.Left[0].Text)
}

func TestEditsOfThePlanAreNoticed(t *testing.T) {
	t.Parallel()
	const gated = twoTasks + "\n## Validation Commands\n- `true`\n"
	b := newBench(t, gated, func(ctx context.Context, b *bench) (executor.Result, error) {
		text := strings.Replace(b.repo.Read("docs/plans/plan.md"), "- [ ] third\n", "- [ ] something easier\n", 1)
		b.repo.Write("docs/plans/plan.md", strings.Replace(text, "`true`", "`true || exit 0`", 1))
		return does(1)(ctx, b)
	}, does(2))
	b.commands = []string{"true"}
	report, err := b.run()
	require.NoError(t, err)
	changes := strings.Join(report.PlanChanges, "\n")
	assert.Contains(t, changes, "`true || exit 0` was added during a session")
	assert.Contains(t, changes, "`true` was removed")
	assert.Contains(t, changes, `open box "third" vanished`)
}

func TestTaskPutInFrontKeepsWhatIsProven(t *testing.T) {
	t.Parallel()
	b := newBench(t, twoTasks, does(1), func(ctx context.Context, b *bench) (executor.Result, error) {
		b.repo.Write("docs/plans/plan.md", strings.Replace(b.repo.Read("docs/plans/plan.md"), "### Task 1", "### Task 0: zero\n- [ ] new\n\n### Task 1", 1))
		return executor.Result{}, nil
	}, does(1), does(3))
	_, err := b.run()
	require.NoError(t, err)
	assert.Equal(t, []string{"1 unproven", "1 unproven", "3 unproven"}, ends(b))
}

func TestReopenedTaskIsProvenAgain(t *testing.T) {
	t.Parallel()
	b := newBench(t, twoTasks, does(1), func(_ context.Context, b *bench) (executor.Result, error) {
		p, err := b.Load()
		require.NoError(t, err)
		require.NoError(t, p.SetBoxes(1, []int{1}, false))
		return executor.Result{}, nil
	}, does(1), does(2))
	_, err := b.run()
	require.NoError(t, err)
	assert.Equal(t, []string{"1 unproven", "1 unproven", "2 unproven"}, ends(b))
}

func TestHeadSurprises(t *testing.T) {
	t.Parallel()
	t.Run("another branch", func(t *testing.T) {
		b := newBench(t, twoTasks, func(_ context.Context, b *bench) (executor.Result, error) {
			b.repo.Git("switch", "-q", "-c", "elsewhere")
			return executor.Result{}, nil
		})
		_, err := b.run()
		var se *phase.SurpriseError
		require.ErrorAs(t, err, &se)
		assert.Contains(t, se.What, "left branch main")
		assert.Contains(t, se.What, "elsewhere")
	})
	t.Run("another branch that has no plan", func(t *testing.T) {
		b := newBench(t, twoTasks, func(_ context.Context, b *bench) (executor.Result, error) {
			b.repo.Git("switch", "-q", "--orphan", "elsewhere")
			return executor.Result{}, nil
		})
		_, err := b.run()
		var se *phase.SurpriseError
		require.ErrorAs(t, err, &se, "not only that the plan is gone")
		assert.Contains(t, se.What, "elsewhere")
	})
	t.Run("a finished task's commit dropped", func(t *testing.T) {
		b := newBench(t, twoTasks, does(1), func(ctx context.Context, b *bench) (executor.Result, error) {
			b.repo.Git("reset", "-q", "--hard", "HEAD~1")
			return does(2)(ctx, b)
		})
		_, err := b.run()
		var se *phase.SurpriseError
		require.ErrorAs(t, err, &se)
		assert.Contains(t, se.What, "rewrote history")
		assert.NotContains(t, ends(b), "2 done", "nothing is counted on top of lost work")
	})
	t.Run("what was proven before history was rewritten is in doubt", func(t *testing.T) {
		b := newBench(t, twoTasks, does(1), func(ctx context.Context, b *bench) (executor.Result, error) {
			b.repo.Git("commit", "-q", "--amend", "-m", "feat: mine now")
			return executor.Result{}, nil
		})
		_, err := b.run()
		require.ErrorAs(t, err, new(*phase.SurpriseError))
		assert.Equal(t, []string{"1 unproven", "1 failed"}, ends(b))
	})
	t.Run("a validation command that switches the branch", func(t *testing.T) {
		b := newBench(t, twoTasks, does(1))
		b.repo.Git("branch", "other")
		b.commands = []string{"test ! -e work1.txt || git switch -q other"}
		_, err := b.run()
		var se *phase.SurpriseError
		require.ErrorAs(t, err, &se)
		assert.Contains(t, se.What, "a validation command moved HEAD")
		assert.Empty(t, b.repo.Git("log", "--format=%s", "--grep=feat", "other"), "nothing is committed there")
	})
	t.Run("a hook that switches the branch", func(t *testing.T) {
		b := newBench(t, twoTasks, does(1))
		b.repo.Hook("post-commit", "git checkout -q -B elsewhere")
		_, err := b.run()
		var se *phase.SurpriseError
		require.ErrorAs(t, err, &se)
		assert.Contains(t, se.What, "a hook moved HEAD")
	})
	t.Run("somebody switches between validation and commit", func(t *testing.T) {
		b := manyFiles(t, deletes(40, func(b *bench) { // moved, so that a copy is taken and compared before the commit
			for i := range 40 {
				b.repo.Write(fmt.Sprintf("lib/%02d.go", i), strings.Repeat(fmt.Sprintf("line %d\n", i), 9))
			}
		}))
		b.repo.Git("branch", "other")
		b.keeper = switcher{b}
		_, err := b.run()
		var se *phase.SurpriseError
		require.ErrorAs(t, err, &se)
		assert.Contains(t, se.What, "HEAD is at other")
		assert.Contains(t, se.What, "not at main")
		assert.Contains(t, se.Hint(), "git switch main")
		assert.Empty(t, b.repo.Git("log", "--all", "--format=%s", "--grep=feat"), "nothing is committed anywhere")
	})
	for name, move := range map[string]string{"another branch": "checkout -q other", "another commit": "commit -q --allow-empty -m theirs"} {
		t.Run("somebody moves HEAD between our look and the write: "+name, func(t *testing.T) {
			b := newBench(t, twoTasks, does(1))
			b.repo.Git("branch", "other")
			start := b.repo.Head()
			b.tree = &overtaken{Repo: b.tree, move: func() { b.repo.Git(strings.Fields(move)...) }}
			_, err := b.run()
			var se *phase.SurpriseError
			require.ErrorAs(t, err, &se)
			now, err := b.tree.Head(t.Context())
			require.NoError(t, err)
			assert.Contains(t, se.What, fmt.Sprintf("at %s (%.10s)", now.Branch, now.Rev))
			assert.Contains(t, se.What, fmt.Sprintf("at main (%.10s)", start))
			assert.Empty(t, b.repo.Git("log", "--all", "--format=%s", "--grep=feat"), "nothing is committed anywhere")
			assert.NotContains(t, ends(b), "1 unproven", "and the task is not done")
			assert.NotEmpty(t, b.repo.Read("work1.txt"), "the work lies where it was written")
		})
	}
	t.Run("history rewritten below the start", func(t *testing.T) {
		b := newBench(t, twoTasks, func(_ context.Context, b *bench) (executor.Result, error) {
			b.repo.Git("commit", "-q", "--amend", "-m", "rewritten")
			return executor.Result{}, nil
		})
		_, err := b.run()
		require.ErrorAs(t, err, new(*phase.SurpriseError))
	})
}

// overtaken is a repository in which somebody is faster than a commit of ours.
type overtaken struct {
	vcs.Repo
	move func()
}

func (o *overtaken) Commit(ctx context.Context, r vcs.CommitRequest) (vcs.CommitResult, error) {
	o.move()
	return o.Repo.Commit(ctx, r)
}

func TestBreak(t *testing.T) {
	t.Parallel()
	waits := func(ctx context.Context, b *bench) (executor.Result, error) {
		<-ctx.Done()
		return executor.Result{}, context.Cause(ctx)
	}
	for _, resume := range []bool{true, false} {
		t.Run(fmt.Sprintf("resume=%v", resume), func(t *testing.T) {
			brk := make(chan struct{}, 1)
			brk <- struct{}{} // pressed before any session: must not kill the first one
			b := newBench(t, twoTasks, func(ctx context.Context, b *bench) (executor.Result, error) {
				brk <- struct{}{}
				return waits(ctx, b)
			}, does(1), does(2))
			b.deps.SetBreak(brk)
			b.deps.SetPause(func(context.Context) bool { return resume })
			_, err := b.run()
			if !resume {
				require.ErrorIs(t, err, phase.ErrAborted)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, 3, b.ran)
			assert.Equal(t, 1, b.prompts[1].Attempt, "a break is no failed attempt")
		})
	}
}

func TestInterruptEndsWithItsCause(t *testing.T) {
	t.Parallel()
	stop := errors.New("interrupted")
	ctx, cancel := context.WithCancelCause(t.Context())
	b := newBench(t, twoTasks, func(ctx context.Context, b *bench) (executor.Result, error) {
		b.tick(1)
		cancel(stop)
		return executor.Result{}, nil
	})
	_, err := b.phase(phase.TaskParts{}).Run(ctx)
	require.ErrorIs(t, err, stop)
	assert.Empty(t, ends(b), "a claim that no gate has proven is not recorded as done")
}

func TestResumeProvesWhatTheDeadSessionTicked(t *testing.T) {
	t.Parallel()
	const oneTicked = "# Plan\n\n### Task 1: one\n- [x] first\n- [x] second\n\n### Task 2: two\n- [ ] third\n"
	for _, green := range []bool{true, false} {
		t.Run(fmt.Sprintf("green=%v", green), func(t *testing.T) {
			b := newBench(t, oneTicked, does(1), does(2))
			b.repo.Write("half.txt", "left by the dead session\n")
			b.opts.Resume = phase.Resume{Active: true}
			b.commands = []string{"true"}
			if !green {
				b.commands = []string{"test -e work1.txt"}
			}
			_, err := b.run()
			require.NoError(t, err)
			if green {
				assert.Equal(t, 2, b.prompts[0].Position, "the finished task is not done again")
			} else {
				assert.Equal(t, 1, b.prompts[0].Position, "a claim that is red goes back to the agent")
			}
			assert.Equal(t, []string{"feat: one", "feat: two"}, b.log())
			assert.Empty(t, b.repo.Status())
		})
	}
}

func TestIterationsAreBounded(t *testing.T) {
	t.Parallel()
	n := 0
	b := newBench(t, twoTasks, func(_ context.Context, b *bench) (executor.Result, error) {
		n++
		b.repo.Write("draft", strings.Repeat("x", n))
		return executor.Result{}, nil
	})
	b.opts.MaxIterations = 4
	_, err := b.run()
	var ie *phase.IterationsError
	require.ErrorAs(t, err, &ie)
	assert.Equal(t, 4, b.ran)
}

func TestVanishedPlanIsNotFinished(t *testing.T) {
	t.Parallel()
	b := newBench(t, twoTasks, func(_ context.Context, b *bench) (executor.Result, error) {
		require.NoError(t, os.Remove(filepath.Join(b.repo.Dir, "docs/plans/plan.md")))
		return executor.Result{}, nil
	})
	_, err := b.run()
	require.ErrorIs(t, err, os.ErrNotExist)
}
