package lazyregexp

import (
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestRegexp(t *testing.T) {
	r := New(`(\d)-`)
	assert.True(t, r.MatchString("1-"))
	assert.Equal(t, "1-", r.FindString("a1-2-"))
	assert.Equal(t, "1+2+", r.ReplaceAllString("1-2-", "$1+"))
	assert.Equal(t, []int{1, 3}, r.FindStringIndex("a1-"))
	assert.Equal(t, []string{"1-", "1"}, r.FindStringSubmatch("a1-2-"))
	assert.Equal(t, []string{"1-"}, r.FindAllString("1-2-", 1))
	assert.Len(t, r.FindAllStringIndex("1-2-", -1), 2)
	assert.Len(t, r.FindAllStringSubmatch("1-2-", -1), 2)
	assert.Equal(t, "A1-A2-", r.ReplaceAllStringFunc("1-2-", func(m string) string { return "A" + m }))
	assert.Equal(t, []string{"a", "b"}, r.Split("a1-b", -1))
}

func TestNothingIsCompiledBeforeUse(t *testing.T) {
	r := New(`(`) // can't be compiled
	assert.Panics(t, func() { r.MatchString("") })
}

func TestManyAtOnce(t *testing.T) {
	r := New(`x+`)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() { assert.True(t, r.MatchString(strings.Repeat("x", 9))) })
	}
	wg.Wait()
}
