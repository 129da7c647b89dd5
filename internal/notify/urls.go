package notify

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// spelled are the addresses of notify_urls that are understood, as people write them.
var spelled = map[string]string{
	"telegram": "telegram://TOKEN@telegram?chats=CHAT,…",
	"slack":    "slack://xoxb:REST-OF-TOKEN@CHANNEL or slack://hook:A-B-C@webhook",
	"discord":  "discord://TOKEN@ID",
	"ntfy":     "ntfy://[USER:PASSWORD@]HOST/TOPIC or ntfy://TOPIC",
	"smtp":     "smtp://[USER:PASSWORD@]HOST[:PORT]/?from=…&to=…,…",
	"generic":  "generic://HOST/PATH",
	"https":    "https://HOST/PATH",
	"desktop":  "desktop://",
}

// readers read them, in the spelling that the shoutrrr library made common, and a few shorter ones.
var readers = map[string]func(u *url.URL, s Settings, client *http.Client) ([]channel, error){
	"telegram": telegramURL, "slack": slackURL, "discord": discordURL, "ntfy": ntfyURL, "smtp": mailURL,
	"generic": genericURL, "generic+http": genericURL, "generic+https": genericURL, "http": genericURL, "https": genericURL,
	"desktop": func(_ *url.URL, s Settings, _ *http.Client) ([]channel, error) { return []channel{newDesktop(s)}, nil },
}

// Forms lists the addresses of notify_urls that are understood.
func Forms() []string {
	var out []string
	for _, name := range []string{"telegram", "slack", "discord", "ntfy", "smtp", "generic", "https", "desktop"} {
		out = append(out, spelled[name])
	}
	return out
}

// parseURL reads one address. Errors do not repeat it: it holds secrets.
func parseURL(raw string, s Settings, client *http.Client) (channel, error) {
	scheme, _, ok := strings.Cut(raw, "://")
	if !ok {
		return nil, errors.New("not an address; write one like " + spelled["ntfy"])
	}
	read, known := readers[strings.ToLower(scheme)]
	if !known {
		return nil, fmt.Errorf("no channel is called %q; there are %s", scheme, strings.Join(Forms(), ", "))
	}
	u, err := url.Parse(raw)
	if err != nil {
		return nil, errors.New("not readable as an address" + shape(scheme))
	}
	u.Scheme = strings.ToLower(u.Scheme)
	list, err := read(u, s, client)
	if err != nil {
		return nil, err
	}
	if len(list) == 1 {
		return list[0], nil
	}
	return several(list), nil
}

func wrong(scheme string) error { return errors.New("the form is " + spelled[scheme]) }

// shape is the form of a scheme as the end of a sentence.
func shape(scheme string) string {
	if form := spelled[strings.ToLower(scheme)]; form != "" {
		return "; the form is " + form
	}
	return ""
}

func telegramURL(u *url.URL, _ Settings, client *http.Client) ([]channel, error) {
	q := u.Query()
	chats := words(q.Get("chats") + "," + q.Get("channels"))
	if u.User == nil || len(chats) == 0 {
		return nil, wrong("telegram")
	}
	token := u.User.Username()
	if rest, ok := u.User.Password(); ok {
		token += ":" + rest // a bot's token has a colon in it
	}
	var out []channel
	for _, chat := range chats {
		c, err := newTelegram(client, token, chat)
		if err != nil {
			return nil, wrong("telegram")
		}
		out = append(out, c)
	}
	return out, nil
}

func slackURL(u *url.URL, _ Settings, client *http.Client) ([]channel, error) {
	if u.User == nil || u.Host == "" {
		return nil, wrong("slack")
	}
	name := u.User.Username()
	rest, ok := u.User.Password()
	switch {
	case ok && name == "hook":
		parts := strings.Split(rest, "-")
		if len(parts) != 3 {
			return nil, wrong("slack")
		}
		return []channel{&slack{client: client, api: "https://hooks.slack.com/services/" + strings.Join(parts, "/")}}, nil
	case ok && strings.HasPrefix(name, "xox"):
		c, err := newSlack(client, name+"-"+strings.TrimPrefix(rest, "-"), u.Host)
		return []channel{c}, err
	}
	return nil, wrong("slack")
}

func discordURL(u *url.URL, _ Settings, client *http.Client) ([]channel, error) {
	if u.User == nil || u.Host == "" {
		return nil, wrong("discord")
	}
	address := "https://discord.com/api/webhooks/" + url.PathEscape(u.Host) + "/" + url.PathEscape(u.User.Username())
	if thread := u.Query().Get("thread_id"); thread != "" {
		address += "?thread_id=" + url.QueryEscape(thread)
	}
	return []channel{&discord{client, address}}, nil
}

func ntfyURL(u *url.URL, _ Settings, client *http.Client) ([]channel, error) {
	q := u.Query()
	topic := strings.Trim(u.Path, "/")
	host := u.Host
	if topic == "" { // ntfy://TOPIC
		host, topic = "ntfy.sh", u.Host
	}
	if topic == "" || strings.Contains(topic, "/") {
		return nil, wrong("ntfy")
	}
	h := http.Header{}
	if u.User != nil {
		password, _ := u.User.Password()
		if name := u.User.Username(); name != "" {
			h = basic(name, password)
		} else {
			h.Set("Authorization", "Bearer "+password)
		}
	}
	for _, name := range []string{"title", "priority", "tags", "click", "icon"} {
		if v := q.Get(name); v != "" {
			h.Set(strings.ToUpper(name[:1])+name[1:], v)
		}
	}
	return []channel{&ntfy{client, cmp.Or(q.Get("scheme"), "https") + "://" + host + "/" + url.PathEscape(topic), h}}, nil
}

func basic(name, password string) http.Header {
	req := http.Request{Header: http.Header{}}
	req.SetBasicAuth(name, password)
	return req.Header
}

func mailURL(u *url.URL, _ Settings, _ *http.Client) ([]channel, error) {
	q := u.Query()
	m := Mail{Host: u.Hostname(), From: cmp.Or(q.Get("from"), q.Get("fromaddress")), To: words(cmp.Or(q.Get("to"), q.Get("toaddresses"))), Subject: q.Get("subject")}
	m.Port, _ = strconv.Atoi(u.Port())
	if u.User != nil {
		m.Username = u.User.Username()
		m.Password, _ = u.User.Password()
	}
	switch strings.ToLower(q.Get("encryption")) {
	case "none":
		m.TLS = TLSNone
	case "explicittls":
		m.TLS = TLSStart
	case "implicittls":
		m.TLS = TLSImplicit
	}
	c, err := newMail(m)
	if err != nil {
		return nil, fmt.Errorf("%w%s", err, shape("smtp"))
	}
	return []channel{c}, nil
}

// genericURL is a webhook. Queries that begin with @ are headers; disabletls and template are shoutrrr's.
func genericURL(u *url.URL, s Settings, client *http.Client) ([]channel, error) {
	q, h := u.Query(), http.Header{}
	w := *u
	w.Scheme = strings.TrimPrefix(u.Scheme, "generic+")
	if w.Scheme == "generic" {
		w.Scheme = "https"
		if on, _ := strconv.ParseBool(q.Get("disabletls")); on || strings.EqualFold(q.Get("disabletls"), "yes") {
			w.Scheme = "http"
		}
	}
	if strings.HasPrefix(u.Scheme, "generic") {
		for name, values := range q {
			if key, ok := strings.CutPrefix(name, "@"); ok {
				h[http.CanonicalHeaderKey(key)] = values
				q.Del(name)
			}
		}
		for _, name := range []string{"disabletls", "template", "contenttype", "method"} {
			q.Del(name)
		}
		w.RawQuery = q.Encode()
	}
	if _, err := webAddress(w.String()); err != nil {
		return nil, wrong("https")
	}
	return []channel{&webhook{client: client, address: w.String(), header: h, secret: s.WebhookSecret, text: s.WebhookText}}, nil
}

// words splits a list at commas.
func words(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ' ' })
}
