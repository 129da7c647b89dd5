package proc

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestIdle(t *testing.T) {
	const limit = 30 * time.Minute
	tests := []struct {
		name string
		act  func(w *Idle)
		want time.Duration // after which the watch runs out
	}{
		{"silence", func(*Idle) {}, limit},
		{"touched", func(w *Idle) { time.Sleep(20 * time.Minute); w.Touch() }, 50 * time.Minute},
		{"touched often", func(w *Idle) {
			for range 100 {
				time.Sleep(29 * time.Minute)
				w.Touch()
			}
		}, 100*29*time.Minute + limit},
		{"held for hours", func(w *Idle) { w.Hold(); time.Sleep(3 * time.Hour); w.Release() }, 3*time.Hour + limit},
		{"two holds, one release", func(w *Idle) {
			w.Hold()
			w.Hold()
			time.Sleep(time.Hour)
			w.Release()
			time.Sleep(time.Hour)
			w.Release()
		}, 2*time.Hour + limit},
		{"a release too many is none", func(w *Idle) { w.Release(); w.Hold(); time.Sleep(time.Hour); w.Release() }, time.Hour + limit},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := NewIdle(limit)
				ctx, cancel := context.WithCancelCause(t.Context())
				start := time.Now()
				go w.watch(ctx, cancel)
				go tt.act(w)
				<-ctx.Done()
				assert.Equal(t, ErrIdle, context.Cause(ctx))
				assert.Equal(t, tt.want, time.Since(start))
			})
		})
	}
}

func TestIdleEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		done := make(chan struct{})
		go func() { NewIdle(time.Hour).watch(ctx, cancel); close(done) }()
		synctest.Wait()
		cancel(nil)
		<-done
	})
}

func TestNoIdle(t *testing.T) {
	w := NewIdle(0)
	assert.Nil(t, w)
	w.Touch()
	w.Hold()
	w.Release()
}
