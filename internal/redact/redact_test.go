package redact

import (
	"bytes"
	"math/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Secrets are put together here, so that no scanner of repositories takes this file for a leak.
var (
	ghp = "ghp_" + strings.Repeat("aB3d", 9)
	ant = "sk-ant-" + strings.Repeat("x9-_", 12)
	jwt = "eyJhbGci" + strings.Repeat("OiJI", 12) + "." + strings.Repeat("abc", 20)
	pem = "-----BEGIN RSA PRIVATE" + " KEY-----\n" + strings.Repeat("MIIE/+x=", 20) + "\n-----END RSA PRIVATE" + " KEY-----"
)

var env = []string{
	"MY_TOKEN=tok\"en<&>\\1234", "API_KEY=abcdefgh-ijkl", "HOME=/home/someone", "DB_PASSWORD=short", "SSH_KEY=/home/someone/.ssh/id",
	"GIT_CONFIG_KEY_0=core.hooksPath", "LONGER_SECRET=abcdefgh-ijkl-mnop",
}

var cases = []struct{ name, in, want string }{
	{"nothing", "plain text", "plain text"},
	{"empty", "", ""},
	{"value", "key=abcdefgh-ijkl.", "key=[redacted:API_KEY]."},
	{"longer one first", "abcdefgh-ijkl-mnop", "[redacted:LONGER_SECRET]"},
	{"twice", "abcdefgh-ijklabcdefgh-ijkl", "[redacted:API_KEY][redacted:API_KEY]"},
	{"as JSON", `{"a":"tok\"en<&>\\1234"}`, `{"a":"[redacted:MY_TOKEN]"}`},
	{"as Go's JSON", `{"a":"tok\"en\u003c\u0026\u003e\\1234"}`, `{"a":"[redacted:MY_TOKEN]"}`},
	{"as it is", `tok"en<&>\1234`, `[redacted:MY_TOKEN]`},
	{"too short to be a secret", "short", "short"},
	{"a path is none", "/home/someone/.ssh/id core.hooksPath", "/home/someone/.ssh/id core.hooksPath"},
	{"github", "x " + ghp + ",", "x [redacted:github token],"},
	{"anthropic", "x=" + ant + "\n", "x=[redacted:anthropic key]\n"},
	{"behind an escape", `{"a":"b\n` + ghp + `"}`, `{"a":"b\n[redacted:github token]"}`},
	{"jwt", "Bearer " + jwt, "Bearer [redacted:jwt]"},
	{"pem", "a\n" + pem + "\nb", "a\n-----BEGIN RSA [redacted:private key]-----END RSA PRIVATE" + " KEY-----\nb"},
	{"part of a word", "task-" + strings.Repeat("abcd", 10), "task-" + strings.Repeat("abcd", 10)},
	{"a beginning only", "sk-ant- ghp_abc AKIA", "sk-ant- ghp_abc AKIA"},
	{"at the very end", "AKIA" + "ABCDEFGHIJKLMNOP", "[redacted:aws key]"},
}

func TestBytes(t *testing.T) {
	r := New(env, "from-settings")
	for _, tt := range cases {
		assert.Equal(t, tt.want, string(r.Bytes([]byte(tt.in))), tt.name)
		assert.Equal(t, tt.want, r.String(tt.in), tt.name)
	}
	assert.Equal(t, "[redacted:setting]", r.String("from-settings"))
	plain := []byte("nothing to see")
	assert.Same(t, &plain[0], &r.Bytes(plain)[0], "no copy without need")
}

// However a stream is cut, what comes out is the same.
func TestWriterInPieces(t *testing.T) {
	r := New(env)
	var all, want string
	for _, tt := range cases {
		all += tt.in + "|"
		want += tt.want + "|"
	}
	for size := 1; size < 70; size++ {
		assert.Equal(t, want, inPieces(t, r, all, size), size)
	}
}

func inPieces(t *testing.T, r *Redactor, text string, size int) string {
	t.Helper()
	var out bytes.Buffer
	w := r.Writer(&out)
	for p := []byte(text); len(p) > 0; p = p[min(size, len(p)):] {
		n, err := w.Write(p[:min(size, len(p))])
		require.NoError(t, err)
		require.Equal(t, min(size, len(p)), n)
	}
	require.NoError(t, w.Close())
	return out.String()
}

// A token without an end costs no memory.
func TestWriterForgets(t *testing.T) {
	var out bytes.Buffer
	w := New(env).Writer(&out)
	piece := bytes.Repeat([]byte("abcdefghij"), 1000)
	_, err := w.Write([]byte(" sk-ant-"))
	require.NoError(t, err)
	for range 1000 {
		_, err := w.Write(piece)
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	assert.Equal(t, " [redacted:anthropic key]", out.String())
	assert.Less(t, cap(w.buf), 100_000)
}

// No secret goes through, whatever stands around it and wherever the stream is cut, and nothing else is changed.
// pieced is a text that comes in pieces, of which each is shown at once.
func pieced(r *Redactor, text string, size int) string {
	t := r.Text()
	var out strings.Builder
	for ; text != ""; text = text[min(size, len(text)):] {
		out.WriteString(t.Add(text[:min(size, len(text))]))
	}
	return out.String() + t.Rest()
}

func TestTextInPieces(t *testing.T) {
	r := New(env)
	for size := 1; size < 70; size++ {
		for _, tt := range cases {
			assert.Equal(t, tt.want, pieced(r, tt.in, size), "%s by %d", tt.name, size)
		}
	}
	text := r.Text()
	assert.Equal(t, "nothing here\n", text.Add("nothing here\n"))
	assert.Equal(t, "the key is ", text.Add("the key is abcde"), "it may go on")
	assert.Equal(t, "abcdeX\n", text.Add("X\n"), "it did not")
	assert.Equal(t, "[redacted:API_KEY]", text.Add("abcdefgh-ijkl,")[:18], "and without waiting for the longer one")
}

func FuzzWriter(f *testing.F) {
	for _, tt := range cases {
		f.Add(tt.in, 3)
	}
	f.Add("sk-sk-ant-"+ant+"abcdefgh-ijkl", 1)
	f.Fuzz(func(t *testing.T, text string, size int) {
		r := New(env)
		size = 1 + (size&0xffff)%200
		whole := string(r.Bytes([]byte(text)))
		require.Equal(t, whole, inPieces(t, r, text, size))
		require.Equal(t, whole, pieced(r, text, size))
		require.NotContains(t, whole, "abcdefgh-ijkl")
		quick := New(solidEnv)
		whole = string(quick.Bytes([]byte(text)))
		require.Equal(t, whole, inPieces(t, quick, text, size), "solid")
		require.Equal(t, whole, pieced(quick, text, size), "solid")
		whole = string(r.Bytes([]byte(text)))
		if !strings.Contains(whole, "[redacted:") {
			require.Equal(t, text, whole)
		}
	})
}

func BenchmarkWriter(b *testing.B) {
	benchmarkWriter(b, append(env, "A_TOKEN=0123456789abcdef0123456789abcdef", "OTHER_KEY=zyxwvutsrqponml", "THIRD_SECRET=%%%%%%%%%%%%"))
}

func BenchmarkWriterSolid(b *testing.B) { benchmarkWriter(b, solidEnv) }

func benchmarkWriter(b *testing.B, env []string) {
	rng := rand.New(rand.NewSource(1))
	list := strings.Fields(`{"type":"assistant","message": the code test file change "content":[{"text":" task return value handle error\n commit branch https://example.org`)
	var text bytes.Buffer
	for text.Len() < 16<<20 {
		text.WriteString(list[rng.Intn(len(list))] + " ")
	}
	r := New(env)
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		w := r.Writer(new(nowhere))
		for p := text.Bytes(); len(p) > 0; p = p[min(64<<10, len(p)):] {
			_, _ = w.Write(p[:min(64<<10, len(p))])
		}
		_ = w.Close()
	}
}

type nowhere struct{}

func (*nowhere) Write(p []byte) (int, error) { return len(p), nil }
