package web

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"strings"
	"time"
)

// answerFor is how long an answer may take to be read.
const answerFor = 30 * time.Second

// zipFrom is the size from which an answer is packed.
const zipFrom = 1 << 10

// Refusal is an error that knows its HTTP status and how a program tells it from others.
type Refusal struct {
	Status  int
	Code    string // one word: "not_found"
	Message string
	Next    string // what to do; empty = nothing
}

func (e *Refusal) Error() string { return e.Message }

// Hint says what to do next.
func (e *Refusal) Hint() string { return e.Next }

func refused(status int, code, message, hint string) *Refusal {
	return &Refusal{Status: status, Code: code, Message: message, Next: hint}
}

// NotFound is the error of what is not there: a run, a gate, a plan.
func NotFound(format string, args ...any) *Refusal {
	return refused(http.StatusNotFound, "not_found", fmt.Sprintf(format, args...), "")
}

// BadRequest is the error of a request that nobody can obey as it is.
func BadRequest(format string, args ...any) *Refusal {
	return refused(http.StatusBadRequest, "bad_request", fmt.Sprintf(format, args...), "")
}

// Conflict is the error of an order that makes no sense now.
func Conflict(message, hint string) *Refusal {
	return refused(http.StatusConflict, "conflict", message, hint)
}

// asRefusal finds the status of any error.
func asRefusal(err error) *Refusal {
	if r, ok := errors.AsType[*Refusal](err); ok {
		return r
	}
	out := refused(http.StatusInternalServerError, "failed", err.Error(), "")
	if errors.Is(err, fs.ErrNotExist) {
		out.Status, out.Code = http.StatusNotFound, "not_found"
	}
	var h interface{ Hint() string }
	if errors.As(err, &h) {
		out.Next = h.Hint()
	}
	return out
}

// handler answers or says why not.
type handler func(w http.ResponseWriter, r *http.Request) error

func (h handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := h(w, r); err != nil {
		fail(w, r, err)
	}
}

// errorBody is how the API says no.
type errorBody struct {
	Error struct {
		Code    string `json:"code"`
		Message string `json:"message"`
		Hint    string `json:"hint,omitempty"`
	} `json:"error"`
}

// fail answers with an error: JSON where a program asks, else text. An error is never HTML.
func fail(w http.ResponseWriter, r *http.Request, err error) {
	if r.Context().Err() != nil {
		return // nobody is there any more
	}
	no := asRefusal(err)
	if strings.HasPrefix(r.URL.Path, "/api/v1/") {
		var body errorBody
		body.Error.Code, body.Error.Message, body.Error.Hint = no.Code, no.Message, no.Next
		_ = writeJSON(w, r, no.Status, body)
		return
	}
	text := no.Message
	if no.Next != "" {
		text += "\n" + no.Next
	}
	_ = write(w, r, no.Status, "text/plain; charset=utf-8", []byte(text+"\n"))
}

// writeJSON answers with v. <, > and & are escaped, so that no sniffing browser takes it for a page.
func writeJSON(w http.ResponseWriter, r *http.Request, status int, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("encode the answer: %w", err)
	}
	return write(w, r, status, "application/json; charset=utf-8", append(body, '\n'))
}

// write answers with body, packed where that pays. Who does not read it within answerFor is cut off.
func write(w http.ResponseWriter, r *http.Request, status int, kind string, body []byte) error {
	w.Header().Add("Vary", "Accept-Encoding")
	if len(body) >= zipFrom && takesGzip(r) {
		body = zipped(body)
		w.Header().Set("Content-Encoding", "gzip")
	}
	return send(w, r, status, kind, body)
}

// send is write for a body that is packed already, or never.
func send(w http.ResponseWriter, r *http.Request, status int, kind string, body []byte) error {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(answerFor))
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Length", fmt.Sprint(len(body)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // a reader that went away needs no error
	}
	return nil
}

// takesGzip tells whether a request takes packed answers.
func takesGzip(r *http.Request) bool {
	for part := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		name, params, _ := strings.Cut(strings.TrimSpace(part), ";")
		if strings.EqualFold(name, "gzip") {
			q := strings.TrimSpace(params)
			return q != "q=0" && !strings.HasPrefix(q, "q=0.0")
		}
	}
	return false
}

func zipped(body []byte) []byte {
	var out bytes.Buffer
	z, _ := gzip.NewWriterLevel(&out, gzip.BestSpeed) // the level is a legal one
	_, _ = z.Write(body)
	_ = z.Close()
	return out.Bytes()
}

func quoted(s string) string {
	const most = 100
	if len(s) > most {
		s = s[:most] + "…"
	}
	return fmt.Sprintf("%q", s)
}
