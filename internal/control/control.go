package control

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"

	"ralphex/internal/durable"
	"ralphex/internal/wait"
)

// RetryNow ends the wait for a usage limit.
const RetryNow = "retry-now"

// pollEvery is how often the folder is looked at where it can't be watched.
const pollEvery = time.Second

// Dir is the folder of a run's orders in a store (.ralph).
func Dir(store, run string) string { return filepath.Join(store, "runs", run, "control") }

// Tell gives an order, and waits until it was taken, or ctx is over: then the order stays, and the error is ctx's cause.
func Tell(ctx context.Context, dir, order string, text []byte) error {
	if err := write(dir, order, text); err != nil {
		return fmt.Errorf("tell the run: %w", err)
	}
	w := newWatch(dir)
	defer w.close()
	for there(dir, order) {
		if err := w.wait(ctx); err != nil {
			return err
		}
	}
	return nil
}

// Listen takes the orders of a name, one after the other, and sends their texts, until ctx is over. Then the channel is
// closed. An order that was there before is taken, too. What can't be read is left out.
func Listen(ctx context.Context, dir, order string) <-chan []byte {
	out := make(chan []byte)
	go func() {
		defer close(out)
		if os.MkdirAll(dir, 0o750) != nil {
			return
		}
		w := newWatch(dir)
		defer w.close()
		for {
			if text, ok := take(dir, order); ok {
				select {
				case out <- text:
					continue
				case <-ctx.Done():
					return
				}
			}
			if w.wait(ctx) != nil {
				return
			}
		}
	}()
	return out
}

func write(dir, order string, text []byte) error {
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return err
	}
	d, err := durable.OpenDir(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.WriteFile(order, text, 0o640), d.Close())
}

// take reads an order and removes it: whoever gave it sees that it was heard.
func take(dir, order string) ([]byte, bool) {
	path := filepath.Join(dir, order)
	if fi, err := os.Lstat(path); err != nil || !fi.Mode().IsRegular() || fi.Size() > 1<<16 {
		return nil, false
	}
	text, err := os.ReadFile(path)
	if err != nil || os.Remove(path) != nil {
		return nil, false
	}
	return text, true
}

func there(dir, order string) bool {
	_, err := os.Lstat(filepath.Join(dir, order))
	return !errors.Is(err, fs.ErrNotExist)
}

// watch tells of changes of a folder.
type watch struct{ w *fsnotify.Watcher }

func newWatch(dir string) watch {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return watch{}
	}
	if w.Add(dir) != nil {
		w.Close()
		return watch{}
	}
	return watch{w}
}

// wait returns at the next change, or after pollEvery where nobody tells of changes.
func (w watch) wait(ctx context.Context) error {
	if w.w == nil {
		return wait.For(ctx, pollEvery)
	}
	select {
	case <-w.w.Events:
	case <-w.w.Errors: // one that overflowed: look
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	return nil
}

func (w watch) close() {
	if w.w != nil {
		w.w.Close()
	}
}
