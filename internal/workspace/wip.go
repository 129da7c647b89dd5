package workspace

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"ralphex/pkg/vcs"
)

// Kept is a copy of the working tree that was put away; the zero value means that there was nothing to keep.
type Kept struct {
	Ref string // "refs/ralphex/wip/20260129-153012-4f2a9c/3"
	Rev vcs.Rev
	Why string
}

// Keepable is what a Keeper asks of a repository.
type Keepable interface {
	Status(ctx context.Context) (vcs.Status, error)
	FingerprintOf(ctx context.Context, s vcs.Status) (vcs.Fingerprint, error)
	Snapshot(ctx context.Context, ref, message string) (vcs.Rev, error)
}

// Keeper keeps copies of a working tree, untracked files included, under refs/ralphex/wip/RUN/1, 2, 3 …, before something happens that
// could cost a person their work: a worktree that is removed, a task that is given up, a session that was cut off. What the repository
// ignores is not in them. docs/nothing-lost.md tells how to get at them.
type Keeper struct {
	repo Keepable
	run  string

	mu   sync.Mutex
	last vcs.Fingerprint // of the tree that was kept last: the same one is not kept twice
	kept Kept
}

// NewKeeper makes a keeper for a run. Several processes of a run, one after the other, may have one each.
func NewKeeper(repo Keepable, run string) *Keeper { return &Keeper{repo: repo, run: run} }

// Keep keeps the tree as it is now. A clean tree needs no copy; a tree that was just kept is answered with the copy that is there.
// After an error nothing may be thrown away.
func (k *Keeper) Keep(ctx context.Context, why string) (Kept, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	status, err := k.repo.Status(ctx)
	if err != nil {
		return Kept{}, fmt.Errorf("keep the working tree: %w", err)
	}
	if len(status.Changes) == 0 {
		return Kept{}, nil
	}
	print, err := k.repo.FingerprintOf(ctx, status)
	if err != nil {
		return Kept{}, fmt.Errorf("keep the working tree: %w", err)
	}
	if print == k.last {
		return k.kept, nil
	}
	kept, err := k.put(ctx, why, func(ref string) (vcs.Rev, error) { return k.repo.Snapshot(ctx, ref, why) })
	if err == nil {
		k.last, k.kept = print, kept
	}
	return kept, err
}

// KeepHold keeps what is held as a copy among the others.
func (k *Keeper) KeepHold(ctx context.Context, h *vcs.Hold, why string) (Kept, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	holder, ok := k.repo.(vcs.Holder)
	if !ok {
		return Kept{}, fmt.Errorf("keep what was held: %w", errors.ErrUnsupported)
	}
	return k.put(ctx, why, func(ref string) (vcs.Rev, error) { return holder.SnapshotHold(ctx, ref, why, h) })
}

// put keeps something under the next free name.
func (k *Keeper) put(ctx context.Context, why string, snapshot func(ref string) (vcs.Rev, error)) (Kept, error) {
	n, err := k.next(ctx)
	if err != nil {
		return Kept{}, fmt.Errorf("keep the working tree: %w", err)
	}
	for ; ; n++ {
		ref := SnapshotPrefix(k.run) + strconv.Itoa(n)
		rev, err := snapshot(ref)
		if errors.Is(err, vcs.ErrExists) {
			continue // another process was faster
		}
		if err != nil {
			return Kept{}, fmt.Errorf("keep the working tree: %w", err)
		}
		return Kept{Ref: ref, Rev: rev, Why: why}, nil
	}
}

// next is the first number that no copy of the run has.
func (k *Keeper) next(ctx context.Context) (int, error) {
	store, ok := k.repo.(vcs.SnapshotStore)
	if !ok {
		return 1, nil
	}
	list, err := store.Snapshots(ctx, SnapshotPrefix(k.run))
	if err != nil {
		return 0, err
	}
	most := 0
	for _, s := range list {
		if n, err := strconv.Atoi(strings.TrimPrefix(s.Ref, SnapshotPrefix(k.run))); err == nil {
			most = max(most, n)
		}
	}
	return most + 1, nil
}

// SnapshotPrefix is where the copies of a run lie.
func SnapshotPrefix(run string) string { return vcs.SnapshotRoot + run + "/" }
