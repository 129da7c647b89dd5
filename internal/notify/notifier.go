package notify

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"text/template"
	"time"
)

// Settings say what is told where. The zero value tells nothing.
type Settings struct {
	Channels []string   // telegram, email, slack, webhook, custom, desktop; in any case
	URLs     []string   // further channels, see ParseURL
	On       []Occasion // what is told; empty = everything
	Timeout  time.Duration
	Template string // text of the template; empty = DefaultTemplate

	TelegramToken, TelegramChat string
	SlackToken, SlackChannel    string
	Mail                        Mail
	WebhookURLs                 []string
	WebhookSecret               string // signs what webhooks get; empty = no signature
	WebhookText                 bool   // the text alone instead of JSON
	Script                      string
	Dir                         string   // working folder of commands
	Env                         []string // their environment; nil = that of this process

	Safe func(string) string // takes secrets out of what is sent; nil = nothing is taken out
}

// DefaultTimeout is how long a channel may take where nothing else is said.
const DefaultTimeout = 10 * time.Second

// channel is one way to one receiver.
type channel interface {
	// kind is the word in notify_channels, or the scheme of notify_urls.
	kind() string
	// place tells people which one it is, without secrets: a host, a chat, a path.
	place() string
	// send delivers a message. It must return when ctx is over. Errors hold no secrets and no addresses with secrets in them.
	send(ctx context.Context, p post) error
}

// post is a message with its text.
type post struct {
	Message
	text string
}

// Notifier sends messages to channels. It holds no connection and no goroutine between two messages.
type Notifier struct {
	channels []channel
	on       []Occasion
	timeout  time.Duration
	template *template.Template
	safe     func(string) string
}

// New reads the settings and contacts nobody. The error joins a *SettingError for each thing that is missing or wrong.
func New(s Settings) (*Notifier, error) {
	n := &Notifier{on: s.On, timeout: s.Timeout, safe: s.Safe}
	if n.timeout <= 0 {
		n.timeout = DefaultTimeout
	}
	if n.safe == nil {
		n.safe = func(text string) string { return text }
	}
	client := &http.Client{CheckRedirect: sameHost}
	var errs []error
	add := func(c channel, err error) {
		if err != nil {
			errs = append(errs, err)
		} else {
			n.channels = append(n.channels, c)
		}
	}
	done := map[string]bool{}
	for _, name := range s.Channels {
		name = strings.ToLower(strings.TrimSpace(name))
		make, ok := makers[name]
		if !ok {
			add(nil, &SettingError{"notify_channels", fmt.Sprintf("unknown notification channel: %q; there are %s, and more by notify_urls", name, strings.Join(kinds(), ", "))})
			continue
		}
		if !done[name] {
			make(s, client, add)
		}
		done[name] = true
	}
	seen := map[string]bool{}
	for i, raw := range s.URLs {
		if raw = strings.TrimSpace(raw); raw == "" || seen[raw] {
			continue
		}
		seen[raw] = true
		c, err := parseURL(raw, s, client)
		if err != nil {
			err = &SettingError{"notify_urls", fmt.Sprintf("number %d: %v", i+1, err)}
		}
		add(c, err)
	}
	var err error
	n.template, err = parseTemplate(s.Template)
	errs = append(errs, err)
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return n, nil
}

// makers make the channels that have keys of their own.
var makers = map[string]func(s Settings, client *http.Client, add func(channel, error)){
	"telegram": func(s Settings, c *http.Client, add func(channel, error)) {
		add(newTelegram(c, s.TelegramToken, s.TelegramChat))
	},
	"slack": func(s Settings, c *http.Client, add func(channel, error)) {
		add(newSlack(c, s.SlackToken, s.SlackChannel))
	},
	"email": func(s Settings, _ *http.Client, add func(channel, error)) { add(newMail(s.Mail)) },
	"webhook": func(s Settings, c *http.Client, add func(channel, error)) {
		if len(s.WebhookURLs) == 0 {
			add(nil, missing("notify_webhook_urls", "webhook"))
		}
		var seen []string
		for _, u := range s.WebhookURLs {
			if !slices.Contains(seen, u) {
				add(newWebhook(c, u, s.WebhookSecret, s.WebhookText))
			}
			seen = append(seen, u)
		}
	},
	"custom":  func(s Settings, _ *http.Client, add func(channel, error)) { add(newScript(s)) },
	"desktop": func(s Settings, _ *http.Client, add func(channel, error)) { add(newDesktop(s), nil) },
}

func kinds() []string {
	var names []string
	for name := range makers {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func missing(key, channel string) error {
	return &SettingError{Key: key, Reason: "is needed for the channel " + channel}
}

// Sent is what happened on one channel.
type Sent struct {
	Channel string        // "webhook"
	Place   string        // "hooks.example.com"
	Err     error         // nil = delivered
	Elapsed time.Duration // until then
}

// Wants tells whether an occasion is told at all.
func (n *Notifier) Wants(o Occasion) bool {
	return len(n.channels) > 0 && (len(n.on) == 0 || slices.Contains(n.on, o))
}

// Channels lists the kinds of what there is, each once, in order.
func (n *Notifier) Channels() []string {
	var names []string
	for _, c := range n.channels {
		if !slices.Contains(names, c.kind()) {
			names = append(names, c.kind())
		}
	}
	return names
}

// Send brings a message to all channels at once, or to those of the kinds that are named, and waits until each has taken it, failed, or used up its
// time. Results are in the order of the settings. notify_on is not asked.
func (n *Notifier) Send(ctx context.Context, m Message, only ...string) []Sent {
	m = n.clean(m)
	p := post{m, n.Text(m)}
	var chosen []channel
	for _, c := range n.channels {
		if len(only) == 0 || slices.Contains(only, c.kind()) {
			chosen = append(chosen, c)
		}
	}
	out := make([]Sent, len(chosen))
	var wg sync.WaitGroup
	for i, c := range chosen {
		wg.Go(func() { out[i] = n.sendOne(ctx, c, p) })
	}
	wg.Wait()
	return out
}

// Text is a message as the channels get it.
func (n *Notifier) Text(m Message) string { return n.safe(render(n.template, n.clean(m))) }

// sendOne gives a channel its own time. A channel that does not heed the end of its time is left alone.
func (n *Notifier) sendOne(ctx context.Context, c channel, p post) Sent {
	start := time.Now()
	ctx, cancel := context.WithTimeoutCause(ctx, n.timeout, fmt.Errorf("no answer within %s", n.timeout))
	defer cancel()
	err := c.send(ctx, p)
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		err = errors.New(n.safe(plain(err.Error(), 5)))
	}
	return Sent{Channel: c.kind(), Place: c.place(), Err: err, Elapsed: time.Since(start)}
}

// clean takes out of a message what others wrote and what must not leave the machine.
func (n *Notifier) clean(m Message) Message {
	m.Reason, m.Next = n.safe(plain(m.Reason, 8)), plain(m.Next, 3)
	m.Plan, m.Branch = plain(m.Plan, 1), plain(m.Branch, 1)
	return m
}
