package task

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ralphex/internal/durable"
	"ralphex/internal/ralph/stable"
)

// SeedDir is the folder of the seeding evidence below the artifacts.
const SeedDir = "task-seeding"

// manySeeds is how many tasks of one request are still believed to be small ones.
const manySeeds = 8

// Seeding is a request for a feature that becomes flat tasks of the backlog.
type Seeding struct {
	Request  string // what the person wrote
	Provider SeedProvider
	Launch   SeedLaunch
	// Ask lets the provider answer; it runs before any lock is taken.
	Ask func(ctx context.Context, prompt string) (response string, err error)
	// Redact takes secrets out of texts that are kept; nil keeps them as they are.
	Redact func(string) string
	Now    time.Time
	// Artifacts is the artifacts folder; the evidence lies in SeedDir below it.
	Artifacts string
}

// SeedProvider is who answered.
type SeedProvider struct{ ID, CommandPath, Model string }

// SeedLaunch is how the provider was started.
type SeedLaunch struct {
	Dir   string
	Args  []string
	Shell bool
}

// Seeded is what a seeding did.
type Seeded struct {
	*Change
	Evidence string   `json:"evidence"` // path of the evidence file
	IDs      []string `json:"ids"`      // of the new tasks, in their order
}

// ErrNoSeeds says that a response holds no tasks.
var ErrNoSeeds = errors.New(`the response has no fenced json block with an object whose "tasks" are objects with "id" and "title"`)

// Seed asks for tasks and appends them, all top-level and todo (seedTasksFromRequest). The evidence is written when the response is
// there and before it is read, and again with what was made of it before the tasks are appended; so nothing is in the backlog whose
// source is not on disk. Ids that are blank or taken become free ones, and dependencies follow. Warnings stop nothing.
func (s Store) Seed(ctx context.Context, o Seeding) (*Seeded, error) {
	in, err := s.Read(ctx)
	if err != nil {
		return nil, err
	}
	if in.Blank {
		return nil, &BlankError{Path: s.Path}
	}
	if err := in.Err(s.Path); err != nil {
		return nil, err
	}
	response, err := o.Ask(ctx, SeedPrompt(o.Request, in.File))
	if err != nil {
		return nil, fmt.Errorf("seed tasks: %w", err)
	}
	out := &Seeded{Evidence: filepath.Join(o.Artifacts, SeedDir, "task-seeding-"+strings.NewReplacer(":", "-", ".", "-").Replace(stable.Time(o.Now))+".json")}
	if err := o.keep(out.Evidence, response, nil, nil); err != nil {
		return nil, err
	}
	items, err := seedItems(response)
	if err != nil {
		return nil, fmt.Errorf("seed tasks: %w (evidence: %s)", err, out.Evidence)
	}
	err = out.append(ctx, s, items, func(tasks []Task, warnings []string) error { return o.keep(out.Evidence, response, tasks, warnings) })
	if err != nil {
		return nil, fmt.Errorf("seed tasks: %w (evidence: %s)", err, out.Evidence)
	}
	return out, nil
}

// Propose appends the tasks of a text, as Seed does with those of a response; what is wrong with one of them, or with the graph that they would make, adds none.
// The text is its own evidence.
func (s Store) Propose(ctx context.Context, text string) (*Seeded, error) {
	items, err := seedItems(text)
	if err != nil {
		return nil, err
	}
	out := &Seeded{}
	return out, out.append(ctx, s, items, func([]Task, []string) error { return nil })
}

// append adds the tasks under the lock. keep is called with them before the write.
func (out *Seeded) append(ctx context.Context, s Store, items []*Draft, keep func([]Task, []string) error) error {
	var notes []string
	var err error
	out.Change, err = s.Update(ctx, func(f *File) error {
		g := NewGraph(f.Tasks)
		drafts, warnings := remapSeeds(items, func(id string) bool { _, ok := g.index(id); return ok })
		notes = warnings
		tasks, err := normalizeAll(drafts)
		if err != nil {
			return err
		}
		out.IDs = nil
		for _, t := range tasks {
			out.IDs = append(out.IDs, t.ID)
		}
		f.Tasks = append(f.Tasks, tasks...)
		return keep(tasks, warnings)
	})
	if err == nil {
		out.Change.with(notes)
	}
	return err
}

// keep writes the evidence.
func (o *Seeding) keep(path, response string, tasks []Task, warnings []string) error {
	redact := o.Redact
	if redact == nil {
		redact = func(s string) string { return s }
	}
	e := new(stable.Object)
	e.Set("schemaVersion", 1)
	e.Set("kind", "taskSeeding")
	e.Set("createdAt", stable.Time(o.Now))
	e.Set("sourceRequest", redact(o.Request))
	e.Set("provider", stable.NewObject("id", o.Provider.ID, "commandPath", o.Provider.CommandPath, "model", o.Provider.Model))
	args := make([]string, len(o.Launch.Args))
	for i, a := range o.Launch.Args {
		args[i] = redact(a)
	}
	e.Set("launchMetadata", stable.NewObject("cwd", o.Launch.Dir, "args", args, "shell", o.Launch.Shell))
	drafts := []any{}
	for i := range tasks {
		drafts = append(drafts, &tasks[i])
	}
	e.Set("taskDrafts", drafts)
	e.Set("warnings", append([]string{}, warnings...))
	e.Set("responseText", redact(response))
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		return fmt.Errorf("keep evidence: %w", err)
	}
	if err := durable.WriteFile(path, stable.Marshal(e), 0o640); err != nil {
		return fmt.Errorf("keep evidence: %w", err)
	}
	return nil
}

// seedItems reads the tasks of a response.
func seedItems(response string) ([]*Draft, error) {
	o := lastObject(response)
	if o == nil {
		return nil, ErrNoSeeds
	}
	v, _ := o.Get("tasks")
	list, ok := v.(*stable.Array)
	if !ok || len(list.Items) == 0 {
		return nil, ErrNoSeeds
	}
	var out []*Draft
	for i, item := range list.Items {
		d, ok := item.(*stable.Object)
		if !ok {
			return nil, fmt.Errorf("task %d of the response must be an object: %w", i+1, ErrNoSeeds)
		}
		_, hasID := d.String("id")
		title, hasTitle := d.String("title")
		if !hasID || !hasTitle || stable.Trim(title) == "" {
			return nil, fmt.Errorf(`task %d of the response must have strings "id" and "title": %w`, i+1, ErrNoSeeds)
		}
		out = append(out, d)
	}
	return out, nil
}

// remapSeeds makes drafts flat and todo, gives them ids that are free, and lets dependencies inside the batch follow the first new id of
// the old one.
func remapSeeds(items []*Draft, taken func(string) bool) (drafts []*Draft, warnings []string) {
	used := map[string]bool{}
	kept := map[string]bool{} // ids that a draft of the batch could keep
	moved := map[string]string{}
	busy := func(id string) bool { return used[id] || taken(id) }
	for i, item := range items {
		d := item.Clone()
		id := text(d, "id")
		if id == "" || busy(id) {
			fresh := FreeID(busy)
			used[fresh] = true
			if _, before := moved[id]; !before && id != "" {
				moved[id] = fresh
			}
			warnings = append(warnings, fmt.Sprintf("task %d: the id %q is blank or taken; it is %s now", i+1, id, fresh))
			d.Set("id", fresh)
		} else {
			used[id], kept[id] = true, true
		}
		if _, ok := d.Get("parentId"); ok {
			warnings = append(warnings, fmt.Sprintf("task %d: seeded tasks are flat; its parent was left out", i+1))
			d.Delete("parentId")
		}
		d.Set("status", string(Todo))
		drafts = append(drafts, d)
	}
	if len(drafts) > manySeeds {
		warnings = append(warnings, fmt.Sprintf("%d tasks from one request: look whether each is a task of its own", len(drafts)))
	}
	for _, d := range drafts {
		correct(d)
		flatten(d)
		if _, ok := d.Get("dependsOn"); !ok {
			continue
		}
		deps := texts(d, "dependsOn")
		for i, on := range deps {
			if to, ok := moved[on]; ok && !kept[on] && to != text(d, "id") {
				deps[i] = to
			}
		}
		d.Set("dependsOn", array(deps))
	}
	return drafts, warnings
}

// SeedPrompt asks for the tasks of a request.
func SeedPrompt(request string, f *File) string {
	var b strings.Builder
	b.WriteString("Propose tasks for the backlog of this repository that together fulfil the request below. Change no file.\n\n# Request\n\n")
	b.WriteString(strings.TrimSpace(request))
	b.WriteString("\n\n# What makes a task\n\n" + TaskRules + "\n# Tasks that are there already\n\n")
	const shown = 50
	open := 0
	for i := range f.Tasks {
		if t := &f.Tasks[i]; t.Status != Done {
			if open++; open <= shown {
				fmt.Fprintf(&b, "- %s (%s) %s\n", t.ID, t.Status, t.Title)
			}
		}
	}
	switch {
	case open == 0:
		b.WriteString("None is open.\n")
	case open > shown:
		fmt.Fprintf(&b, "- and %d more\n", open-shown)
	}
	b.WriteString("\n# Answer\n\nEnd with one fenced json block and nothing behind it:\n\n```json\n" +
		`{"tasks": [{"id": "T1", "title": "…", "notes": "…", "validation": "one command line", "acceptance": ["…"], "constraints": ["…"], "context": ["path"], "tier": "simple", "dependsOn": []}]}` +
		"\n```\n")
	return b.String()
}

// TaskRules is what producers ask for. It is advice: tasks that follow it badly are written all the same.
const TaskRules = `- It is one step that can be finished and checked by itself; no epic, nothing vague.
- It has acceptance criteria, and a validation command if one can be known.
- It names constraints, and depends on what must be done before it.
- It has all that is known about it, and nothing that is made up: complete when the source is complete.
`
