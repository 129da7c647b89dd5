package cli

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestDepth(t *testing.T) {
	for _, tt := range []struct {
		env  []string
		want int
	}{
		{nil, 0},
		{[]string{"A=1"}, 0},
		{[]string{"RALPHEX_DEPTH=2", "A=1"}, 2},
		{[]string{"RALPHEX_DEPTH=x"}, 0},
		{[]string{"RALPHEX_DEPTH=-3"}, 0},
	} {
		assert.Equal(t, tt.want, depthOf(tt.env))
		deeper := withDepth(tt.env)
		assert.Equal(t, tt.want+1, depthOf(deeper))
		assert.Len(t, withDepth(deeper), len(deeper), "it is replaced, not added")
	}
}
