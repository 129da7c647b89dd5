package notify

import (
	"bufio"
	"crypto/tls"
	"encoding/base64"
	"net"
	"net/http"
	"net/http/httptest"
	"net/textproto"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// mailServer is a small SMTP server on the loopback device. It takes one message a connection.
type mailServer struct {
	host     string
	port     int
	tls      *tls.Config
	implicit bool   // TLS from the first byte on
	offer    string // STARTTLS, or nothing
	auth     string // the ways to log in, "PLAIN"
	refuse   string // a receiver that it does not know

	mu   sync.Mutex
	mail []received
	wg   sync.WaitGroup
}

// received is a message and how it came.
type received struct {
	secure, login bool
	from          string
	to            []string
	header        textproto.MIMEHeader
	text          string
}

// certificate gives a server's TLS and a client's trust in it, for 127.0.0.1.
func certificate(t *testing.T) (*tls.Config, *httptest.Server) {
	t.Helper()
	s := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(s.Close)
	return s.TLS.Clone(), s
}

// serve begins to listen. The server ends with the test.
func (s *mailServer) serve(t *testing.T) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	s.host, s.port = "127.0.0.1", l.Addr().(*net.TCPAddr).Port
	t.Cleanup(func() { l.Close(); s.wg.Wait() })
	s.wg.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_ = c.SetDeadline(time.Now().Add(2 * time.Minute))
			if s.implicit {
				c = tls.Server(c, s.tls)
			}
			s.wg.Go(func() { s.talk(c) })
		}
	})
}

func (s *mailServer) got() []received {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.mail
}

// talk answers one client.
func (s *mailServer) talk(c net.Conn) {
	defer func() { c.Close() }()
	m := received{secure: s.implicit}
	text := textproto.NewConn(c)
	say := func(line string) { _ = text.PrintfLine("%s", line) }
	say("220 mail.test ready")
	for {
		line, err := text.ReadLine()
		if err != nil {
			return
		}
		verb, arg, _ := strings.Cut(line, " ")
		switch strings.ToUpper(verb) {
		case "EHLO":
			say("250-mail.test")
			if s.offer != "" && !m.secure {
				say("250-" + s.offer)
			}
			if s.auth != "" {
				say("250-AUTH " + s.auth)
			}
			say("250 8BITMIME")
		case "STARTTLS":
			say("220 go ahead")
			c = tls.Server(c, s.tls)
			text, m.secure = textproto.NewConn(c), true
		case "AUTH":
			m.login = s.login(text, arg)
			if !m.login {
				say("535 no")
				continue
			}
			say("235 welcome")
		case "MAIL":
			m.from = arg
			say("250 ok")
		case "RCPT":
			if s.refuse != "" && strings.Contains(arg, s.refuse) {
				say("550 nobody here")
				continue
			}
			m.to = append(m.to, arg)
			say("250 ok")
		case "DATA":
			say("354 go ahead")
			s.take(text, m)
			say("250 taken")
		case "QUIT":
			say("221 bye")
			return
		default:
			say("500 what?")
		}
	}
}

// login checks name and password, which are "me" and "sesame".
func (s *mailServer) login(text *textproto.Conn, arg string) bool {
	way, first, _ := strings.Cut(arg, " ")
	decode := func(word string) string { b, _ := base64.StdEncoding.DecodeString(word); return string(b) }
	if way == "PLAIN" {
		return decode(first) == "\x00me\x00sesame"
	}
	var said []string
	for _, q := range []string{"Username:", "Password:"} {
		_ = text.PrintfLine("334 %s", base64.StdEncoding.EncodeToString([]byte(q)))
		line, _ := text.ReadLine()
		said = append(said, decode(line))
	}
	return said[0] == "me" && said[1] == "sesame"
}

func (s *mailServer) take(text *textproto.Conn, m received) {
	r := textproto.NewReader(bufio.NewReader(text.DotReader()))
	m.header, _ = r.ReadMIMEHeader()
	var b strings.Builder
	for {
		line, err := r.ReadLine()
		if err != nil {
			break
		}
		b.WriteString(line)
	}
	body, _ := base64.StdEncoding.DecodeString(b.String())
	m.text = string(body)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mail = append(s.mail, m)
}
