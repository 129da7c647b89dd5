package cli

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"ralphex/internal/ralph/planimport"
	"ralphex/internal/ralph/task"
	"ralphex/pkg/event"
	"ralphex/pkg/plan"
	"ralphex/pkg/processor/phase"
)

// projectFor is how long a projection may take: the run may be ending, and has no other clock then.
const projectFor = time.Minute

// project makes the tasks of the store follow the plan, with `record = full`. The plan is what counts: what somebody else made of its tasks
// meanwhile is overruled, and told; what can't be written is told, and tried again the next time.
func (c *recording) project() {
	if c.level != recordFull || !c.run.hasPlan() {
		return
	}
	at, err := plan.Locate(c.run.planAt)
	if err != nil {
		c.warn("tasks", err)
		return
	}
	now := c.seen(at) // before it is read: who changes the plan meanwhile is seen the next time
	if c.follows(now) {
		return
	}
	p, err := plan.ParsePlanFile(at)
	if err != nil {
		c.warn("tasks", err)
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), projectFor)
	defer cancel()
	var done *planimport.Result
	c.try(ctx, "its plan is not brought into tasks.json", task.LockPath(c.store.Tasks), func() (err error) {
		tasks := c.taskStore()
		if _, err := tasks.Make(ctx); err != nil {
			return err
		}
		done, err = planimport.Import(ctx, tasks, p, planimport.Options{
			Path:   filepath.ToSlash(relative(c.run.repo.Root(), at)),
			Proven: func(t plan.Task) bool { return c.proven[phase.Key(t)] },
		})
		return err
	})
	if done == nil {
		return
	}
	for _, w := range done.Warnings {
		if !c.said[w] {
			c.said[w] = true
			c.note(event.Warn, "tasks.json: "+w, "")
		}
	}
	c.mu.Lock()
	c.tasks = done.Children
	c.mu.Unlock()
	now.tasks = c.seen(at).tasks
	c.last = now
}

// sight is what a projection was made of and what it made, as the file system tells them apart, and how many tasks were proven.
type sight struct {
	path        string
	plan, tasks fs.FileInfo
	proven      int
}

func (c *recording) seen(at string) sight {
	s := sight{path: at, proven: len(c.proven)}
	s.plan, _ = os.Stat(at)
	s.tasks, _ = os.Stat(c.store.Tasks)
	return s
}

// follows tells whether the projection follows the plan already: neither file is another one than after the last projection.
func (c *recording) follows(now sight) bool {
	same := func(a, b fs.FileInfo) bool {
		return a != nil && b != nil && os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
	}
	return now.path == c.last.path && now.proven == c.last.proven && same(now.plan, c.last.plan) && same(now.tasks, c.last.tasks)
}

// taskID is the id in tasks.json of a task of the plan; without a projection it is the plan's own.
func (c *recording) taskID(position int, id string) string {
	if t := c.projected(position, id); t != "" {
		return t
	}
	return id
}

// projected is the id in tasks.json of a task of the plan, "" if it has none there.
func (c *recording) projected(position int, id string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if position >= 1 && position <= len(c.tasks) && c.tasks[position-1].PlanID == id {
		return c.tasks[position-1].TaskID
	}
	for _, t := range c.tasks { // the plan was edited since
		if t.PlanID == id {
			return t.TaskID
		}
	}
	return ""
}

// ended records that a task has come to its end, and lets go of it.
func (c *recording) ended(position int, end event.TaskEnd) {
	if c.level != recordFull {
		return
	}
	key := phase.Key(plan.Task{ID: end.ID, Title: end.Title})
	if end.Outcome == event.Failed || end.Outcome == event.Skipped {
		delete(c.proven, key)
	} else {
		c.proven[key] = true
	}
	c.project()
	if c.held != nil && c.held.task == c.projected(position, end.ID) {
		c.release()
	}
}
