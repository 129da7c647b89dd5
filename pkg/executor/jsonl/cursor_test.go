package jsonl

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Strings are looked through in large steps: whatever stands wherever in them is seen, and judged as encoding/json does.
func TestStrSeesEveryByte(t *testing.T) {
	for _, odd := range []string{`\"`, `\\`, `\n`, `\u00e9`, `\x`, "\x00", "\x1f", "\n", "\x7f", "\x80", "\xa2", "\xdc", "\xff", "é", "😀", `"`, `\`} {
		for at := range 80 {
			for _, behind := range []int{0, 1, 7, 40} {
				inside := strings.Repeat("x", at) + odd + strings.Repeat("y", behind)
				line := []byte(`"` + inside + `"`)
				c := NewCursor(line)
				got, plain := c.Str()
				var want string
				require.Equal(t, json.Unmarshal(line, &want) == nil, c.End(), "%q", line)
				if c.End() {
					require.Equal(t, inside, string(got))
					require.Equal(t, !strings.Contains(inside, `\`), plain)
				}
			}
		}
	}
}

func TestKey(t *testing.T) {
	tests := []struct {
		in   string
		want string
		ok   bool
	}{
		{`"type":`, "type", true},
		{` "" :`, "", true},
		{`"tool_use_id-2 x"	:`, "tool_use_id-2 x", true},
		{`"Type":`, "", false},
		{`"typ\u0065":`, "", false},
		{`"ſession":`, "", false},
		{"\"a\tb\":", "", false},
		{`"type"`, "", false},
		{`"type`, "", false},
		{`type:`, "", false},
	}
	for _, tt := range tests {
		c := NewCursor([]byte(tt.in))
		key := c.Key()
		assert.Equal(t, tt.ok, !c.bad, tt.in)
		if tt.ok {
			assert.Equal(t, tt.want, string(key))
		}
	}
}
