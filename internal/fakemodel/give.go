package fakemodel

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"
	"unicode/utf8"
)

// give sends an answer, or what the turn has instead of one.
func give(w http.ResponseWriter, r *http.Request, p protocol, a answer) {
	switch f := a.Fail; {
	case a.Drop == "before":
		panic(http.ErrAbortHandler) // net/http closes the connection without a word
	case f != nil && (!f.Late || !a.asked.stream):
		for name, value := range f.Headers {
			w.Header().Set(name, value)
		}
		status := f.Status
		if status == 0 {
			status = http.StatusInternalServerError
		}
		reply(w, status, p.refuse(*f))
		return
	case !a.asked.stream:
		if a.Hang {
			<-r.Context().Done()
			return
		}
		if a.Drop != "" {
			panic(http.ErrAbortHandler)
		}
		reply(w, http.StatusOK, p.whole(a))
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	e := &events{w: w, done: r.Context().Done(), pause: time.Duration(a.PauseMS) * time.Millisecond}
	first, second := halves(a.Text)
	if a.Drop == "mid" || a.Hang || a.Fail != nil {
		e.cut = func() {
			switch {
			case a.Hang:
				<-e.done
			case a.Fail != nil:
				p.late(e, *a.Fail)
				return
			}
			panic(http.ErrAbortHandler)
		}
	}
	e.first, e.second = first, second
	p.stream(e, a)
}

// events writes an answer piece by piece.
type events struct {
	w             http.ResponseWriter
	done          <-chan struct{}
	pause         time.Duration
	first, second string // the text, in two pieces
	cut           func() // what happens when the first piece of the text is out; nil = nothing
	over          bool   // nothing more is sent
}

// send writes one event. A name stands on a line of its own where the protocol has them.
func (e *events) send(name string, data any) {
	if e.over {
		return
	}
	if e.pause > 0 {
		t := time.NewTimer(e.pause)
		defer t.Stop()
		select {
		case <-t.C:
		case <-e.done:
			panic(http.ErrAbortHandler)
		}
	}
	if name != "" {
		fmt.Fprintf(e.w, "event: %s\n", name)
	}
	text, ok := data.(string)
	if !ok {
		b, err := json.Marshal(data)
		if err != nil {
			panic(err) // maps of strings and numbers
		}
		text = string(b)
	}
	fmt.Fprintf(e.w, "data: %s\n\n", text)
	if f, ok := e.w.(http.Flusher); ok {
		f.Flush()
	}
}

// text sends the text in two pieces, and between them whatever the turn has in store.
func (e *events) text(piece func(string)) {
	piece(e.first)
	if e.cut != nil {
		e.cut()
		e.over = true
	}
	if e.second != "" {
		piece(e.second)
	}
}

// halves cuts a text in two, between runes.
func halves(s string) (string, string) {
	n := len(s) / 2
	for n > 0 && n < len(s) && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n], s[n:]
}
