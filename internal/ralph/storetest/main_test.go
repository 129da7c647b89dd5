package storetest

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ralphex/internal/durable/durabletest"
	"ralphex/internal/ralph/claim"
	"ralphex/internal/ralph/lock"
	"ralphex/internal/ralph/state"
	"ralphex/internal/ralph/task"
)

const childEnv = "RALPHEX_STORETEST_CHILD"

// TestMain makes the test binary the child that its tests start.
func TestMain(m *testing.M) {
	if args := os.Getenv(childEnv); args != "" {
		if err := child(strings.Split(args, "\n")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// start prepares the child: "crash DIR OP N", "work DIR SEED ROUNDS", "forever DIR SEED".
func start(t testing.TB, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), self)
	cmd.Env = append(os.Environ(), childEnv+"="+strings.Join(args, "\n"))
	cmd.Stderr = os.Stderr
	return cmd
}

func child(args []string) error {
	w := at(args[1])
	n, err := strconv.Atoi(args[len(args)-1])
	if err != nil {
		return err
	}
	switch args[0] {
	case "crash":
		durabletest.KillBefore(n)
		return ops[args[2]](w)
	case "forever":
		random := rand.New(rand.NewPCG(uint64(n), 0))
		for i := 0; ; i++ {
			if err := w.round(random, fmt.Sprintf("f%d-%d", n, i)); err != nil {
				return err
			}
		}
	}
	seed, err := strconv.ParseUint(args[2], 10, 64)
	if err != nil {
		return err
	}
	var wg sync.WaitGroup
	errs := make(chan error, 3)
	for g := range cap(errs) {
		wg.Go(func() {
			random := rand.New(rand.NewPCG(seed, uint64(g)))
			for i := range n {
				if err := w.round(random, fmt.Sprintf("w%d.%d-%d", seed, g, i)); err != nil {
					errs <- err
					return
				}
			}
		})
	}
	wg.Wait()
	close(errs)
	return <-errs
}

// workspace is the store of a folder, with much patience.
type workspace struct {
	dir    string
	state  *state.Store
	claims *claim.Store
	short  *claim.Store // the same claims, stale at once
	tasks  task.Store
}

var patience = lock.Budget{Retries: 20_000, Delay: time.Millisecond}

func at(dir string) workspace {
	claims := filepath.Join(dir, "claims.json")
	return workspace{
		dir:    dir,
		state:  state.New(filepath.Join(dir, "state.json"), state.Options{Artifacts: filepath.Join(dir, "artifacts"), Budget: patience}),
		claims: claim.New(claims, time.Hour).WithBudget(patience),
		short:  claim.New(claims, time.Nanosecond).WithBudget(patience),
		tasks:  task.Store{Path: filepath.Join(dir, "tasks.json"), Budget: patience},
	}
}

// report is one line of a child: what an operation did.
type report struct {
	Allocated, Appended, Acquired, Released, Resolved int
	Number                                            int // the iteration
}

var out sync.Mutex

func (r report) print() {
	text, _ := json.Marshal(r)
	out.Lock()
	defer out.Unlock()
	fmt.Println(string(text))
}

// round does one random operation under a name of its own, checks what it can check alone, and reports.
func (w workspace) round(random *rand.Rand, name string) error {
	ctx := context.Background()
	switch random.IntN(4) {
	case 0:
		n, err := w.state.Allocate(ctx)
		if err != nil {
			return err
		}
		if err := w.state.Record(ctx, result(n), nil, state.Prompt{Kind: "iteration"}); err != nil {
			return err
		}
		report{Allocated: 1, Number: n}.print()
	case 1:
		if _, err := w.tasks.Append(ctx, []*task.Draft{task.BuildPipelineRoot(name, "task "+name, "notes")}); err != nil {
			return err
		}
		report{Appended: 1}.print()
	case 2:
		return w.hold(ctx, fmt.Sprint("T", random.IntN(2)), name)
	case 3:
		return w.recover(ctx, name)
	}
	return nil
}

// hold has a task for a moment. A file that only one process can make shows whether it has it alone.
func (w workspace) hold(ctx context.Context, id, name string) error {
	provenance := "run-i001-cli-" + name
	r, err := w.claims.Acquire(ctx, claim.Request{TaskID: id, AgentID: name, ProvenanceID: provenance})
	if err != nil || r.Outcome != claim.Acquired {
		return err
	}
	mark := filepath.Join(w.dir, "held-"+id)
	f, err := os.OpenFile(mark, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("two hold %s: %w", id, err)
	}
	f.Close()
	if held, err := w.claims.Holds(ctx, id, name, provenance); err != nil || !held {
		return fmt.Errorf("%s lost %s: %w", name, id, err)
	}
	if err := os.Remove(mark); err != nil {
		return err
	}
	if r, err = w.claims.Release(ctx, id, name); err != nil {
		return err
	}
	if r.Outcome != claim.DidRelease {
		return fmt.Errorf("release of %s by %s: %s", id, name, r.Outcome)
	}
	report{Acquired: 1, Released: 1}.print()
	return nil
}

// recover claims a task and lets a person take the claim for stale. Somebody else may have come first.
func (w workspace) recover(ctx context.Context, name string) error {
	r, err := w.short.Acquire(ctx, claim.Request{TaskID: "R", AgentID: name, ProvenanceID: "run-i001-cli-" + name})
	if err != nil {
		return err
	}
	var rep report
	if r.Outcome == claim.Acquired {
		rep.Acquired = 1
	}
	if r.Canonical != nil {
		if r, err = w.short.Resolve(ctx, r.Canonical.Claim, name, "stale at once"); err != nil {
			return err
		}
		if r.Outcome == claim.Resolved {
			rep.Resolved = 1
		}
	}
	rep.print()
	return nil
}

func result(n int) state.Iteration {
	return state.Iteration{
		AgentID: "a", Number: n, PromptKind: "iteration", PromptPath: "p", ArtifactDir: "d", AdapterUsed: "cliExec", ExecutionStatus: "succeeded",
		VerificationStatus: "passed", Classification: "complete", FollowUp: "stop", StartedAt: "s", FinishedAt: "f", Summary: strings.Repeat("x", 2000),
	}
}

// ops are the operations that are killed at each of their steps.
var ops = map[string]func(workspace) error{
	"allocate": func(w workspace) error {
		_, err := w.state.Allocate(context.Background())
		return err
	},
	"record": func(w workspace) error {
		return w.state.Record(context.Background(), result(7), nil, state.Prompt{Kind: "iteration"})
	},
	"acquire": func(w workspace) error {
		_, err := w.claims.Acquire(context.Background(), claim.Request{TaskID: "T2", AgentID: "a", ProvenanceID: "run-i002-cli-x"})
		return err
	},
	"release": func(w workspace) error {
		_, err := w.claims.Release(context.Background(), "T1", "a")
		return err
	},
	"append": func(w workspace) error {
		_, err := w.tasks.Append(context.Background(), []*task.Draft{task.BuildPipelineRoot("T2", "second", "")})
		return err
	},
}
