package wait

import (
	"context"
	"time"
)

// For returns after d, at once if d isn't positive, or with the context's cause when that ends before.
func For(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
