package claude

import (
	"bytes"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"ralphex/pkg/event"
	"ralphex/pkg/executor/session"
)

// Streams of the profiles that perf/baseline measures, a tenth of their size each.

func words(rng *rand.Rand, n int) string {
	list := strings.Fields("the a code test file change handle error return value run check plan task commit branch client server")
	var b strings.Builder
	for b.Len() < n {
		b.WriteString(list[rng.Intn(len(list))] + " ")
	}
	return b.String()
}

// dense is one delta of 30 bytes a line.
func dense(lines int) []byte {
	rng := rand.New(rand.NewSource(7))
	var b bytes.Buffer
	for range lines {
		fmt.Fprintf(&b, `{"type":"content_block_delta","delta":{"type":"text_delta","text":%q}}`+"\n", words(rng, 30))
	}
	return b.Bytes()
}

// mixed is text, tool calls and their results.
func mixed(size int) []byte {
	rng := rand.New(rand.NewSource(7))
	var b bytes.Buffer
	for b.Len() < size {
		id := fmt.Sprintf("%08x", rng.Uint32())
		switch k := rng.Intn(100); {
		case k < 35:
			fmt.Fprintf(&b, `{"type":"assistant","message":{"id":"msg_%s","type":"message","role":"assistant","model":"claude-x","content":[{"type":"text","text":%q}],"stop_reason":null,"usage":{"input_tokens":3,"output_tokens":12}},"parent_tool_use_id":null,"session_id":"%s"}`,
				id, words(rng, 60)+"\n"+words(rng, 80), id)
		case k < 65:
			fmt.Fprintf(&b, `{"type":"assistant","message":{"id":"msg_%s","type":"message","role":"assistant","content":[{"type":"tool_use","id":"toolu_%s","name":"Bash","input":{"command":%q,"description":%q}}],"usage":{"input_tokens":3,"output_tokens":12}},"session_id":"%s"}`,
				id, id, words(rng, 120), words(rng, 40), id)
		case k < 95:
			fmt.Fprintf(&b, `{"type":"user","message":{"role":"user","content":[{"tool_use_id":"toolu_%s","type":"tool_result","content":%q,"is_error":false}]},"session_id":"%s"}`,
				id, words(rng, 200+rng.Intn(4000)), id)
		default:
			fmt.Fprintf(&b, `{"type":"system","subtype":"task_progress","description":%q,"session_id":"%s"}`, words(rng, 30), id)
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// oneLine is a single assistant text of that size.
func oneLine(size int) []byte {
	rng := rand.New(rand.NewSource(7))
	var b bytes.Buffer
	b.WriteString(`{"type":"assistant","message":{"content":[{"type":"text","text":"`)
	for b.Len() < size {
		b.WriteString(words(rng, 90) + `\n`)
	}
	b.WriteString(`<<<RALPHEX:ALL_TASKS_DONE>>>"}]}}` + "\n")
	return b.Bytes()
}

func BenchmarkStream(b *testing.B) {
	for _, bb := range []struct {
		name string
		data []byte
	}{
		{"dense-100k-lines", dense(100_000)},
		{"mixed-10MB", mixed(10 << 20)},
		{"one-line-8MB", oneLine(8 << 20)},
	} {
		b.Run(bb.name, func(b *testing.B) {
			b.SetBytes(int64(len(bb.data)))
			b.ReportAllocs()
			for b.Loop() {
				s := session.NewStream(func(event.Data) {}, nil, Dialect)
				for p := bb.data; len(p) > 0; p = p[min(64<<10, len(p)):] {
					_, _ = s.Write(p[:min(64<<10, len(p))])
				}
				s.Close()
			}
		})
	}
}
