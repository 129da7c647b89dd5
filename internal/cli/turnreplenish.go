package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"ralphex/internal/durable"
	"ralphex/internal/ralph/artifact"
	"ralphex/internal/ralph/events"
	"ralphex/internal/ralph/iteration"
	"ralphex/internal/ralph/provenance"
	"ralphex/internal/ralph/settings"
	"ralphex/internal/ralph/task"
)

// proposalFile is the file of the iteration's folder into which a session writes the tasks that it proposes.
const proposalFile = "proposed-tasks.json"

// maxProposal bounds it, in bytes.
const maxProposal = 4 << 20

// replenish does an iteration without a task: the agent is asked for further ones. Nothing is claimed. A graph that contradicts itself gets no further than its
// preflight.
func (o *oneTurn) replenish(ctx context.Context) (turned, error) {
	return o.unselected(ctx, "no task is left", func(session *provenance.Session) (turned, error) {
		o.hook(ctx, settings.BeforeIteration, "", "")
		return o.harmed(o.execute(ctx, ctx, session))
	})
}

// proposal is where the session of a replenishment writes.
func (o *oneTurn) proposal() string { return filepath.Join(o.s.Iteration(o.n).Dir, proposalFile) }

// finishReplenishment adds what the session proposed, under the lock, and records the iteration.
func (e *ending) finishReplenishment(ctx context.Context, session *provenance.Session) (turned, error) {
	changed := e.before.changed(e.after)
	added := e.addProposed(ctx)
	e.readGraph(ctx)
	if !added && e.graphErr == "" {
		e.exhausted = e.graph.Counts().Remaining() == 0
	}
	why := "No task was selected."
	e.verdicts = []artifact.Verifier{iteration.NotVerified(artifact.ValidationCommand, why), iteration.NotVerified(artifact.GitDiff, why),
		iteration.VerifyState(e.on(artifact.TaskState), nil, nil, e.graphErr, added || len(changed) > 0)}
	for _, v := range e.verdicts {
		e.tell(events.VerifierResult{Verifier: v.Name, Status: v.Status, Iteration: &e.n})
	}
	e.judgement = iteration.Judge(iteration.Parsed{}, iteration.Terms{Kind: e.kind})
	e.doubt(ctx)
	e.compare(changed)
	e.phase("verificationFinishedAt")
	return e.record(ctx, session, len(changed) > 0)
}

// addProposed adds the tasks of the session's proposal. A tasks.json that the session changed itself is told of, and read again as anybody's change.
func (e *ending) addProposed(ctx context.Context) bool {
	warn := func(format string, args ...any) { e.warnings = append(e.warnings, fmt.Sprintf(format, args...)) }
	file := e.s.Rel(e.s.Tasks)
	if e.before.texts[file] != e.after.texts[file] {
		warn("%s was changed by the session, though it was asked to propose: it was read again, and is not taken for right by itself.", file)
		if _, _, err := e.tasks.Migrate(ctx); err != nil {
			warn("%s: %v", file, err)
		}
	}
	if e.execution != iteration.Succeeded {
		return false
	}
	data, err := durable.ReadFile(e.proposal(), maxProposal)
	if errors.Is(err, fs.ErrNotExist) {
		warn("The session proposed no task: %s is not there.", e.s.Rel(e.proposal()))
		return false
	}
	if err == nil {
		text := e.safe.redactor.String(string(data))
		e.kept = append(e.kept, provenance.File{Path: e.proposal(), Data: []byte(text)})
		var s *task.Seeded
		if s, err = e.tasks.Propose(ctx, text); err == nil {
			for _, w := range s.Warnings {
				warn("%s", w)
			}
			for _, id := range s.IDs {
				e.tell(events.TaskStateChanged{TaskID: id, To: string(task.Todo), Reason: "replenishment"})
			}
			fmt.Fprintf(e.p.Err, "added: %s\n", task.Plain(strings.Join(s.IDs, ", ")))
			return true
		}
	}
	warn("No task was added: %s.", strings.TrimRight(err.Error(), "."))
	return false
}

// noTask is task-state.json of an iteration without a task.
func (e *ending) noTask() *artifact.State {
	tasks, progress := e.s.Rel(e.s.Tasks), e.s.Rel(e.s.Progress)
	return &artifact.State{FileError: e.graphErr, ProgressChanged: e.before.texts[progress] != e.after.texts[progress], FileDiff: e.before.texts[tasks] != e.after.texts[tasks]}
}
