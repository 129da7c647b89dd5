package claude

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"ralphex/pkg/executor/jsonl"
)

// What reviewers of reviewers do is set in by how deep they are, whatever way a line is read.
func TestSubAgentsAreSetInByTheirDepth(t *testing.T) {
	call := func(id, parent, command string) string {
		above := "null"
		if parent != "" {
			above = quote(parent)
		}
		return fmt.Sprintf(`{"type":"assistant","parent_tool_use_id":%s,"message":{"id":"m","content":[{"type":"tool_use","id":%q,"name":"Bash","input":{"command":%q}}]}}`+"\n", above, id, command)
	}
	stream := call("t1", "", "zero") + call("t2", "t1", "one") + call("t3", "t2", "two") + call("t4", "t3", "three") + call("t5", "t1", "one again") + call("t6", "gone", "unknown")
	for _, plain := range []bool{false, true} {
		got := read([]byte(stream), variant{1 << 20, plain, jsonl.MaxLine}).others
		assert.Equal(t, []string{"Bash: zero", "  Bash: one", "    Bash: two", "      Bash: three", "  Bash: one again", "  Bash: unknown"}, got)
	}
}
