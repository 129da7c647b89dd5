package notify

import (
	"context"
	"crypto/x509"
	"mime"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMailIsSent(t *testing.T) {
	t.Parallel()
	cert, trusted := certificate(t)
	roots := x509.NewCertPool()
	roots.AddCert(trusted.Certificate())
	tests := []struct {
		name   string
		server *mailServer
		mail   Mail
		secure bool
		login  bool
		err    string
	}{
		{"in the clear", &mailServer{}, Mail{}, false, false, ""},
		{"STARTTLS where it is offered", &mailServer{offer: "STARTTLS", auth: "PLAIN LOGIN"}, Mail{Username: "me", Password: "sesame"}, true, true, ""},
		{"STARTTLS is asked for", &mailServer{offer: "STARTTLS"}, Mail{TLS: TLSStart}, true, false, ""},
		{"STARTTLS is asked for and not there", &mailServer{}, Mail{TLS: TLSStart}, false, false, "offers no STARTTLS"},
		{"TLS from the first byte on", &mailServer{implicit: true, auth: "LOGIN"}, Mail{TLS: TLSImplicit, Username: "me", Password: "sesame"}, true, true, ""},
		{"not wanted though offered", &mailServer{offer: "STARTTLS"}, Mail{TLS: TLSNone}, false, false, ""},
		{"a wrong password", &mailServer{auth: "PLAIN"}, Mail{Username: "me", Password: "wrong"}, false, false, "login: 535"},
		{"no login there", &mailServer{}, Mail{Username: "me", Password: "sesame"}, false, false, "takes no login here"},
		{"a receiver that is not known", &mailServer{refuse: "b@example.com"}, Mail{}, false, false, "receiver b@example.com: 550"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := tt.server
			s.tls = cert
			s.serve(t)
			m := tt.mail
			m.Host, m.Port, m.From, m.To, m.roots = s.host, s.port, "Robot <robot@example.com>", []string{"a@example.com", "B <b@example.com>"}, roots
			n, err := New(Settings{Channels: []string{"Email"}, Mail: m})
			require.NoError(t, err)
			msg := Sample(Failure)
			msg.Reason = "grün ist es nicht"
			sent := n.Send(t.Context(), msg)
			require.Len(t, sent, 1)
			if tt.err != "" {
				require.ErrorContains(t, sent[0].Err, tt.err)
				assert.Empty(t, s.got())
				return
			}
			require.NoError(t, sent[0].Err)
			require.Len(t, s.got(), 1)
			got := s.got()[0]
			assert.Equal(t, tt.secure, got.secure)
			assert.Equal(t, tt.login, got.login)
			assert.Contains(t, got.from, "<robot@example.com>")
			assert.Len(t, got.to, 2)
			subject, err := new(mime.WordDecoder).DecodeHeader(got.header.Get("Subject"))
			require.NoError(t, err)
			assert.Equal(t, "ralphex: feature: failed on this-machine: grün ist es nicht", subject)
			assert.Equal(t, `"B" <b@example.com>`, got.header.Get("To")[len("<a@example.com>, "):])
			assert.Contains(t, got.text, "error:    grün ist es nicht\n")
		})
	}
}

// A server whose certificate nobody trusts gets neither message nor password.
func TestMailNeedsATrustedServer(t *testing.T) {
	t.Parallel()
	cert, _ := certificate(t)
	s := &mailServer{tls: cert, offer: "STARTTLS", auth: "PLAIN"}
	s.serve(t)
	n, err := New(Settings{Channels: []string{"email"}, Mail: Mail{Host: s.host, Port: s.port, From: "a@example.com", To: []string{"b@example.com"}, Username: "me", Password: "sesame"}})
	require.NoError(t, err)
	require.ErrorContains(t, n.Send(t.Context(), Sample(Success))[0].Err, "notify_smtp_tls = none")
	assert.Empty(t, s.got())
}

// A server that takes the connection and says nothing costs no more than the channel's time.
func TestMailServerThatIsSilent(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	n, err := New(Settings{Channels: []string{"email"}, Timeout: 50 * time.Millisecond,
		Mail: Mail{Host: "127.0.0.1", Port: l.Addr().(*net.TCPAddr).Port, From: "a@example.com", To: []string{"b@example.com"}}})
	require.NoError(t, err)
	sent := n.Send(context.Background(), Sample(Success))
	require.ErrorContains(t, sent[0].Err, "no answer within 50ms")
}

func TestMailPorts(t *testing.T) {
	for _, tt := range []struct {
		in, want Mail
	}{
		{Mail{}, Mail{Port: 587, TLS: TLSAuto}},
		{Mail{Port: 465}, Mail{Port: 465, TLS: TLSImplicit}},
		{Mail{TLS: TLSImplicit}, Mail{Port: 465, TLS: TLSImplicit}},
		{Mail{Port: 25, TLS: TLSStart}, Mail{Port: 25, TLS: TLSStart}},
	} {
		tt.in.Host, tt.in.From, tt.in.To = "h", "a@b", []string{"c@d"}
		c, err := newMail(tt.in)
		require.NoError(t, err)
		assert.Equal(t, tt.want.Port, c.(*email).Port)
		assert.Equal(t, tt.want.TLS, c.(*email).TLS)
	}
}
