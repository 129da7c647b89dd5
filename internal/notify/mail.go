package notify

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"mime"
	"net"
	"net/mail"
	"net/smtp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Mail is how mail is sent.
type Mail struct {
	Host               string
	Port               int // 0 = 587, or 465 with TLS implicit
	TLS                TLS
	Username, Password string // empty = no login
	From               string // "ralphex@example.com", or with a name before it
	To                 []string
	Subject            string // empty = the message on one line

	roots *x509.CertPool // nil = the system's
}

// TLS says how the connection to a mail server is secured.
type TLS string

// The ways.
const (
	TLSAuto     TLS = "auto"     // implicit on port 465, else STARTTLS where the server offers it
	TLSStart    TLS = "starttls" // STARTTLS or nothing
	TLSImplicit TLS = "implicit" // from the first byte on
	TLSNone     TLS = "none"     // in the clear; no password is sent then, but to this machine
)

// email sends by an SMTP server.
type email struct{ Mail }

func newMail(m Mail) (channel, error) {
	for key, value := range map[string]string{"notify_smtp_host": m.Host, "notify_email_from": m.From, "notify_email_to": strings.Join(m.To, "")} {
		if value == "" {
			return nil, missing(key, "email")
		}
	}
	if m.TLS == "" {
		m.TLS = TLSAuto
	}
	if m.Port == 0 {
		m.Port = 587
		if m.TLS == TLSImplicit {
			m.Port = 465
		}
	}
	if m.TLS == TLSAuto && m.Port == 465 {
		m.TLS = TLSImplicit
	}
	if _, err := mail.ParseAddress(m.From); err != nil {
		return nil, &SettingError{"notify_email_from", fmt.Sprintf("%q is no mail address", m.From)}
	}
	for _, to := range m.To {
		if _, err := mail.ParseAddress(to); err != nil {
			return nil, &SettingError{"notify_email_to", fmt.Sprintf("%q is no mail address", to)}
		}
	}
	return &email{m}, nil
}

func (e *email) kind() string  { return "email" }
func (e *email) place() string { return strings.Join(e.To, ", ") }

func (e *email) send(ctx context.Context, p post) error {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", net.JoinHostPort(e.Host, strconv.Itoa(e.Port)))
	if err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	defer conn.Close()
	if e.TLS == TLSImplicit {
		conn = tls.Client(conn, e.tls())
	}
	c, err := smtp.NewClient(conn, e.Host)
	if err != nil {
		return err
	}
	if err := e.talk(c, p); err != nil {
		return err
	}
	_ = c.Quit() // the server has the message
	return nil
}

func (e *email) tls() *tls.Config {
	return &tls.Config{ServerName: e.Host, RootCAs: e.roots, MinVersion: tls.VersionTLS12}
}

// talk leads the conversation up to the delivery.
func (e *email) talk(c *smtp.Client, p post) error {
	if err := e.secure(c); err != nil {
		return err
	}
	if err := e.login(c); err != nil {
		return err
	}
	from, _ := mail.ParseAddress(e.From) // newMail has parsed them all
	if err := c.Mail(from.Address); err != nil {
		return fmt.Errorf("sender %s: %w", from.Address, err)
	}
	for _, to := range e.To {
		a, _ := mail.ParseAddress(to)
		if err := c.Rcpt(a.Address); err != nil {
			return fmt.Errorf("receiver %s: %w", a.Address, err)
		}
	}
	w, err := c.Data()
	if err != nil {
		return err
	}
	if _, err := w.Write(e.message(p)); err != nil {
		return err
	}
	return w.Close()
}

// secure starts TLS, as far as it is asked for and offered.
func (e *email) secure(c *smtp.Client) error {
	offered, _ := c.Extension("STARTTLS")
	switch {
	case e.TLS == TLSStart && !offered:
		return errors.New("the server offers no STARTTLS, which notify_smtp_starttls asks for")
	case e.TLS == TLSStart, e.TLS == TLSAuto && offered:
		if err := c.StartTLS(e.tls()); err != nil {
			return fmt.Errorf("STARTTLS: %w (notify_smtp_tls = none sends in the clear)", err)
		}
	}
	return nil
}

// login gives name and password, by PLAIN or, to servers that know nothing else, by LOGIN. Without TLS no password leaves this machine.
func (e *email) login(c *smtp.Client) error {
	if e.Username == "" {
		return nil
	}
	ok, ways := c.Extension("AUTH")
	if !ok {
		return errors.New("the server takes no login here: leave notify_smtp_username empty, or use STARTTLS")
	}
	_, secure := c.TLSConnectionState()
	if !secure && !loopback(e.Host) {
		return errors.New("the password is not sent without TLS: the server offers none on this port; try 587 or 465")
	}
	var auth smtp.Auth = smtp.PlainAuth("", e.Username, e.Password, e.Host)
	if known := strings.Fields(strings.ToUpper(ways)); !slices.Contains(known, "PLAIN") && slices.Contains(known, "LOGIN") {
		auth = &loginAuth{e.Username, e.Password}
	}
	if err := c.Auth(auth); err != nil {
		return fmt.Errorf("login: %w", err)
	}
	return nil
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// loginAuth answers the two questions of LOGIN.
type loginAuth struct{ name, password string }

func (a *loginAuth) Start(*smtp.ServerInfo) (string, []byte, error) { return "LOGIN", nil, nil }

func (a *loginAuth) Next(question []byte, more bool) ([]byte, error) {
	switch {
	case !more:
		return nil, nil
	case strings.HasPrefix(strings.ToLower(string(question)), "user"):
		return []byte(a.name), nil
	}
	return []byte(a.password), nil
}

// message is what lies in the mailbox. The text goes as base64, so that no line is too long and no byte is touched on the way.
func (e *email) message(p post) []byte {
	subject := e.Subject
	if subject == "" {
		subject = "ralphex: " + p.Line()
	}
	var b strings.Builder
	head := func(name, value string) { fmt.Fprintf(&b, "%s: %s\r\n", name, value) }
	from, _ := mail.ParseAddress(e.From)
	var to []string
	for _, t := range e.To {
		a, _ := mail.ParseAddress(t)
		to = append(to, a.String())
	}
	head("From", from.String())
	head("To", strings.Join(to, ", "))
	head("Subject", mime.QEncoding.Encode("utf-8", strings.Join(strings.Fields(clip(subject, 200)), " ")))
	head("Date", time.Now().Format(time.RFC1123Z))
	head("Message-ID", fmt.Sprintf("<%s.%d@%s>", p.ID, time.Now().UnixNano(), from.Address[strings.LastIndexByte(from.Address, '@')+1:]))
	head("Auto-Submitted", "auto-generated")
	head("MIME-Version", "1.0")
	head("Content-Type", "text/plain; charset=utf-8")
	head("Content-Transfer-Encoding", "base64")
	b.WriteString("\r\n")
	for text := base64.StdEncoding.EncodeToString([]byte(p.text)); text != ""; {
		n := min(76, len(text))
		b.WriteString(text[:n] + "\r\n")
		text = text[n:]
	}
	return []byte(b.String())
}
