package term

import (
	"io"
	"os"
	"time"

	"github.com/charmbracelet/x/ansi"
)

// redraw is the time between two drawings of the status line.
const redraw = 100 * time.Millisecond

// gate is a mutex made of a channel. A terminal may stand still for hours in the middle of a write, under it; and waiting at a
// channel is something that tests of time can see.
type gate chan struct{}

// Lock waits until the gate is free.
func (g gate) Lock() { g <- struct{}{} }

// Unlock makes the gate free.
func (g gate) Unlock() { <-g }

// write erases the status line and writes what is for Out.
func (s *Screen) write() error {
	if s.drawn > 0 {
		s.buf = append([]byte(s.eraser()), s.buf...)
		s.drawn = 0
	}
	if len(s.buf) == 0 {
		return nil
	}
	_, err := s.io.Out.Write(s.buf)
	s.buf = s.buf[:0]
	return err
}

// show writes the lines, and the status line behind them unless it was drawn a moment ago: then a timer does it.
func (s *Screen) show() error {
	if len(s.buf) > 0 {
		if err := s.write(); err != nil {
			return err
		}
	}
	if !s.io.Live || s.closed {
		return nil
	}
	if s.status.ended {
		return s.write()
	}
	if wait := redraw - time.Since(s.drawAt); wait > 0 {
		if s.later == nil {
			s.later = time.AfterFunc(wait, s.drawLater)
		}
		return nil
	}
	return s.draw()
}

func (s *Screen) drawLater() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.later = nil
	_ = s.draw() // Handle meets the same error
}

// draw draws the status line over the one that is there. It leaves the last column free, where terminals differ.
func (s *Screen) draw() error {
	if s.closed || s.status.ended || s.status.started.IsZero() {
		return nil
	}
	s.drawAt = time.Now()
	line := s.status.line(s.drawAt, max(s.io.Width()-1, 1))
	text := s.eraser() + s.out.info + line + string(s.end(nil, s.out.info))
	s.drawn = ansi.StringWidth(line)
	_, err := io.WriteString(s.io.Out, text)
	return err
}

// eraser clears the status line, also if the window has become so narrow that it takes several rows now.
func (s *Screen) eraser() string {
	if s.drawn == 0 {
		return ""
	}
	rows := (s.drawn - 1) / max(s.io.Width(), 1)
	if rows == 0 {
		return "\r\x1b[K"
	}
	return "\r" + ansi.CursorUp(rows) + "\x1b[J"
}

// clock redraws each second, and when the window changes its size.
func (s *Screen) clock() {
	defer close(s.stopped)
	size := make(chan os.Signal, 1)
	if s.io.resized != nil {
		defer s.io.resized(size)()
	}
	second := time.NewTicker(time.Second)
	defer second.Stop()
	for {
		select {
		case <-s.stop:
			return
		case <-size:
		case <-second.C:
		}
		s.mu.Lock()
		_ = s.draw() // Handle meets the same error
		s.mu.Unlock()
	}
}

// Aside takes the status line away while f talks to the person. Events wait until f returns.
func (s *Screen) Aside(f func() error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.write(); err != nil {
		return err
	}
	err := f()
	s.drawAt = time.Time{}
	return err
}

// Close shows what was held back, erases the status line and ends the clock. On a terminal that takes nothing (Ctrl+S) it gives up
// after a second.
func (s *Screen) Close() error {
	result := make(chan error, 1)
	s.closeOnce.Do(func() { close(s.stop) })
	go func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.closed = true
		if s.later != nil {
			s.later.Stop()
		}
		s.split.Flush(s.piece)
		result <- s.write()
	}()
	select {
	case err := <-result:
		if s.stopped != nil {
			<-s.stopped
		}
		return err
	case <-time.After(time.Second):
		return os.ErrDeadlineExceeded
	}
}
