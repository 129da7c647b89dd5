package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"ralphex/internal/web"
)

// The dashboard is at home here, unless somebody says otherwise: the public defaults.
const (
	webHost = "127.0.0.1"
	webPort = 8080
)

// listener is a dashboard that has its port, and answers nobody yet.
type listener struct {
	net.Listener
	host  string // as the person named it
	port  int
	token string // empty = this machine alone can reach it
}

// listenWeb takes the port of a dashboard. Nothing else may have been touched before: a taken port is an error that costs nothing.
func listenWeb(ctx context.Context, host string, port int) (*listener, error) {
	if port < 0 || port > 65535 {
		return nil, usage(fmt.Errorf("--port %d: a port is a number from 0 to 65535", port), "--port 0 takes any that is free")
	}
	host = cmp.Or(bare(host), webHost) // an empty variable means none, and not all addresses
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", net.JoinHostPort(host, strconv.Itoa(port)))
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		text := fmt.Sprintf("start dashboard: port %d on %s is taken", port, host)
		if who := portHolder(port); who != "" {
			text += " by " + who
		}
		return nil, usage(errors.New(text), "--port 0 takes any that is free; what is served there: "+address(host, port))
	case errors.Is(err, syscall.EACCES):
		return nil, usage(fmt.Errorf("start dashboard: port %d needs rights that you do not have", port), "take one from 1024 on, or --port 0")
	case err != nil:
		return nil, usage(fmt.Errorf("start dashboard at %s: %w", net.JoinHostPort(host, strconv.Itoa(port)), err), "--host names an address of this machine: 127.0.0.1, or 0.0.0.0 for all of them")
	}
	at := &listener{Listener: l, host: host, port: l.Addr().(*net.TCPAddr).Port}
	if !web.IsLoopback(host) {
		at.token = web.NewToken()
	}
	return at, nil
}

// bare is a host without the brackets that an IPv6 address has in a link.
func bare(host string) string {
	if in, ok := strings.CutPrefix(host, "["); ok && strings.HasSuffix(in, "]") && strings.Contains(in, ":") {
		return strings.TrimSuffix(in, "]")
	}
	return host
}

// address is how a browser gets to a server. What answers to the usual address of this machine is called localhost; other addresses that only this machine
// has (127.0.0.2, ::1) are not: that name may lead to another server.
func address(host string, port int) string {
	ip := net.ParseIP(host)
	if host == "" || ip != nil && (ip.IsUnspecified() || ip.Equal(net.IPv4(127, 0, 0, 1))) {
		host = "localhost"
	}
	return "http://" + net.JoinHostPort(host, strconv.Itoa(port))
}

// link is the address to open, with the token if there is one.
func (l *listener) link() string { return l.withToken(address(l.host, l.port)) }

func (l *listener) withToken(at string) string {
	if l.token == "" {
		return at
	}
	return at + "/?token=" + url.QueryEscape(l.token)
}

// elsewhere are the links for other devices: one for each address of this machine, if it listens on all of them.
func (l *listener) elsewhere() []string {
	tcp, ok := l.Addr().(*net.TCPAddr)
	if !ok || !tcp.IP.IsUnspecified() {
		return nil
	}
	all, _ := net.InterfaceAddrs() // a machine that does not tell has no links for others
	var links []string
	for _, a := range all {
		n, ok := a.(*net.IPNet)
		if ok && !n.IP.IsLoopback() && !n.IP.IsLinkLocalUnicast() {
			links = append(links, l.withToken("http://"+net.JoinHostPort(n.IP.String(), strconv.Itoa(l.port))))
		}
	}
	slices.SortStableFunc(links, func(a, b string) int { return cmp.Compare(len(a), len(b)) }) // the short ones are those that people type
	return links
}

// openBrowser shows the page in the person's browser.
func openBrowser(ctx context.Context, p *Proc, link string) error {
	argv := []string{"xdg-open", link}
	switch runtime.GOOS {
	case "darwin":
		argv[0] = "open"
	case "windows":
		argv = []string{"rundll32", "url.dll,FileProtocolHandler", link}
	}
	if own := getenv(p.Env, "BROWSER"); own != "" {
		argv = []string{own, link}
	}
	cmd := exec.CommandContext(context.WithoutCancel(ctx), argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = os.TempDir(), p.Env
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("--open: no browser could be started: %w", err)
	}
	go func() { _ = cmd.Wait() }() // how it ends is the person's business
	return nil
}
