package cli

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"ralphex/pkg/event"
	"ralphex/pkg/processor/phase"
)

func (r *running) attachFace() error {
	r.bus.Attach("terminal", event.SinkFunc(func(e event.Event) error {
		fmt.Fprintf(r.proc.Out, "%s %d %+v\n", e.Data.Kind(), e.Task, e.Data)
		return nil
	}))
	return nil
}

func (r *running) say(report phase.Report, end event.RunEnd) {}

// breakKey delivers Ctrl+\ until ctx ends.
func breakKey(ctx context.Context) <-chan struct{} {
	sigs, out := make(chan os.Signal, 1), make(chan struct{}, 1)
	signal.Notify(sigs, syscall.SIGQUIT)
	go func() {
		defer signal.Stop(sigs)
		for {
			select {
			case <-sigs:
				select {
				case out <- struct{}{}:
				default: // one is waiting already
				}
			case <-ctx.Done():
				return
			}
		}
	}()
	return out
}

func (r *running) pause(ctx context.Context) bool { return false }
