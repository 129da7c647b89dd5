package vcs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"

	"ralphex/internal/wait"
)

// zeroName stands in a reflog for "was not there".
const zeroName = "0000000000000000000000000000000000000000"

// lockFile is NAME.lock beside NAME, made for us alone: git's own protocol, so that a git that runs beside us waits or refuses.
type lockFile struct {
	f    *os.File
	path string // of what is locked
	done bool
}

// lock makes the lock file and the folders it needs. Somebody else's lock is *LockedError.
func lock(path string) (*lockFile, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path+".lock", os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return nil, &LockedError{Lock: path + ".lock", Err: err}
	}
	if err != nil {
		return nil, err
	}
	return &lockFile{f: f, path: path}, nil
}

// lockPatiently is lock that waits for lockWait.
func lockPatiently(ctx context.Context, path string) (*lockFile, error) {
	deadline := time.Now().Add(lockWait)
	for delay := 20 * time.Millisecond; ; delay = min(2*delay, 500*time.Millisecond) {
		l, err := lock(path)
		if _, held := errors.AsType[*LockedError](err); !held || time.Now().After(deadline) {
			return l, err
		}
		if perr := wait.For(ctx, delay); perr != nil {
			return nil, errors.Join(perr, err)
		}
	}
}

// replace makes what was written the file.
func (l *lockFile) replace(content []byte) error {
	_, err := l.f.Write(content)
	if err == nil {
		err = l.f.Sync()
	}
	if cerr := l.f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(l.path+".lock", l.path)
	}
	if err == nil {
		l.done = true
	}
	return err
}

// abort gives the lock back; after replace it does nothing.
func (l *lockFile) abort() {
	if !l.done {
		l.done = true
		l.f.Close()
		os.Remove(l.path + ".lock")
	}
}

func (a *alone) CreateBranch(ctx context.Context, b Branch) error {
	ctx, cancel := a.within(ctx)
	defer cancel()
	if err := a.createBranch(ctx, b); err != nil {
		return fmt.Errorf("create branch %s: %w", b, err)
	}
	return nil
}

func (a *alone) createBranch(ctx context.Context, b Branch) error {
	if err := a.stillHere(); err != nil {
		return err
	}
	h, err := a.newBranch(ctx, b)
	if err != nil {
		return err
	}
	if err := a.noNeighbours("refs/heads/" + string(b)); err != nil {
		return err
	}
	sign, err := a.settings.signature("COMMITTER")
	if err != nil {
		sign = "ralphex <ralphex@localhost> " + stamp(time.Now()) // a reflog must not fail because nobody has a name yet
	}
	if err := a.setRef(ctx, "refs/heads/"+string(b), "", h.Rev, sign, "branch: Created from HEAD"); err != nil {
		return err
	}
	if err := a.moveHead(h, b, h.Rev); err != nil {
		// Nobody can have seen the branch yet.
		return errors.Join(err, os.Remove(filepath.Join(a.common, "refs", "heads", filepath.FromSlash(string(b)))))
	}
	return nil
}

// noNeighbours refuses a name that is a folder of others, or lies below one: two files can't be kept at one place.
func (a *alone) noNeighbours(name string) error {
	a.objects.mu.Lock()
	defer a.objects.mu.Unlock()
	refs, err := a.objects.store.IterReferences()
	if err != nil {
		return err
	}
	defer refs.Close()
	return refs.ForEach(func(r *plumbing.Reference) error {
		other := string(r.Name())
		if strings.HasPrefix(other, name+"/") || strings.HasPrefix(name, other+"/") {
			return fmt.Errorf("%s is there: %w", other, fs.ErrExist)
		}
		return nil
	})
}

// setRef moves a ref from old ("" = not there) to rev, or says what it found instead; the reflog line is written before.
func (a *alone) setRef(ctx context.Context, name string, old, rev Rev, sign, why string) error {
	return a.setRefIn(ctx, a.common, name, old, rev, sign, why)
}

// setRefIn is setRef for a ref of the given folder: a detached HEAD is the working tree's own.
func (a *alone) setRefIn(ctx context.Context, dir, name string, old, rev Rev, sign, why string) error {
	l, err := lock(filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil {
		return err
	}
	defer l.abort()
	now, target, err := a.reader.ref(ctx, name)
	switch {
	case err != nil:
		return err
	case target != "":
		return needsGit("move "+name, "it is a link to another ref")
	case now != old && old == "":
		return ErrExists
	case now != old:
		return &SurpriseError{What: name, Want: string(old), Got: string(now)}
	}
	if err := a.logRef(filepath.Join(dir, "logs", filepath.FromSlash(name)), old, rev, sign, why); err != nil {
		return err
	}
	return l.replace([]byte(rev + "\n"))
}

// moveHead makes HEAD a link to the branch.
func (a *alone) moveHead(from Head, b Branch, rev Rev) error {
	l, err := lock(filepath.Join(a.gitDir, "HEAD"))
	if err != nil {
		return err
	}
	defer l.abort()
	left := string(from.Branch)
	if from.Detached {
		left = string(from.Rev)
	}
	sign, err := a.settings.signature("COMMITTER")
	if err != nil {
		sign = "ralphex <ralphex@localhost> " + stamp(time.Now())
	}
	if err := a.logRef(filepath.Join(a.gitDir, "logs", "HEAD"), from.Rev, rev, sign, fmt.Sprintf("checkout: moving from %s to %s", left, b)); err != nil {
		return err
	}
	return l.replace([]byte("ref: refs/heads/" + string(b) + "\n"))
}

// logRef appends a line to a reflog, unless the user keeps none.
func (a *alone) logRef(file string, old, rev Rev, sign, why string) error {
	cfg, _ := a.settings.merged()
	if keep := cfg.Section("core").Option("logallrefupdates"); keep != "" && !yes(keep) {
		return nil
	}
	if old == "" {
		old = zeroName
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	subject, _, _ := strings.Cut(why, "\n")
	_, err = fmt.Fprintf(f, "%s %s %s\t%s\n", old, rev, sign, subject)
	return errors.Join(err, f.Close())
}
