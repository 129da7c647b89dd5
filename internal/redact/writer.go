package redact

import "io"

// Writer takes secrets out of a stream, in whatever pieces it comes. It holds a few bytes back that may begin a secret:
// Close writes them.
type Writer struct {
	r     *Redactor
	w     io.Writer
	buf   []byte // context that is written already, then what is not
	done  int    // length of the context
	token *shape // of a token whose end is still to come
}

// Writer returns a Writer to w.
func (r *Redactor) Writer(w io.Writer) *Writer { return &Writer{r: r, w: w} }

// Write takes the next piece.
func (w *Writer) Write(p []byte) (int, error) {
	w.buf = append(w.buf, p...)
	return len(p), w.flush(w.r.longest - 1)
}

// Close writes what was held back. The underlying writer stays open.
func (w *Writer) Close() error { return w.flush(0) }

// flush writes everything but the last hold bytes, and what is within a secret.
func (w *Writer) flush(hold int) error {
	for {
		w.skipToken()
		at, n, p := w.r.find(w.buf, w.done)
		if n == 0 {
			return w.write(max(w.done, len(w.buf)-max(0, hold)), "")
		}
		if len(w.buf)-at < w.r.longest && hold > 0 { // a longer secret may begin here
			return w.write(at, "")
		}
		if err := w.write(at, p.mark()); err != nil {
			return err
		}
		w.done += n
		w.token = p.shape
	}
}

// skipToken drops the rest of a token.
func (w *Writer) skipToken() {
	for w.token != nil && w.done < len(w.buf) {
		if !w.token.has(w.buf[w.done]) {
			w.token = nil
			return
		}
		w.done++
	}
}

// write writes up to a place, and a text behind it.
func (w *Writer) write(to int, text string) error {
	var err error
	if to > w.done {
		_, err = w.w.Write(w.buf[w.done:to])
		w.done = to
	}
	if err == nil && text != "" {
		_, err = io.WriteString(w.w, text)
	}
	if cut := w.done - lookBack; cut > 0 && text == "" {
		w.buf = append(w.buf[:0], w.buf[cut:]...)
		w.done = lookBack
	}
	return err
}
