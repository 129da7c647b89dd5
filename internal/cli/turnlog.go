package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"ralphex/internal/journal"
	"ralphex/internal/ralph/task"
	"ralphex/pkg/event"
	"ralphex/pkg/executor"
	"ralphex/pkg/processor"
	"ralphex/pkg/vcs"
)

// The modes of a run that works off the task graph, as its journal has them: the verbs.
const (
	modeIterate = "iterate"
	modeLoop    = "loop"
)

// takesTurns tells whether a run works off the task graph of the workspace.
func takesTurns(s event.RunStart) bool { return s.Mode == modeIterate || s.Mode == modeLoop }

// turnLog is the journal of one call of iterate or loop, of the kind that plan runs have. Status, cost and receipts read it, and the next run in the
// checkout learns from it which agent may have outlived a kill. It begins with the first iteration: a call that finds nothing to do leaves none.
type turnLog struct {
	root  string // of the workspace
	bus   *event.Bus
	w     *journal.Writer // nil = it has not begun
	clean func(event.Data) event.Data
	tell  func(warning string)

	began    time.Time
	sessions int
	usage    event.Usage
	tasks    map[string]*turnTask // by id
	reason   string               // why there are no more turns
}

// turnTask is what the call did about a task so far.
type turnTask struct {
	position int // within the call: in the order in which they were begun
	attempts int
	began    time.Time // of the attempt
	elapsed  time.Duration
}

func newTurnLog(root string, clean func(event.Data) event.Data, tell func(string)) *turnLog {
	now := time.Now()
	return &turnLog{root: root, bus: event.NewBus(journal.NewRunID(now), 0, nil), clean: clean, tell: tell, began: now, tasks: map[string]*turnTask{}}
}

// begin opens the journal, if that was not done yet.
func (l *turnLog) begin(start event.RunStart) error {
	if l.w != nil {
		return nil
	}
	w, err := journal.Open(filepath.Join(l.root, storeDir, "events"), l.bus.Run())
	if err != nil {
		return err
	}
	l.w = w
	l.bus.Attach("journal", w)
	l.bus.Attach("terminal", event.SinkFunc(func(e event.Event) error {
		if n, ok := e.Data.(event.Note); ok {
			l.tell(n.Text)
		}
		return nil
	}))
	start.PID, start.Version = os.Getpid(), versionString()
	start.Host, _ = os.Hostname()
	l.bus.Emit(event.PhaseNone, 0, start)
	return nil
}

// at is what is known of a task.
func (l *turnLog) at(task string) *turnTask {
	t := l.tasks[task]
	if t == nil {
		t = &turnTask{position: len(l.tasks) + 1}
		l.tasks[task] = t
	}
	return t
}

// emit journals a fact about a task; empty = about none.
func (l *turnLog) emit(task string, d event.Data) {
	if l.w == nil {
		return
	}
	if task == "" {
		l.bus.Emit(event.PhaseNone, 0, l.clean(d))
		return
	}
	l.bus.Emit(event.PhaseTask, l.at(task).position, l.clean(d))
}

// taskBegins journals an attempt at a task.
func (l *turnLog) taskBegins(d event.TaskStart) {
	t := l.at(d.ID)
	t.attempts++
	t.began = time.Now()
	d.Attempt = t.attempts
	l.emit(d.ID, d)
}

// attemptEnds adds up the time of an attempt.
func (l *turnLog) attemptEnds(task string) {
	if t := l.at(task); !t.began.IsZero() {
		t.elapsed += time.Since(t.began)
		t.began = time.Time{}
	}
}

// taskEnds journals that no attempt at the task follows.
func (l *turnLog) taskEnds(d event.TaskEnd) {
	t := l.at(d.ID)
	d.Elapsed, d.Iterations = t.elapsed, t.attempts
	l.emit(d.ID, d)
}

// sessionEnds journals the end of a session.
func (l *turnLog) sessionEnds(task string, d event.SessionEnd) {
	l.usage = l.usage.Add(d.Usage)
	l.emit(task, d)
}

// close journals how the call ended, which err tells, and ends the journal.
func (l *turnLog) close(err error) {
	if l.w == nil {
		return
	}
	end := event.RunEnd{Exit: exitCode(err), Reason: l.reason, Elapsed: time.Since(l.began), Usage: l.usage}
	switch end.Exit {
	case exitDone:
		end.Outcome = event.Done
	case exitLeft:
		end.Outcome = event.LeftHuman
	case exitInterrupted, exitTerminated:
		end.Outcome = event.Interrupted
	default:
		end.Outcome = event.Failed
	}
	if end.Reason == "" && err != nil {
		end.Reason = err.Error()
	}
	l.emit("", end)
	if err := l.w.Close(); err != nil {
		l.tell(fmt.Sprintf("journal: %v", err))
	}
}

// beginLog opens the journal with the first iteration, which tells what the run before has left.
func (t *turner) beginLog(ctx context.Context, o *oneTurn) error {
	head, err := t.s.repo.Head(ctx)
	if err != nil {
		return fmt.Errorf("read HEAD: %w", err)
	}
	if err := t.log.begin(event.RunStart{Mode: t.verb, Branch: string(head.Branch), Executor: t.ex.Name(), StartHead: string(head.Rev), Tasks: o.counts.Remaining(), Provenance: o.id}); err != nil {
		return err
	}
	for _, s := range t.strays {
		t.log.emit("", s)
	}
	t.strays = nil
	return nil
}

// started journals the process of the session, so that the next run finds it if this one is killed.
func (o *oneTurn) started(p executor.Process, before ground, prompt string) {
	o.argv = p.Argv
	o.log.sessions++
	sum := sha256.Sum256([]byte(prompt))
	o.log.emit(o.task.ID, event.SessionStart{N: o.log.sessions, Executor: o.ex.Name(), Argv: p.Argv, Model: o.cfg.TaskModel.Name, PID: p.PID, PIDStart: p.PIDStart, Mark: p.Mark,
		Head: string(before.head.Rev), PromptHash: hex.EncodeToString(sum[:]), Iteration: o.n, Evidence: o.id})
}

// over journals the end of the session, and the commits that it made itself.
func (o *oneTurn) over(ctx context.Context, res executor.Result, failed error, before, after ground) {
	if o.argv != nil {
		o.log.sessionEnds(o.task.ID, processor.SessionEnd(o.log.sessions, res, failed))
	}
	if before.head.Rev == after.head.Rev || after.head.Unborn {
		return
	}
	made, err := o.s.repo.Log(ctx, before.head.Rev, after.head.Rev, maxCommits)
	if err == nil {
		o.committed, err = vcs.Changed(ctx, o.s.repo, before.head.Rev, after.head.Rev)
	}
	if err != nil {
		o.warnings = append(o.warnings, "the session's commits: "+err.Error())
	}
	for i, c := range slices.Backward(made) {
		commit := event.Commit{Rev: string(c.Rev), Message: c.Subject, By: "agent"}
		if i == 0 {
			commit.Paths = o.committed[:min(len(o.committed), maxPaths)]
		}
		o.log.emit(o.task.ID, commit)
	}
}

// maxCommits and maxPaths are how many commits of one session are told, and how many of their files.
const (
	maxCommits = 100
	maxPaths   = 1000
)

// committed is the tree that the commit has, where all that the session left is committed; else "".
func (v ground) committed(ctx context.Context, repo vcs.Repo) string {
	if v.head.Unborn || len(v.tree) > 0 {
		return ""
	}
	tree, err := repo.TreeHash(ctx, v.head.Rev)
	if err != nil {
		return "" // what was judged has no name then
	}
	return tree
}

// logEnd journals that no further attempt at the task follows, if that is so.
func (e *ending) logEnd() {
	e.log.attemptEnds(e.task.ID)
	end := event.TaskEnd{ID: e.task.ID, Title: e.task.Title}
	switch {
	case e.now == nil:
		return
	case e.now.Status == task.Done && e.doubted:
		end.Outcome, end.Reason = event.Failed, "it stands as done, and nobody has proven it"
	case e.now.Status == task.Done && e.validation != nil:
		end.Outcome = event.Done
	case e.now.Status == task.Done:
		end.Outcome = event.Unproven
	case e.now.Status == task.Blocked:
		end.Outcome, end.Reason = event.Failed, "blocked: "+e.now.Blocker
	default:
		return
	}
	if e.tree != "" {
		end.Commit, end.TreeHash = string(e.after.head.Rev), e.tree
	}
	e.log.taskEnds(end)
}
