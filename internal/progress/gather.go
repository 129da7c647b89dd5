package progress

import (
	"fmt"
	"time"
)

// Output is gathered for so long, or up to so much, so that an agent that calls a tool a millisecond doesn't cost a write(2) each.
// Nobody who follows the file sees the difference.
const (
	gatherFor = 50 * time.Millisecond
	gatherMax = 32 << 10
)

// gather writes what there is, unless something was written a moment ago: then a timer does it.
func (p *File) gather() error {
	switch {
	case len(p.buf) == 0:
	case len(p.buf) >= gatherMax || p.later == nil && time.Since(p.wrote) >= gatherFor:
		return p.write()
	case p.later == nil:
		p.later = time.AfterFunc(gatherFor, p.writeLater)
	}
	return p.takeError()
}

func (p *File) writeLater() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.later = nil
	if !p.closed {
		p.failed = p.write()
	}
}

// write hands everything over at once.
func (p *File) write() error {
	if len(p.buf) == 0 {
		return p.takeError()
	}
	_, err := p.f.Write(p.buf)
	p.buf = p.buf[:0]
	p.wrote = time.Now()
	if err != nil {
		return fmt.Errorf("write progress file: %w", err)
	}
	return p.takeError()
}

func (p *File) takeError() error {
	err := p.failed
	p.failed = nil
	return err
}
