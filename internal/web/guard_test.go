package web

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/web/view"
)

func host(name string) func(*http.Request) { return func(r *http.Request) { r.Host = name } }

func header(name, value string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set(name, value) }
}

// A page whose own name is made to lead here (DNS rebinding) sends its name as Host, and reads nothing.
func TestHostHasToBeOurs(t *testing.T) {
	t.Parallel()
	mine := newTestServer(t, &fakeLibrary{}, Config{})
	for name, want := range map[string]int{
		"localhost:8080": 200, "LOCALHOST": 200, "127.0.0.1:1": 200, "127.8.8.8": 200, "[::1]:8080": 200, "localhost.": 200,
		"evil.example": 403, "evil.example:8080": 403, "localhost.evil.example": 403, "127.0.0.1.evil.example": 403, "192.168.1.4:8080": 403, "0.0.0.0:8080": 403,
		"2130706433": 403, "127.1": 403, "": 403, "[::]": 403, "a b": 403,
	} {
		for _, at := range []string{"/", "/static/app.js", "/api/v1/runs", "/api/sessions", "/nothing"} {
			got := ask(t, mine, "GET", at, host(name)).Code
			if at == "/nothing" && want == 200 {
				assert.Equal(t, 404, got, name)
				continue
			}
			assert.Equal(t, want, got, "%s %s", name, at)
		}
	}
	all := &guard{host: "0.0.0.0", any: true}
	assert.True(t, all.ours("192.168.1.4:8080"), "an address is what it says")
	assert.False(t, all.ours("evil.example:8080"))
	assert.False(t, all.ours("0.0.0.0:8080"))
	named := &guard{host: "box.lan"}
	assert.True(t, named.ours("BOX.lan:8080"))
	assert.False(t, named.ours("192.168.1.4"))
}

func TestOtherSitesAreRefused(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, &fakeLibrary{}, Config{})
	for origin, want := range map[string]int{
		"http://localhost:8080": 200, "http://LOCALHOST:8080": 200, "": 200,
		"http://evil.example": 403, "http://localhost:9090": 403, "null": 403, "file://": 403, "http://evil@localhost:8080": 403, "ftp://localhost:8080": 403, "http://localhost:8080.evil": 403,
	} {
		got := ask(t, s, "GET", "/api/v1/runs", func(r *http.Request) {
			if origin != "" {
				r.Header.Set("Origin", origin)
			}
		})
		assert.Equal(t, want, got.Code, origin)
	}
	assert.Equal(t, 403, ask(t, s, "GET", "/api/v1/runs", header("Sec-Fetch-Site", "cross-site")).Code, "an image or a script of another site")
	assert.Equal(t, 403, ask(t, s, "GET", "/static/app.js", header("Sec-Fetch-Site", "same-site")).Code, "the same machine, another port")
	assert.Equal(t, 200, ask(t, s, "GET", "/", header("Sec-Fetch-Site", "cross-site"), header("Sec-Fetch-Mode", "navigate")).Code, "a link in a chat")
	assert.Equal(t, 200, ask(t, s, "GET", "/api/v1/runs", header("Sec-Fetch-Site", "same-origin")).Code)
}

// obedient notes orders.
type obedient struct{ got []Order }

func (o *obedient) Do(_ context.Context, _ view.Run, order Order) (Reply, error) {
	o.got = append(o.got, order)
	return Reply{OK: true, Text: "heard"}, nil
}

// post gives an order as the page does; change spoils it.
func post(t *testing.T, s *Server, body string, change ...func(*http.Request)) *httptest.ResponseRecorder {
	t.Helper()
	good := []func(*http.Request){header("Origin", "http://localhost:8080"), header("Content-Type", "application/json"), header(csrfHeader, s.guard.csrf),
		func(r *http.Request) {
			r.Body, r.ContentLength = io.NopCloser(strings.NewReader(body)), int64(len(body))
		}}
	return ask(t, s, "POST", "/api/v1/runs/a/control", append(good, change...)...)
}

func TestOrdersComeFromOurPageAlone(t *testing.T) {
	t.Parallel()
	lib, does := &fakeLibrary{}, &obedient{}
	lib.add(view.Run{ID: "a"})
	s := newTestServer(t, lib, Config{Actions: does})
	const pause = `{"verb":"pause","id":"1"}`
	drop := func(name string) func(*http.Request) { return func(r *http.Request) { r.Header.Del(name) } }
	for name, tt := range map[string]struct {
		change func(*http.Request)
		body   string
		want   int
	}{
		"no csrf":       {drop(csrfHeader), pause, 403},
		"wrong csrf":    {header(csrfHeader, "x"), pause, 403},
		"no origin":     {drop("Origin"), pause, 403},
		"other origin":  {header("Origin", "http://evil.example"), pause, 403},
		"a form":        {header("Content-Type", "application/x-www-form-urlencoded"), pause, 415},
		"text":          {header("Content-Type", "text/plain"), pause, 415},
		"no JSON":       {nil, "pause", 400},
		"two":           {nil, pause + pause, 400},
		"unknown field": {nil, `{"verb":"pause","id":"1","by":"root"}`, 400},
		"unknown verb":  {nil, `{"verb":"format","id":"1"}`, 400},
		"no id":         {nil, `{"verb":"pause"}`, 400},
		"empty note":    {nil, `{"verb":"note","id":"1","text":" "}`, 400},
		"NUL":           {nil, `{"verb":"note","id":"1","text":"a\u0000b"}`, 400},
		"bad draft":     {nil, `{"verb":"draft","id":"1","action":"burn"}`, 400},
		"less budget":   {nil, `{"verb":"budget","id":"1","cost_usd":-5}`, 400},
		"huge":          {nil, `{"verb":"note","id":"1","text":"` + strings.Repeat("x", maxBody) + `"}`, 413},
	} {
		w := post(t, s, tt.body, func(r *http.Request) {
			if tt.change != nil {
				tt.change(r)
			}
		})
		assert.Equal(t, tt.want, w.Code, "%s: %s", name, w.Body)
	}
	assert.Empty(t, does.got, "none of them was obeyed")
	w := post(t, s, pause, func(r *http.Request) { r.RemoteAddr = "192.168.1.4:5000" })
	assert.Equal(t, 200, w.Code, w.Body)
	assert.Equal(t, []Order{{Verb: "pause", ID: "1", From: "192.168.1.4"}}, does.got)
	looks := newTestServer(t, lib, Config{})
	assert.Equal(t, 403, post(t, looks, pause).Code)
	assert.Contains(t, ask(t, looks, "GET", "/api/v1/meta").Body.String(), `"control":false`)
}

// The token of the link becomes a cookie; without either nothing is told but the empty page.
func TestToken(t *testing.T) {
	t.Parallel()
	token := NewToken()
	var warned []error
	s := newTestServer(t, &fakeLibrary{}, Config{Token: token, Warn: func(err error) { warned = append(warned, err) }})
	for at, want := range map[string]int{"/": 200, "/static/app.js": 200, "/api/v1/runs": 401, "/api/v1/meta": 401, "/api/v1/stream": 401, "/api/sessions": 401, "/events?session=x": 401, "/nothing": 401, "/?token=wrong": 403, "/?token=": 403} {
		assert.Equal(t, want, ask(t, s, "GET", at).Code, at)
	}
	w := ask(t, s, "GET", "/?token="+token+"&run=a")
	assert.Equal(t, http.StatusSeeOther, w.Code)
	assert.Equal(t, "/?run=a", w.Header().Get("Location"))
	assert.Empty(t, w.Body.String(), "no page of its own")
	cookies := w.Result().Cookies()
	require.Len(t, cookies, 1)
	c := cookies[0]
	assert.True(t, c.HttpOnly)
	assert.Equal(t, http.SameSiteStrictMode, c.SameSite)
	assert.NotContains(t, c.Value, token)
	assert.Equal(t, 200, ask(t, s, "GET", "/api/v1/runs", func(r *http.Request) { r.AddCookie(c) }).Code)
	assert.Equal(t, 200, ask(t, s, "GET", "/api/v1/runs", header("Authorization", "Bearer "+token)).Code)
	assert.Equal(t, 200, ask(t, s, "GET", "/api/v1/runs", header("Authorization", "bearer "+token)).Code)
	assert.Equal(t, 401, ask(t, s, "GET", "/api/v1/runs", header("Authorization", "Bearer "+token+"x")).Code)
	assert.Equal(t, 401, ask(t, s, "GET", "/api/v1/runs", header("Authorization", token)).Code)
	planted := func(r *http.Request) { r.Header.Set("Cookie", c.Name+"=planted; "+c.Name+"="+c.Value) }
	assert.Equal(t, 200, ask(t, s, "GET", "/api/v1/runs", planted).Code, "a cookie of another port's page comes first")
	assert.Equal(t, 401, ask(t, s, "GET", "/api/v1/runs?token="+token).Code, "in the address of the page alone")
	c.Value = token
	assert.Equal(t, 401, ask(t, s, "GET", "/api/v1/runs", func(r *http.Request) { r.AddCookie(c) }).Code)
	s.warn(httptest.NewRequest("GET", "/api/v1/runs?token="+token, nil), "odd")
	require.Len(t, warned, 1)
	assert.NotContains(t, warned[0].Error(), token)
	assert.False(t, same("", ""), "no secret is no secret")
}

// Nothing is listed, nothing outside of the page's files is found, and nothing but the page is HTML.
func TestNothingButThePageIsHTML(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, &fakeLibrary{}, Config{})
	for _, at := range []string{"/static", "/static/", "/static/third_party", "/static/third_party/", "/static/../server.go", "/static/%2e%2e/server.go", "/static//app.js", "/static/..%2fserver.go",
		"/static/index.html", "/static/app.js/", "/assets/app.js", "/static/%00", "/api/v1/", "/api/v1/runs/", "/api/v1/runs/..", "/api/v1/runs/%2e%2e%2f", "//evil.example/", "/favicon.ico", "/static/<script>"} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Host, r.RemoteAddr = "localhost", "127.0.0.1:1"
		path, err := url.PathUnescape(at)
		require.NoError(t, err)
		r.URL.Path = path
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, r)
		assert.Equal(t, 404, w.Code, at)
		assert.NotContains(t, w.Header().Get("Content-Type"), "html", at)
		assert.Equal(t, csp, w.Header().Get("Content-Security-Policy"), at)
		assert.Equal(t, "nosniff", w.Header().Get("X-Content-Type-Options"), at)
	}
	w := ask(t, s, "GET", "/")
	assert.Equal(t, "text/html; charset=utf-8", w.Header().Get("Content-Type"))
	assert.Equal(t, csp, w.Header().Get("Content-Security-Policy"))
	assert.Equal(t, 304, ask(t, s, "GET", "/", header("If-None-Match", w.Header().Get("ETag"))).Code)
	packed := ask(t, s, "GET", "/static/app.js", header("Accept-Encoding", "br, gzip"))
	assert.Equal(t, "gzip", packed.Header().Get("Content-Encoding"))
	assert.Empty(t, ask(t, s, "GET", "/static/app.js", header("Accept-Encoding", "gzip;q=0")).Header().Get("Content-Encoding"))
}

func TestMethods(t *testing.T) {
	t.Parallel()
	lib := &fakeLibrary{}
	lib.add(view.Run{ID: "a"})
	s := newTestServer(t, lib, Config{})
	own := []func(*http.Request){header("Origin", "http://localhost:8080"), header(csrfHeader, s.guard.csrf)}
	for _, route := range s.known {
		method, at, _ := strings.Cut(route, " ")
		at = strings.NewReplacer("{$}", "", "{id}", "a", "{seq}", "1", "/static/", "/static/app.js").Replace(at)
		for _, other := range []string{"PUT", "DELETE", "PATCH", "OPTIONS", "POST", "GET"} {
			if other == method {
				continue
			}
			w := ask(t, s, other, at, own...)
			assert.Equal(t, 405, w.Code, "%s %s", other, at)
			assert.Contains(t, w.Header().Get("Allow"), method)
		}
		if method == "GET" {
			w := ask(t, s, "HEAD", at)
			assert.NotEqual(t, 405, w.Code, at)
			assert.Empty(t, w.Body.String(), at)
		}
	}
}

// Who sends its request drop by drop is not waited for.
func TestSlowRequestsAreCutOff(t *testing.T) {
	t.Parallel()
	s, at, _ := served(t, &fakeLibrary{}, Config{})
	assert.Positive(t, s.http.ReadHeaderTimeout)
	assert.Positive(t, s.http.IdleTimeout)
	c, err := net.Dial("tcp", strings.TrimPrefix(at, "http://"))
	require.NoError(t, err)
	defer c.Close()
	fmt.Fprintf(c, "POST /api/v1/runs/a/control HTTP/1.1\r\nHost: %s\r\nContent-Length: 100\r\n\r\n{", strings.TrimPrefix(at, "http://"))
	require.NoError(t, c.SetReadDeadline(time.Now().Add(2*time.Minute)))
	answer, err := io.ReadAll(c)
	require.NoError(t, err, "the server closes the connection")
	assert.Contains(t, string(answer), "403")
}
