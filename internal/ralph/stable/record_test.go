package stable

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestRecord(t *testing.T) {
	yes := true
	r := &Record{}
	r.Put("a", 1).Null("b", "").Null("c", "x").Opt("d", "").Opt("e", "y").Put("f", NullIfUnknown(&yes)).Put("g", NullIfUnknown[int](nil))
	assert.Equal(t, `{"a":1,"b":null,"c":"x","e":"y","f":true,"g":null}`, string(Compact(&r.Object)))
}
