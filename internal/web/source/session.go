package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"

	"ralphex/internal/web/view"
	"ralphex/pkg/event"
)

const (
	small    = 256 << 10 // bytes of a file that is read as a whole when it is found
	headSize = 64 << 10  // of a larger one that are read for its row
	tailSize = 64 << 10
	footSize = 4 << 10 // of one that has a footer
)

// Session is one file that tells of a run. It is safe for use by several goroutines.
type Session struct {
	lib  *Library
	file file
	id   string
	root string // of the checkout
	meta view.Meta

	folding sync.Mutex // held while the whole file is read; taken before mu

	mu    sync.Mutex
	known       // what was read
	dirty bool  // the file may have more
	dead  bool  // its process is gone, and the file is as it was then
	size  int64 // of the file, when it was looked at last
	wake  chan struct{}
	shown view.RunState // that was told last
}

// known is what was read of a file.
type known struct {
	state *view.State
	whole bool // state has seen the whole file up to at; else only what a row needs
	at    Checkpoint
	proc  process
	head  Header // of a progress file
}

// ID is its name in addresses.
func (s *Session) ID() string { return s.id }

// Path is that of its file.
func (s *Session) Path() string { return s.file.path }

// Source says what kind of file that is.
func (s *Session) Source() view.Source { return s.file.source }

// Header is what a progress file says of its newest run; that of a journal is empty.
func (s *Session) Header() Header {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.head
}

// Reader returns a reader of its events, from a place on. The error is ErrReplaced if the file does not have the place any more.
func (s *Session) Reader(from Checkpoint) (*Reader, error) {
	return newReader(s.file.path, s.file.source, s.lib.opt.Location, from)
}

// Changed is closed when the file may have grown. Who waits takes it before reading to the end.
func (s *Session) Changed() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.wake == nil {
		s.wake = make(chan struct{})
	}
	return s.wake
}

// touch tells that the file may have changed.
func (s *Session) touch() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dirty, s.dead = true, false
	if s.wake != nil {
		close(s.wake)
		s.wake = nil
	}
}

// Run is its row now.
func (s *Session) Run() view.Run {
	run, _ := s.rowNow()
	return run
}

// rowNow is Run; there is false where the file has no run any more.
func (s *Session) rowNow() (run view.Run, there bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refresh()
	return s.row(), !s.empty()
}

// empty tells whether nothing is known of a run: the file was cut, or written anew and has none yet. The session stays, for what comes. It needs mu.
func (s *Session) empty() bool { return s.at.seq == 0 }

// refresh reads what is new. What can't be read now is read the next time. It needs mu.
func (s *Session) refresh() {
	if s.dirty {
		_ = s.catchUp(context.Background())
	}
}

// row needs mu.
func (s *Session) row() view.Run {
	run := s.state.Run(s.lib.opt.Now(), s.alive())
	if !s.whole && s.file.source == view.Progress { // nobody has counted; of a journal the view knows that it has a gap
		run.Seq, run.Tasks = 0, view.Tally{}
	}
	s.shown = run.State
	return run
}

// Detail is all that is known of the run. The first call reads the whole file, the next ones what is new.
func (s *Session) Detail(ctx context.Context) (view.Detail, error) {
	if err := s.open(ctx); err != nil {
		return view.Detail{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dirty {
		if err := s.catchUp(ctx); err != nil {
			return view.Detail{}, err
		}
	}
	if s.empty() {
		return view.Detail{}, errNoRun
	}
	return s.state.Detail(s.lib.opt.Now(), s.alive()), nil
}

// open reads the whole file, unless it is read already. The row can be asked meanwhile.
func (s *Session) open(ctx context.Context) error {
	s.folding.Lock()
	defer s.folding.Unlock()
	s.mu.Lock()
	whole := s.whole
	s.mu.Unlock()
	if whole {
		return nil
	}
	k, err := s.fold(ctx)
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.known = k
	s.dirty = true // what came meanwhile
	s.mu.Unlock()
	return nil
}

// errNoRun says that nothing in the file tells of a run, or not yet.
var errNoRun = fmt.Errorf("no run in the file: %w", fs.ErrNotExist)

// begin reads what the row needs: all of a small file, the ends of a larger one.
func (s *Session) begin(ctx context.Context) (known, error) {
	fi, err := os.Lstat(s.file.path)
	if err != nil {
		return known{}, err
	}
	if s.file.source == view.Progress {
		if err := titled(s.file.path); err != nil {
			return known{}, err
		}
	}
	if fi.Size() <= small {
		return s.fold(ctx)
	}
	return s.peek(fi.Size())
}

// titled refuses a file that is no progress file, but happens to have the name of one. It may be that its title is not written yet.
func titled(path string) error {
	f, err := openRegular(path)
	if err != nil {
		return err
	}
	defer f.Close()
	var begin [len(title)]byte
	if n, _ := f.ReadAt(begin[:], 0); string(begin[:n]) != title {
		return errNoRun
	}
	return nil
}

func (s *Session) fold(ctx context.Context) (known, error) {
	k := known{state: view.NewState(s.meta), whole: true}
	err := k.read(ctx, s)
	if err == nil && k.at.seq == 0 {
		err = errNoRun
	}
	return k, err
}

// catchUp reads what is new; of a file that was replaced, what the row needs, or all if it was open. It needs mu.
func (s *Session) catchUp(ctx context.Context) error {
	s.dirty = false
	err := ErrReplaced
	if !s.empty() {
		err = s.known.read(ctx, s)
	}
	if errors.Is(err, ErrReplaced) {
		var k known
		if s.whole {
			k, err = s.fold(ctx)
		} else {
			k, err = s.begin(ctx)
		}
		if errors.Is(err, errNoRun) {
			k, err = known{state: view.NewState(s.meta)}, nil
		}
		if err == nil {
			s.known = k
		}
	}
	s.dirty = err != nil
	return err
}

// read brings what is known from at to the end of the file.
func (k *known) read(ctx context.Context, s *Session) error {
	r, err := s.Reader(k.at)
	if err != nil {
		return err
	}
	defer r.Close()
	for n := 0; ; n++ {
		e, err := r.Next()
		if err == nil {
			k.apply(e)
		}
		if n%1024 == 0 && ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		if err != nil && (r.AtLine() || errors.Is(err, io.EOF)) {
			k.at, k.head = r.Checkpoint(), r.text.head
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
	}
}

func (k *known) apply(e event.Event) {
	k.proc.learn(e)
	k.state.Apply(e)
}

// peek reads both ends of a large file.
func (s *Session) peek(size int64) (known, error) {
	k := known{state: view.NewState(s.meta)}
	text, err := k.readHead(s)
	if err != nil {
		return k, err
	}
	start, err := lineAfter(s.file.path, size)
	if err != nil {
		return k, err
	}
	k.at = Checkpoint{offset: start, seq: k.state.Seq(), text: text}
	return k, k.read(context.Background(), s)
}

// readHead reads the beginning of the first run.
func (k *known) readHead(s *Session) (textState, error) {
	r, err := s.Reader(Checkpoint{})
	if err != nil {
		return textState{}, err
	}
	defer r.Close()
	for r.base+int64(r.lo) < headSize {
		e, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return textState{}, err
		}
		if _, ok := e.Data.(event.RunStart); ok {
			k.apply(e)
			k.head = r.text.head
			return textState{place: inBody, head: k.head, now: k.head.Started}, nil
		}
	}
	return textState{}, errNoRun
}

// lineAfter finds where the end of a large file begins, at a line. That of a progress file with a footer is short.
func lineAfter(path string, size int64) (int64, error) {
	f, err := openRegular(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	buf := make([]byte, footSize)
	offset := size - footSize
	n, err := f.ReadAt(buf, offset)
	if err == nil && !footed(buf[:n]) {
		offset = size - tailSize
		n, err = f.ReadAt(buf, offset)
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return 0, err
	}
	if i := bytes.IndexByte(buf[:n], '\n'); i >= 0 {
		return offset + int64(i) + 1, nil
	}
	return size, nil // one long line: the row does without
}

// footed tells whether a text has the footer of a progress file.
func footed(text []byte) bool {
	return bytes.Contains(text, []byte("---\nCompleted: ")) || bytes.Contains(text, []byte("---\nFailed: "))
}
