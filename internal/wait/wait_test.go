package wait

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		assert.NoError(t, For(t.Context(), time.Hour))
		assert.Equal(t, time.Hour, time.Since(began))
		assert.NoError(t, For(t.Context(), -time.Second))
		assert.Equal(t, time.Hour, time.Since(began))

		enough := errors.New("enough")
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Minute, func() { cancel(enough) })
		assert.ErrorIs(t, For(ctx, time.Hour), enough)
		assert.Equal(t, time.Hour+time.Minute, time.Since(began))
	})
}
