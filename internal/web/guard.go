package web

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"
)

// csp lets the page load its own files and talk to its own server, and nothing else.
const csp = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const (
	// csrfHeader carries Meta.CSRF in orders: another site can't read it, and can't set a header of its own.
	csrfHeader = "X-Ralphex-CSRF"
	// bodyFor is how long a request may take to send its body.
	bodyFor = 10 * time.Second
	// maxBody is how long a body may be: the longest are texts of people.
	maxBody = 256 << 10
)

// guard judges each request before anything else sees it.
type guard struct {
	host   string // that was bound, as it was given; lower case
	port   string
	any    bool   // it is bound to all addresses of this machine
	token  string // empty = none is needed
	csrf   string
	cookie string // name of the cookie
}

// newGuard is the guard of a server at addr that was asked to listen at host.
func newGuard(host string, addr net.Addr, token string) *guard {
	g := &guard{host: strings.ToLower(host), token: token, csrf: rand.Text(), cookie: "ralphex"}
	if tcp, ok := addr.(*net.TCPAddr); ok {
		g.any = tcp.IP.IsUnspecified()
		// A browser's cookies don't know ports: two dashboards on one machine must not log each other out.
		_, g.port, _ = net.SplitHostPort(addr.String())
		g.cookie += "-" + g.port
		if g.host == "" {
			g.host = tcp.IP.String()
		}
	}
	return g
}

// NewToken makes a token: 130 random bits.
func NewToken() string { return rand.Text() }

// IsLoopback tells whether host can be reached from this machine only, so that no token is needed. A name is asked for its spelling alone:
// what it resolves to today says nothing about tomorrow.
func IsLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// wrap puts the guard in front of h.
func (g *guard) wrap(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		g.headers(w.Header())
		if err := g.judge(w, r); err != nil {
			if r.ContentLength != 0 {
				w.Header().Set("Connection", "close") // nobody waits for a body that is refused
				_ = http.NewResponseController(w).SetReadDeadline(time.Now())
			}
			fail(w, r, err)
			return
		}
		if g.login(w, r) {
			return
		}
		h.ServeHTTP(w, r)
	})
}

// headers are those of each answer, refusals included.
func (g *guard) headers(h http.Header) {
	h.Set("Content-Security-Policy", csp)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
}

// judge refuses what does not come from a page of this server, or from nobody's.
func (g *guard) judge(w http.ResponseWriter, r *http.Request) error {
	if r.ContentLength != 0 {
		// A body that drips would hold the connection, whether anybody reads it or not.
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(bodyFor))
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	}
	if !g.ours(r.Host) {
		return refused(http.StatusForbidden, "host", "this server does not answer to the name "+quoted(r.Host), "open the address that ralphex printed")
	}
	origin := r.Header.Get("Origin")
	if origin != "" && !sameOrigin(origin, r.Host) {
		return refused(http.StatusForbidden, "origin", "requests of other sites are refused: "+quoted(origin), "")
	}
	// A browser that says where a request comes from is believed: what other sites may do is lead a person here.
	if site := r.Header.Get("Sec-Fetch-Site"); site == "cross-site" || site == "same-site" {
		if r.Header.Get("Sec-Fetch-Mode") != "navigate" || r.URL.Path != "/" || !reads(r.Method) {
			return refused(http.StatusForbidden, "origin", "requests of other sites are refused", "")
		}
	}
	if needsToken(r.URL.Path) && !g.knows(r) {
		return refused(http.StatusUnauthorized, "token", "this dashboard wants the token that ralphex printed", "open the whole link, with its ?token=")
	}
	if reads(r.Method) {
		return nil
	}
	if origin == "" {
		return refused(http.StatusForbidden, "origin", "an order has to say which page it comes from", "send the header Origin: http://"+r.Host)
	}
	if !same(r.Header.Get(csrfHeader), g.csrf) {
		return refused(http.StatusForbidden, "csrf", "the header "+csrfHeader+" is not the one of this server", "get it from /api/v1/meta: it changes when the server is started again")
	}
	return nil
}

// needsToken tells whether a path has anything to tell. The page itself is the same everywhere and says nothing; it has to be there without the
// cookie, since a browser that is led here from another site (a link in a chat) leaves a strict cookie out of the first request.
func needsToken(path string) bool {
	return path != "/" && !strings.HasPrefix(path, "/static/")
}

func reads(method string) bool {
	return method == http.MethodGet || method == http.MethodHead || method == http.MethodOptions
}

// knows tells whether a request has the token, or the cookie that was given for it.
func (g *guard) knows(r *http.Request) bool {
	if g.token == "" {
		return true
	}
	if scheme, bearer, _ := strings.Cut(r.Header.Get("Authorization"), " "); strings.EqualFold(scheme, "Bearer") && same(bearer, g.token) {
		return true
	}
	// A page at another port of this host can set a cookie of that name, too, with a longer path, and the browser sends it first: it must not log anybody out.
	return slices.ContainsFunc(r.CookiesNamed(g.cookie), func(c *http.Cookie) bool { return same(c.Value, g.pass()) })
}

// pass is the value of the cookie. It is made of the token, so that a cookie that gets about is no link.
func (g *guard) pass() string {
	mac := hmac.New(sha256.New, []byte(g.token))
	mac.Write([]byte("ralphex dashboard cookie"))
	return hex.EncodeToString(mac.Sum(nil))
}

// login trades the token of a link for a cookie, and leads to the same place without it.
func (g *guard) login(w http.ResponseWriter, r *http.Request) bool {
	q := r.URL.Query()
	if r.URL.Path != "/" || !reads(r.Method) || !q.Has("token") {
		return false
	}
	if g.token != "" {
		if !same(q.Get("token"), g.token) {
			fail(w, r, refused(http.StatusForbidden, "token", "this is not the token of this dashboard", "each start prints a new link: use the newest"))
			return true
		}
		http.SetCookie(w, &http.Cookie{Name: g.cookie, Value: g.pass(), Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: r.TLS != nil})
	}
	q.Del("token")
	to := url.URL{Path: "/", RawQuery: q.Encode()}
	w.Header().Set("Location", to.String())
	w.WriteHeader(http.StatusSeeOther)
	return true
}

// ours tells whether a Host header names this server. A name of somebody else's that leads here (DNS rebinding) does not; an address always is what it
// says, and on a server that listens on all of them each is right.
func (g *guard) ours(hostport string) bool {
	host := hostport
	if h, _, err := net.SplitHostPort(hostport); err == nil {
		host = h
	}
	host = strings.ToLower(strings.TrimSuffix(strings.TrimPrefix(strings.TrimSuffix(host, "]"), "["), "."))
	if host == "" {
		return false
	}
	if !g.any {
		return IsLoopback(host) || host == g.host
	}
	if IsLoopback(host) {
		return true
	}
	if ip, err := netip.ParseAddr(host); err == nil {
		return !ip.IsUnspecified()
	}
	name, err := os.Hostname()
	if err != nil || name == "" {
		return false
	}
	name = strings.ToLower(name)
	short, _, _ := strings.Cut(name, ".")
	return host == name || host == short || host == short+".local"
}

// sameOrigin tells whether an Origin header names the host that the request went to. "null", the origin of a page without one, does not.
func sameOrigin(origin, host string) bool {
	u, err := url.Parse(origin)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.User == nil && strings.EqualFold(u.Host, host)
}

// same compares secrets in a time that says nothing about them, not even their length.
func same(a, b string) bool {
	x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return subtle.ConstantTimeCompare(x[:], y[:]) == 1 && a != ""
}
