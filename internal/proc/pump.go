package proc

import (
	"io"
	"os"
	"sync/atomic"
	"time"
)

// pump carries one output of the child to its writer.
type pump struct {
	r    *os.File
	w    io.Writer
	done chan struct{} // closed at EOF or when r was closed

	steps atomic.Int64 // odd while a piece is being written; grows with each piece
	err   error        // first error of w; read it after done
}

func newPump(r *os.File, w io.Writer) *pump {
	if w == nil {
		w = io.Discard
	}
	return &pump{r: r, w: w, done: make(chan struct{})}
}

// run reads until EOF. A writer that fails is replaced by nothing, since a full pipe would stop the child.
func (p *pump) run(idle *Idle) {
	defer close(p.done)
	buf := make([]byte, 256<<10)
	for {
		n, err := p.r.Read(buf)
		if n > 0 {
			p.steps.Add(1)
			idle.Touch()
			if _, werr := p.w.Write(buf[:n]); werr != nil && p.err == nil {
				p.err, p.w = werr, io.Discard
			}
			p.steps.Add(1)
		}
		if err != nil {
			return
		}
	}
}

// drain waits until all pumps are at EOF, or have been quiet for so long, or the limit is over.
func drain(quiet, limit time.Duration, pumps ...*pump) {
	end := time.Now().Add(limit)
	for _, p := range pumps {
		for before := p.steps.Load(); ; {
			timer := time.NewTimer(min(quiet, time.Until(end)))
			select {
			case <-p.done:
				timer.Stop()
			case <-timer.C:
				now := p.steps.Load()
				if (now != before || now%2 == 1) && time.Now().Before(end) {
					before = now
					continue
				}
			}
			break
		}
	}
}

// stop gives up on what has not been read yet and waits for the goroutine.
func (p *pump) stop() {
	p.r.Close()
	<-p.done
}
