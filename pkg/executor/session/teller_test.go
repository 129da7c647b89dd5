package session

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/event"
)

// counting is a stream whose every line is one fact.
type counting struct {
	tell func(event.Data)
	n    int
}

func (c *counting) Write(p []byte) (int, error) {
	for range strings.Count(string(p), "\n") {
		c.n++
		c.tell(event.Output{Text: fmt.Sprint(c.n)})
	}
	return len(p), nil
}

// However large a piece is: its facts are told in order, each once, and all when Write returns.
func TestTeller(t *testing.T) {
	var told []string
	tell := newTeller(func(d event.Data) { told = append(told, d.(event.Output).Text) })
	next := &counting{tell: tell.tell}
	tell.next = next
	for _, size := range []int{1, besideFrom - 1, besideFrom, 10 * besideFrom, besideFrom + handOver, 3, 2 * besideFrom} {
		for _, line := range []string{"\n", strings.Repeat("x", 99) + "\n", strings.Repeat("x", besideFrom-1) + "\n", "no line end"} {
			piece := strings.Repeat(line, size/len(line)+1)
			n, err := tell.Write([]byte(piece))
			require.NoError(t, err)
			require.Equal(t, len(piece), n)
			require.Len(t, told, next.n, "%d bytes", len(piece))
			tell.tell(event.Output{Text: "between"})
			require.Equal(t, "between", told[len(told)-1])
			told = told[:len(told)-1]
		}
	}
	for i, text := range told {
		require.Equal(t, fmt.Sprint(i+1), text)
	}
	assert.Greater(t, len(told), 10*besideFrom)
}

// While a fact is being told, the rest of the piece is understood.
func TestTellerBeside(t *testing.T) {
	understood := make(chan struct{})
	tell := newTeller(func(d event.Data) { <-understood })
	tell.next = understands{tell, func() { close(understood) }}
	_, err := tell.Write(make([]byte, besideFrom))
	require.NoError(t, err)
}

type understands struct {
	*teller
	end func()
}

func (u understands) Write(p []byte) (int, error) {
	for range handOver + 1 {
		u.tell(event.Note{})
	}
	u.end()
	return len(p), nil
}
