package notify

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"ralphex/internal/wait"
)

// tries is how often a server that is busy is asked, within the time of its channel.
const tries = 3

// sameHost follows redirections only where the message stays with the host that the person named.
func sameHost(to *http.Request, via []*http.Request) error {
	if len(via) >= 5 {
		return errors.New("too many redirections")
	}
	if from := via[0].URL; to.URL.Host != from.Host || from.Scheme == "https" && to.URL.Scheme != "https" {
		return fmt.Errorf("redirected to %s: name that address itself", to.URL.Host)
	}
	return nil
}

// answer is what a server said.
type answer struct {
	code int
	body []byte
}

// call sends a request and returns the answer, whose status is 2xx. A server that is busy (429, 5xx) is asked again.
func call(ctx context.Context, client *http.Client, address string, header http.Header, body []byte) (answer, error) {
	for n := 1; ; n++ {
		a, after, err := callOnce(ctx, client, address, header, body)
		busy := a.code == http.StatusTooManyRequests || a.code >= 500
		if err == nil || !busy || n == tries {
			return a, err
		}
		pause := max(after, time.Duration(n)*500*time.Millisecond)
		if end, ok := ctx.Deadline(); ok && time.Until(end) <= pause {
			return a, err // what the server said tells more than that the time is over
		}
		if wait.For(ctx, pause) != nil {
			return a, err
		}
	}
}

func callOnce(ctx context.Context, client *http.Client, address string, header http.Header, body []byte) (a answer, after time.Duration, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return a, 0, errors.New("not an address")
	}
	for name, values := range header {
		req.Header[name] = values
	}
	req.Header.Set("User-Agent", "ralphex")
	resp, err := client.Do(req)
	if err != nil {
		var u *url.Error
		if errors.As(err, &u) {
			err = u.Err // the address may hold a token
		}
		return a, 0, err
	}
	defer resp.Body.Close()
	a.code = resp.StatusCode
	a.body, _ = io.ReadAll(io.LimitReader(resp.Body, 16<<10))
	if a.code/100 != 2 {
		seconds, _ := strconv.Atoi(resp.Header.Get("Retry-After"))
		return a, time.Duration(seconds) * time.Second, fmt.Errorf("%d %s%s", a.code, http.StatusText(a.code), behind(explain(a.body)))
	}
	return a, 0, nil
}

// explain finds in an answer what the server complains of.
func explain(body []byte) string {
	var said struct{ Description, Message, Error any }
	if json.Unmarshal(body, &said) == nil {
		for _, v := range []any{said.Description, said.Message, said.Error} {
			if s, ok := v.(string); ok && s != "" {
				return plain(s, 1)
			}
		}
		return ""
	}
	return clip(plain(string(body), 1), 200)
}

func behind(s string) string {
	if s == "" {
		return ""
	}
	return ": " + s
}

// callJSON sends a value as JSON.
func callJSON(ctx context.Context, client *http.Client, address string, header http.Header, v any) (answer, error) {
	body, err := json.Marshal(v)
	if err != nil {
		return answer{}, err
	}
	h := header.Clone()
	if h == nil {
		h = http.Header{}
	}
	h.Set("Content-Type", "application/json; charset=utf-8")
	return call(ctx, client, address, h, body)
}

// hostOf is what people are told of an address.
func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "?"
	}
	return u.Host
}

// webAddress checks the address of a server.
func webAddress(raw string) (*url.URL, error) {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, errors.New("not a web address; write one like https://example.com/hook")
	}
	return u, nil
}
