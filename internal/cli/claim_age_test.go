package cli

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestAgesOfClaims(t *testing.T) {
	for d, want := range map[time.Duration]string{-time.Hour: "0s", 1499 * time.Millisecond: "1s", 47*time.Hour + 61*time.Second: "47h1m1s",
		48 * time.Hour: "2 days", 333*24*time.Hour + 23*time.Hour: "333 days"} {
		assert.Equal(t, want, howOld(d))
	}
}
