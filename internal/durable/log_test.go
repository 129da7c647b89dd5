package durable

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestOpenLogDropsTornLine(t *testing.T) {
	long := `{"text":"` + strings.Repeat("x", 100_000) + `"}`
	tests := []struct{ name, before, after string }{
		{"new", "", ""},
		{"whole", "{\"a\":1}\n{\"a\":2}\n", "{\"a\":1}\n{\"a\":2}\n"},
		{"no newline", "{\"a\":1}\n{\"a\":2}", "{\"a\":1}\n"},
		{"half a line", "{\"a\":1}\n{\"a", "{\"a\":1}\n"},
		{"only half a line", "{\"a", ""},
		{"no JSON", "{\"a\":1}\n{\"a\n", "{\"a\":1}\n"},
		{"zeros", "{\"a\":1}\n\x00\x00\x00\x00", "{\"a\":1}\n"},
		{"long lines", long + "\n" + long + "\n" + long[:70_000], long + "\n" + long + "\n"},
		{"long line that is no JSON", long + "\n" + long[:90_000] + "\n", long + "\n"},
		{"torn in the middle stays", "{\"a\n{\"a\":2}\n", "{\"a\n{\"a\":2}\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "log")
			if tt.before != "" {
				require.NoError(t, os.WriteFile(path, []byte(tt.before), 0o600))
			}
			l, err := OpenLog(path, 0o600)
			require.NoError(t, err)
			assert.EqualValues(t, len(tt.before)-len(tt.after), l.Dropped())
			require.NoError(t, l.Append([]byte("{}\n")))
			assert.EqualValues(t, len(tt.after)+3, l.Size())
			require.NoError(t, l.Close())
			got, err := os.ReadFile(path)
			require.NoError(t, err)
			assert.Equal(t, tt.after+"{}\n", string(got))
		})
	}
}

func TestOpenLogRefuses(t *testing.T) {
	_, err := OpenLog(t.TempDir(), 0o600)
	assert.Error(t, err)
}

// A write that failed must not leave a half line that the next one continues.
func TestLogMendsAfterFailedWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	l, err := OpenLog(path, 0o600)
	require.NoError(t, err)
	defer l.Close()
	require.NoError(t, l.Append([]byte("{\"a\":1}\n")))
	_, err = l.f.Write([]byte("{\"a\":")) // what a full disk leaves of a write
	require.NoError(t, err)
	l.torn = true
	require.NoError(t, l.Append([]byte("{\"a\":3}\n")))
	got, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "{\"a\":1}\n{\"a\":3}\n", string(got))
}

func TestLastLine(t *testing.T) {
	long := `{"text":"` + strings.Repeat("x", 100_000) + `"}`
	tests := []struct {
		name, text, want string
		offset           int64
	}{
		{"none", "", "", 0},
		{"only a torn one", "{\"a\"", "", 0},
		{"one", "{}\n", "{}", 0},
		{"second", "{}\n{\"b\":1}\n", "{\"b\":1}", 3},
		{"torn behind", "{}\n{\"b\":1}\n{", "{\"b\":1}", 3},
		{"no JSON behind", "{}\n{\"b\":1}\n{\n", "{\"b\":1}", 3},
		{"long", "{}\n" + long + "\n", long, 3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			line, offset, err := LastLine(strings.NewReader(tt.text), int64(len(tt.text)))
			require.NoError(t, err)
			assert.Equal(t, tt.want, string(line))
			assert.Equal(t, tt.offset, offset)
		})
	}
}

func TestLineReader(t *testing.T) {
	long := strings.Repeat("y", 200_000)
	r := NewLineReader(strings.NewReader("a\n\n"+long+"\nb\ntorn"), 10)
	for _, want := range []struct {
		line   string
		offset int64
	}{{"a", 10}, {"", 12}, {long, 13}, {"b", 200_014}} {
		line, offset, err := r.Next()
		require.NoError(t, err)
		assert.Equal(t, want.line, string(line))
		assert.Equal(t, want.offset, offset)
	}
	_, offset, err := r.Next()
	require.ErrorIs(t, err, io.EOF)
	assert.EqualValues(t, 200_016, offset)
	assert.EqualValues(t, 200_016, r.Offset())
}

func TestLineReaderReportsReadError(t *testing.T) {
	broken := errors.New("disk is gone")
	r := NewLineReader(io.MultiReader(strings.NewReader("a\nb"), errReader{broken}), 0)
	_, _, err := r.Next()
	require.NoError(t, err)
	_, _, err = r.Next()
	require.ErrorIs(t, err, broken)
}

type errReader struct{ err error }

func (r errReader) Read([]byte) (int, error) { return 0, r.err }

// FuzzOpenLog: whatever is in the file, what is appended after opening is a line of its own, and no whole line that was
// JSON is lost.
func FuzzOpenLog(f *testing.F) {
	for _, seed := range []string{"", "{}", "{}\n", "{}\n{", "{}\n{\n", "\n\n", "{}\n\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, before []byte) {
		path := filepath.Join(t.TempDir(), "log")
		require.NoError(t, os.WriteFile(path, before, 0o600))
		l, err := OpenLog(path, 0o600)
		require.NoError(t, err)
		require.NoError(t, l.Append([]byte("{\"new\":true}\n")))
		require.NoError(t, l.Close())
		after, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, valid(before)+1, valid(after))
		require.True(t, bytes.HasSuffix(after, []byte("{\"new\":true}\n")))
	})
}

func valid(text []byte) (n int) {
	for _, line := range bytes.SplitAfter(text, []byte("\n")) {
		if bytes.HasSuffix(line, []byte("\n")) && json.Valid(line) {
			n++
		}
	}
	return n
}

func BenchmarkLogAppend(b *testing.B) {
	l, err := OpenLog(filepath.Join(b.TempDir(), "log"), 0o600)
	require.NoError(b, err)
	defer l.Close()
	line := []byte(`{"v":1,"seq":1,"type":"tick"}` + "\n")
	for b.Loop() {
		if err := l.Append(line); err != nil {
			b.Fatal(err)
		}
	}
}
