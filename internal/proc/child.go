package proc

import (
	"cmp"
	"context"
	"errors"
	"os"
	"os/exec"
	"sync"
	"time"
)

// child is one running Cmd.
type child struct {
	Cmd
	cmd     *exec.Cmd
	proc    Process
	began   time.Time
	stdin   *os.File // whole, see Input; nil = nothing to read
	stdout  *pump
	stderr  *pump
	exited  chan struct{} // closed when the process is over; on Linux it is not reaped yet
	hard    chan struct{} // closed by KillAll
	waitErr error         // of the reaping; read it after reap

	before map[int]uint64 // children of ours that were there before, with their start times
	enclosure
	met map[ident]bool // strays that were found to be this child's
}

// ident names a process for good.
type ident struct {
	pid   int
	start uint64
}

// running holds the children of all Cmds by pid. It is locked for writing while one is being started, so that a
// sweep never takes another Cmd's newborn child for a stray.
var running = struct {
	sync.RWMutex
	byPID map[int]*child
}{byPID: map[int]*child{}}

// start makes the pipes and the process. The caller follows it.
func start(c Cmd) (*child, error) {
	ch := &child{Cmd: c, began: time.Now(), exited: make(chan struct{}), hard: make(chan struct{}), met: map[ident]bool{}}
	ch.cmd = exec.Command(c.Argv[0], c.Argv[1:]...)
	ch.cmd.Dir, ch.cmd.Env = c.Dir, withMark(c.Env, c.Mark)
	ch.cmd.SysProcAttr = ownGroup()
	if ch.cmd.Err != nil {
		return nil, &StartError{c.Argv, ch.cmd.Err}
	}
	theirs, err := ch.pipes()
	defer closeAll(theirs)
	if err != nil {
		return nil, &StartError{c.Argv, err}
	}
	adoptOrphans()

	running.Lock()
	defer running.Unlock()
	ch.before = ownChildren()
	if err := ch.cmd.Start(); err != nil {
		closeAll([]*os.File{ch.stdout.r, ch.stderr.r})
		ch.dropInput()
		return nil, &StartError{c.Argv, err}
	}
	ch.proc = Process{PID: ch.cmd.Process.Pid, Start: startTime(ch.cmd.Process.Pid)}
	ch.enclose()
	running.byPID[ch.proc.PID] = ch
	return ch, nil
}

// pipes makes what the child reads and the two pipes that it writes to. It returns the child's ends of those, also when it fails half-way.
func (ch *child) pipes() (theirs []*os.File, err error) {
	outR, outW, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	errR, errW, err := os.Pipe()
	if err != nil {
		return []*os.File{outR, outW}, err
	}
	if ch.Cmd.Stdin != "" {
		if ch.stdin, err = Input(ch.Cmd.Stdin); err != nil {
			return []*os.File{outR, outW, errR, errW}, err
		}
		ch.cmd.Stdin = ch.stdin
	}
	widen(outR)
	ch.cmd.Stdout, ch.cmd.Stderr = outW, errW
	ch.stdout, ch.stderr = newPump(outR, ch.Stdout), newPump(errR, ch.Stderr)
	return []*os.File{outW, errW}, nil
}

func (ch *child) dropInput() {
	if ch.stdin != nil {
		CloseInput(ch.stdin)
	}
}

func closeAll(files []*os.File) {
	for _, f := range files {
		if f != nil {
			f.Close()
		}
	}
}

// follow stays with the child to its end, and that of all it started.
func (ch *child) follow(ctx context.Context) Exit {
	caller := ctx
	ctx, cancel := context.WithCancelCause(ctx)
	if ch.Timeout > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeoutCause(ctx, ch.Timeout, ErrTimeout)
		defer stop()
	}
	if ch.Cmd.Started != nil {
		ch.Cmd.Started(ch.proc)
	}
	var wg sync.WaitGroup
	wg.Go(func() { ch.stdout.run(ch.Idle) })
	wg.Go(func() { ch.stderr.run(ch.Idle) })
	if ch.Idle != nil {
		wg.Go(func() { ch.Idle.watch(ctx, cancel) })
	}
	go func() {
		ch.awaitExit()
		close(ch.exited)
	}()

	exit := Exit{Code: -1}
	select {
	case <-ch.exited:
	case <-ctx.Done():
		exit.Cause = context.Cause(ctx)
		ch.end()
	case <-ch.hard:
		// Whoever kills all because the caller's context has ended may come before that end has reached ours.
		exit.Cause = cmp.Or(context.Cause(ctx), context.Cause(caller), context.Canceled)
		ch.end()
	}
	cancel(nil)
	drain(ch.Drain, 8*ch.Drain, ch.stdout, ch.stderr)
	exit.Survivors = ch.sweep()
	ch.reap(&exit)
	drain(ch.Drain/4, ch.Drain, ch.stdout, ch.stderr)
	ch.dropInput()
	ch.stdout.stop()
	ch.stderr.stop()
	wg.Wait()
	exit.Elapsed = time.Since(ch.began)
	return exit
}

// end ends the child itself: politely, then not.
func (ch *child) end() {
	ch.askGroup()
	if ch.waitExit(ch.Grace) {
		return
	}
	ch.killTree()
	ch.waitExit(stuckAfter)
}

// stuckAfter is how long a killed process may take to vanish before it is given up: it hangs in the kernel.
const stuckAfter = 10 * time.Second

// waitExit waits for the exit, for so long or until somebody is in a hurry.
func (ch *child) waitExit(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	hard := ch.hard
	if d == stuckAfter {
		hard = nil
	}
	select {
	case <-ch.exited:
		return true
	case <-timer.C:
	case <-hard:
	}
	return false
}

// reap takes the exit status and frees the pid.
func (ch *child) reap(exit *Exit) {
	select {
	case <-ch.exited:
		ch.wait()
	default: // stuck: nothing to take, and the wait would hang as well
	}
	running.Lock()
	delete(running.byPID, ch.proc.PID)
	running.Unlock()
	if st := ch.cmd.ProcessState; st != nil {
		exit.Code, exit.Signal = st.ExitCode(), signalName(st)
	}
	var ee *exec.ExitError
	if ch.waitErr != nil && !errors.As(ch.waitErr, &ee) && exit.Cause == nil {
		exit.Cause = ch.waitErr
	}
}

// KillAll makes every running Cmd end at once, without grace: for the second Ctrl+C. It doesn't wait; the Runs return.
func KillAll() {
	running.Lock()
	defer running.Unlock()
	for _, ch := range running.byPID {
		select {
		case <-ch.hard:
		default:
			close(ch.hard)
		}
	}
}
