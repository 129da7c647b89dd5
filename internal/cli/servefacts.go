package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ralphex/internal/durable"
	"ralphex/internal/journal"
	"ralphex/internal/price"
	"ralphex/internal/web"
	runview "ralphex/internal/web/view"
	"ralphex/internal/workspace"
	"ralphex/pkg/event"
	"ralphex/pkg/vcs"
)

// pageFacts is what a dashboard can know of a run beside its log. It only looks, and takes no lock. What a journal names is not believed: a journal or
// a text log may come from anywhere, so a file is read only where it lies below the repository in which the log was found, or in one of the
// repository's own worktrees.
type pageFacts struct {
	p      *Proc
	prices price.List
	busy   chan struct{} // a token for each call that asks a repository
}

// How much a dashboard asks of repositories.
const (
	factTime = 30 * time.Second
	factsAt  = 2 // at once
)

var _ web.Facts = (*pageFacts)(nil)

func newFacts(p *Proc, prices price.List) *pageFacts {
	return &pageFacts{p: p, prices: prices, busy: make(chan struct{}, factsAt)}
}

// begin waits until a repository may be asked, and bounds how long.
func (f *pageFacts) begin(ctx context.Context) (within context.Context, end func(), err error) {
	select {
	case f.busy <- struct{}{}:
	case <-ctx.Done():
		return nil, nil, context.Cause(ctx)
	}
	within, cancel := context.WithTimeoutCause(ctx, factTime, fmt.Errorf("the repository gave no answer within %s", factTime))
	return within, func() { cancel(); <-f.busy }, nil
}

// errTextLog is the answer where a text log can tell nothing.
func errTextLog(what string) error {
	return &web.Refusal{Status: 404, Code: "not_found", Message: "this run is known by its text log only, which has no " + what,
		Next: "runs of this ralphex have a journal below .ralph/events"}
}

// fold reads all of a run but its output.
func fold(run runview.Run) (runview.Detail, error) {
	s := runview.NewState(runview.Meta{ID: run.ID, Source: run.Source, Root: run.Root, Path: run.Path})
	for e, err := range journal.Events(run.Path, event.Output{}.Kind()) {
		if err != nil {
			return runview.Detail{}, err
		}
		s.Apply(e)
	}
	return s.Detail(time.Now(), runview.Unknown), nil
}

// place opens the folder in which the run works or worked: its worktree, if that is one of the repository's, and there; else the checkout.
func (f *pageFacts) place(ctx context.Context, run runview.Run) (repo vcs.Repo, err error) {
	repo, err = openRepo(ctx, f.p.at(run.Root))
	if errors.Is(err, vcs.ErrNotRepo) {
		return nil, web.NotFound("%s is no repository any more", run.Root)
	}
	if err != nil || run.Worktree == "" {
		return repo, err
	}
	trees, err := workspace.Trees(repo)
	if err != nil {
		return repo, nil // it has none, whatever the log says
	}
	list, err := trees.Worktrees(ctx)
	if err != nil {
		return nil, err
	}
	if listed(list, run.Worktree) {
		return openRepo(ctx, f.p.at(workspace.Settled(run.Worktree)))
	}
	return repo, nil
}

// Receipts is what `ralphex receipt --all --json` prints of the run.
func (f *pageFacts) Receipts(_ context.Context, run runview.Run) (json.RawMessage, error) {
	if run.Source != runview.Journal {
		return nil, errTextLog("receipts")
	}
	start, err := startOf(run.Path)
	if err != nil {
		return nil, err
	}
	r, err := receiptsOf(run.Root, journal.Summary{Run: run.Run, Path: run.Path, Start: start}, false, f.prices)
	if err != nil {
		return nil, err
	}
	return json.Marshal(r)
}

// startOf reads the beginning of a journal.
func startOf(path string) (event.RunStart, error) {
	for e, err := range journal.Events(path, event.Output{}.Kind()) {
		if err != nil {
			return event.RunStart{}, err
		}
		if start, ok := e.Data.(event.RunStart); ok {
			return start, nil
		}
	}
	return event.RunStart{}, web.NotFound("the run has not begun yet")
}

// Cost is what the run used up, as `ralphex cost` says it, and its budget with what was added.
func (f *pageFacts) Cost(_ context.Context, d runview.Detail) (web.Cost, error) {
	c := web.Cost{Tasks: []web.CostTask{}, Phases: d.Phases, Models: d.Models, Points: d.Spend, Budget: d.Budget}
	if c.Budget != nil && d.Source == runview.Journal {
		more, err := added(filepath.Join(d.Root, storeDir, "runs", strings.TrimSuffix(filepath.Base(d.Path), ".jsonl")))
		if err != nil {
			return c, err
		}
		c.Budget = &event.Budget{Run: c.Budget.Run.Plus(more), Task: c.Budget.Task}
	}
	c.Total = runview.CostRow{Name: "total", Sessions: d.Sessions, Usage: d.Usage, ListUSD: d.ListUSD, Unpriced: d.Unpriced}
	titles := map[int]string{}
	for _, t := range d.TaskList {
		titles[t.Pos] = t.Title
	}
	for _, s := range d.SessionList {
		c.Total.Elapsed += s.Elapsed
		i := slices.IndexFunc(c.Tasks, func(t web.CostTask) bool { return t.Pos == s.Task })
		if i < 0 {
			i = len(c.Tasks)
			c.Tasks = append(c.Tasks, web.CostTask{CostRow: runview.CostRow{Name: titles[s.Task]}, Pos: s.Task})
		}
		t := &c.Tasks[i].CostRow
		t.Sessions++
		t.Elapsed += s.Elapsed
		t.Usage = t.Usage.Add(s.Usage)
		t.ListUSD = event.SumUSD(t.ListUSD, s.ListUSD)
		if !s.Priced && s.Usage.Tokens() > 0 {
			t.Unpriced++
		}
	}
	return c, nil
}

// Gate is what a command of a gate said, as it was kept; of several, one after the other.
func (f *pageFacts) Gate(_ context.Context, run runview.Run, seq int64, command int) (io.ReadCloser, error) {
	if run.Source != runview.Journal {
		return nil, errTextLog("output of validation commands")
	}
	commands, err := gateAt(run.Path, seq)
	if err != nil {
		return nil, err
	}
	if command > len(commands) {
		return nil, web.NotFound("that gate has run %d %s", len(commands), plural(len(commands), "command", "commands"))
	}
	if command > 0 {
		return outputOf(run.Root, commands[command-1])
	}
	var all outputs
	for i, c := range commands {
		one, err := outputOf(run.Root, c)
		if err != nil {
			_ = all.Close()
			return nil, err
		}
		all.add(strings.Repeat("\n", min(i, 1))+"$ "+c.Command+"\n", one)
	}
	return &all, nil
}

// gateAt finds the commands of the gate that began with the event seq.
func gateAt(path string, seq int64) (commands []event.GateCommand, err error) {
	found := false
	for e, err := range journal.Events(path, event.Output{}.Kind()) {
		if err != nil {
			return nil, err
		}
		if e.Seq < seq {
			continue
		}
		switch d := e.Data.(type) {
		case event.GateStart:
			if found {
				return commands, nil
			}
			found = e.Seq == seq
		case event.GateCommand:
			if found = found || e.Seq == seq; found {
				commands = append(commands, d)
			}
		case event.GateEnd, event.RunRestart, event.RunEnd:
			if found {
				return commands, nil
			}
		}
		if e.Seq >= seq && !found {
			break
		}
	}
	if !found {
		return nil, web.NotFound("no gate of this run began with event %d", seq)
	}
	return commands, nil
}

// outputOf opens what a command said. It lies in the store of the checkout, wherever the journal says: a repository may have been moved since. What is not
// the text that was judged says so in its first line.
func outputOf(root string, c event.GateCommand) (io.ReadCloser, error) {
	if c.OutputFile == "" {
		return text(c.Tail), nil // it said nothing, or nothing was to be kept
	}
	name, ok := belowStore(c.OutputFile)
	if !ok {
		return nil, web.NotFound("the output of %s is said to be in %s, which is no place for it", oneLineOf(c.Command), c.OutputFile)
	}
	store, err := os.OpenRoot(filepath.Join(root, storeDir))
	if err != nil {
		return nil, err
	}
	defer store.Close()
	data, err := durable.ReadIn(store, name, maxKept)
	if err != nil {
		return nil, &web.Refusal{Status: 404, Code: "not_found", Message: fmt.Sprintf("the output of %s can't be read: %v", oneLineOf(c.Command), err),
			Next: "old evidence is cleared away by ralphex cleanup; the journal has its hash"}
	}
	if sum := sha256.Sum256(data); c.OutputHash != "" && hex.EncodeToString(sum[:]) != c.OutputHash && len(data) <= wholeOutput {
		return text("[this is not the output that was judged: the file was changed since]\n" + string(data)), nil
	}
	return text(string(data)), nil
}

// maxKept bounds an output that is shown: what a gate keeps, and a little more.
const maxKept = wholeOutput + 1<<20

// listed tells whether a folder is one of the working trees.
func listed(trees []vcs.Worktree, dir string) bool {
	at := workspace.Settled(dir)
	return slices.ContainsFunc(trees, func(t vcs.Worktree) bool { return !t.Missing && !t.Bare && workspace.Settled(t.Dir) == at })
}
