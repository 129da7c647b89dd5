package stable

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestLookingAtWhatMayNotBeThere(t *testing.T) {
	o := ObjectOf([]byte(`{"a":"x","n":1,"list":[{"b":"y"},2,{"b":3}]}`), nil)
	assert.Equal(t, "x", o.Text("a"))
	assert.Empty(t, o.Text("n"), "a number is no text")
	items := o.Objects("list")
	require.Len(t, items, 2)
	assert.Equal(t, "y", items[0].Text("b"))
	assert.Empty(t, items[1].Text("b"))
	assert.Empty(t, o.Objects("a"))
	for _, none := range []*Object{nil, ObjectOf(nil, errors.New("gone")), ObjectOf([]byte("[1]"), nil), ObjectOf([]byte("{"), nil)} {
		assert.Nil(t, none)
		_, ok := none.Get("a")
		assert.False(t, ok)
		assert.Empty(t, none.Text("a"))
		assert.Empty(t, none.Objects("a"))
	}
}
