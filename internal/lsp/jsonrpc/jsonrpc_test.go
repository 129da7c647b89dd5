package jsonrpc

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestReader(t *testing.T) {
	long := strings.Repeat("x", maxHeaderLine)
	tests := []struct {
		name, in string
		want     []string // bodies; an error is "! text" and ends the row unless the reader goes on
	}{
		{"two messages", "Content-Length: 2\r\n\r\n{}Content-Length: 4\r\n\r\nnull", []string{"{}", "null", "! EOF"}},
		{"empty body", "Content-Length: 0\r\n\r\n", []string{"", "! EOF"}},
		{"any case, blanks, other headers", "content-length :  2 \r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n{}", []string{"{}", "! EOF"}},
		{"bare line feeds", "Content-Length: 2\n\n{}", []string{"{}", "! EOF"}},
		{"same length twice", "Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}", []string{"{}", "! EOF"}},
		{"two lengths", "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", []string{"! message header: two lengths"}},
		{"nothing", "", []string{"! EOF"}},
		{"ends in the header", "Content-Length: 2\r\n", []string{"! unexpected EOF"}},
		{"ends in a line", "Content-Le", []string{"! unexpected EOF"}},
		{"ends in the body", "Content-Length: 3\r\n\r\n{}", []string{"! unexpected EOF"}},
		{"no length", "Content-Type: x\r\n\r\n{}", []string{"! message header: no Content-Length"}},
		{"no header", "{}\r\n\r\n", []string{`! message header: "{}" is no header line`}},
		{"negative", "Content-Length: -1\r\n\r\n", []string{`! message header: "-1" is no length`}},
		{"words", "Content-Length: two\r\n\r\n", []string{`! message header: "two" is no length`}},
		{"beyond 62 bits", "Content-Length: 9223372036854775807\r\n\r\n", []string{`! message header: "9223372036854775807" is no length`}},
		{"long line", "X: " + long + "\r\n\r\n", []string{"! message header: a line of more than 1024 bytes"}},
		{"endless line", strings.Repeat(long, 100), []string{"! message header: a line of more than 1024 bytes"}},
		{"many lines", strings.Repeat("X: y\r\n", 20), []string{"! message header: more than 16 lines"}},
		{"too large, then a good one", "Content-Length: 11\r\n\r\n12345678901Content-Length: 2\r\n\r\n{}",
			[]string{"! a message of 11 bytes is more than the 10 that are taken", "{}", "! EOF"}},
		{"a promise without bytes", "Content-Length: 4000000000000000000\r\n\r\nx", []string{"! unexpected EOF"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, in := range []io.Reader{strings.NewReader(tt.in), iotest.OneByteReader(strings.NewReader(tt.in))} {
				r := NewReader(in, 10)
				for _, want := range tt.want {
					body, err := r.Read()
					got := string(body)
					if err != nil {
						got = "! " + err.Error()
					}
					assert.Equal(t, want, got)
				}
			}
		})
	}
}

func TestDecode(t *testing.T) {
	tests := []struct {
		name, body string
		want       Message
		code       int
	}{
		{"request", `{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":1}}`, Message{ID: "1", Method: "m", Params: json.RawMessage(`{"a":1}`)}, 0},
		{"a string id", `{"jsonrpc":"2.0","id":"\u0061b","method":"m"}`, Message{ID: `"ab"`, Method: "m"}, 0},
		{"notification", `{"jsonrpc":"2.0","method":"m"}`, Message{Method: "m"}, 0},
		{"response", `{"jsonrpc":"2.0","id":7,"result":null}`, Message{ID: "7", Result: json.RawMessage("null")}, 0},
		{"an error", `{"jsonrpc":"2.0","id":7,"error":{"code":-1,"message":"no"}}`, Message{ID: "7", Error: &Error{-1, "no"}}, 0},
		{"an error for nobody", `{"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":"no"}}`, Message{Error: &Error{-1, "no"}}, 0},
		{"no JSON", `{`, Message{}, ParseError},
		{"empty", ``, Message{}, ParseError},
		{"a batch", `[{"jsonrpc":"2.0","id":1,"method":"m"}]`, Message{}, InvalidRequest},
		{"a torn batch", `[{"jsonrpc"`, Message{}, ParseError},
		{"a number", `1`, Message{}, InvalidRequest},
		{"null", `null`, Message{}, InvalidRequest},
		{"an object of nothing", `{}`, Message{}, InvalidRequest},
		{"old version", `{"jsonrpc":"1.0","id":1,"method":"m"}`, Message{ID: "1"}, InvalidRequest},
		{"no version", `{"id":1,"method":"m"}`, Message{ID: "1"}, InvalidRequest},
		{"null id", `{"jsonrpc":"2.0","id":null,"method":"m"}`, Message{}, InvalidRequest},
		{"fraction", `{"jsonrpc":"2.0","id":1.5,"method":"m"}`, Message{}, InvalidRequest},
		{"object id", `{"jsonrpc":"2.0","id":{},"method":"m"}`, Message{}, InvalidRequest},
		{"method of numbers", `{"jsonrpc":"2.0","id":1,"method":2}`, Message{}, InvalidRequest},
		{"no name", `{"jsonrpc":"2.0","id":1,"method":""}`, Message{ID: "1"}, InvalidRequest},
		{"neither", `{"jsonrpc":"2.0","id":1}`, Message{ID: "1"}, InvalidRequest},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, err := Decode([]byte(tt.body))
			if tt.code == 0 {
				require.Nil(t, err)
			} else {
				require.NotNil(t, err)
				assert.Equal(t, tt.code, err.Code, err.Message)
			}
			assert.Equal(t, tt.want, *m)
		})
	}
}

func TestEncode(t *testing.T) {
	tests := []struct {
		name string
		m    Message
		want string
	}{
		{"request", Message{ID: "1", Method: "m", Params: json.RawMessage(`[1]`)}, `{"jsonrpc":"2.0","id":1,"method":"m","params":[1]}`},
		{"notification", Message{Method: "m"}, `{"jsonrpc":"2.0","method":"m"}`},
		{"empty result", Message{ID: `"a"`}, `{"jsonrpc":"2.0","id":"a","result":null}`},
		{"no HTML escapes", Message{ID: "1", Result: json.RawMessage(`"<&>"`)}, `{"jsonrpc":"2.0","id":1,"result":"<&>"}`},
		{"error for nobody", Message{Error: Errorf(ParseError, "no")}, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			body, err := Encode(&tt.m)
			require.NoError(t, err)
			assert.Equal(t, tt.want, string(body))
		})
	}
}

// FuzzReader checks that no stream makes the reader panic, take more than it may, or lose step: what comes
// behind a message that was read, or skipped as too large, is read as it would be alone.
func FuzzReader(f *testing.F) {
	f.Add([]byte("Content-Length: 2\r\n\r\n{}"), []byte(`{"jsonrpc":"2.0","id":1,"method":"m"}`))
	f.Add([]byte("Content-Length: 200\n\n{}"), []byte(`null`))
	f.Add([]byte("content-length:1\r\nX: y\r\n\r\n1Content-Length: 99999999999\r\n\r\n"), []byte(``))
	f.Add([]byte("\r\n\r\n"), []byte(`[`))
	f.Fuzz(func(t *testing.T, stream, body []byte) {
		const max = 64
		r := NewReader(io.MultiReader(bytes.NewReader(framed(t, body)), bytes.NewReader(stream)), max)
		first, err := r.Read()
		if len(body) > max {
			var large *TooLargeError
			require.ErrorAs(t, err, &large)
		} else {
			require.NoError(t, err)
			require.Equal(t, string(body), string(first))
		}
		alone := NewReader(bytes.NewReader(stream), max)
		for {
			got, gotErr := r.Read()
			want, wantErr := alone.Read()
			require.Equal(t, want, got)
			require.Equal(t, fmt.Sprint(wantErr), fmt.Sprint(gotErr))
			require.LessOrEqual(t, len(got), max)
			var large *TooLargeError
			if gotErr != nil && !errors.As(gotErr, &large) {
				return
			}
			decodeAgain(t, got)
		}
	})
}

func framed(t *testing.T, body []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, Write(&b, body))
	return b.Bytes()
}

// decodeAgain checks that a message that was read is the same when it is written and read once more.
func decodeAgain(t *testing.T, body []byte) {
	t.Helper()
	m, bad := Decode(body)
	if bad != nil {
		require.Contains(t, []int{ParseError, InvalidRequest}, bad.Code)
		return
	}
	out, err := Encode(m)
	require.NoError(t, err)
	again, bad := Decode(out)
	require.Nil(t, bad, string(out))
	require.Equal(t, m.ID, again.ID)
	require.Equal(t, m.Method, again.Method)
	if m.Params != nil {
		require.JSONEq(t, string(m.Params), string(again.Params))
	}
}
