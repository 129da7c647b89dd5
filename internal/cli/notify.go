package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync"

	"ralphex/internal/config"
	"ralphex/internal/durable"
	"ralphex/internal/notify"
	"ralphex/internal/redact"
	"ralphex/pkg/event"
	"ralphex/pkg/executor"
)

// newNotifier makes the channels that the settings name, and contacts none of them. root is the repository's, or the working folder; env is
// what commands get. The error names the place of each setting that is missing or wrong.
func newNotifier(cfg *config.Config, root string, env []string) (*notify.Notifier, error) {
	s := notify.Settings{Channels: cfg.NotifyChannels, URLs: cfg.NotifyURLs, Timeout: cfg.NotifyTimeout,
		TelegramToken: cfg.NotifyTelegramToken, TelegramChat: cfg.NotifyTelegramChat, SlackToken: cfg.NotifySlackToken, SlackChannel: cfg.NotifySlackChannel,
		Mail: notify.Mail{Host: cfg.NotifySMTPHost, Port: cfg.NotifySMTPPort, TLS: notify.TLS(cfg.NotifySMTPTLS), Username: cfg.NotifySMTPUsername,
			Password: cfg.NotifySMTPPassword, From: cfg.NotifyEmailFrom, To: cfg.NotifyEmailTo},
		WebhookURLs: cfg.NotifyWebhookURLs, WebhookSecret: cfg.NotifyWebhookSecret, WebhookText: cfg.NotifyWebhookFormat == "text",
		Script: atTop(cfg.NotifyCustomScript, root), Dir: root, Env: env}
	if len(s.Channels)+len(s.URLs) == 0 {
		return notify.New(notify.Settings{})
	}
	if cfg.NotifySMTPStartTLS && s.Mail.TLS == notify.TLSAuto {
		s.Mail.TLS = notify.TLSStart
	}
	if !cfg.IsSet("notify_smtp_port") && s.Mail.TLS == notify.TLSImplicit {
		s.Mail.Port = 0 // the usual one of that way
	}
	s.Safe = redact.New(env, configured(cfg)...).String
	s.On = occasions(cfg)
	text, err := notifyTemplate(cfg.NotifyTemplate, root)
	if err != nil {
		return nil, placed(cfg, &notify.SettingError{Key: "notify_template", Reason: err.Error()})
	}
	s.Template = text
	n, err := notify.New(s)
	if err != nil {
		return nil, placed(cfg, err)
	}
	return n, nil
}

// occasions are what is told: notify_on, or, where nobody has set it, what the two public keys leave of everything.
func occasions(cfg *config.Config) []notify.Occasion {
	on, _ := notify.ParseOccasions(cfg.NotifyOn) // the table of settings knows the words
	if cfg.IsSet("notify_on") {
		return on
	}
	var out []notify.Occasion
	for _, o := range on {
		if o == notify.Success && cfg.NotifyOnComplete || o != notify.Success && cfg.NotifyOnError {
			out = append(out, o)
		}
	}
	if len(out) == 0 {
		out = []notify.Occasion{"nothing"}
	}
	return out
}

// notifyTemplate is the text of the template: the setting itself, or the file that it names.
func notifyTemplate(value, root string) (string, error) {
	if value == "" {
		return "", nil
	}
	if strings.Contains(value, "{{") {
		return strings.ReplaceAll(value, `\n`, "\n"), nil
	}
	if !filepath.IsAbs(value) {
		value = filepath.Join(root, filepath.FromSlash(value))
	}
	text, err := durable.ReadFile(value, 1<<20)
	return string(text), err
}

// placed gives wrong settings of channels the place that they come from.
func placed(cfg *config.Config, err error) error {
	list := []error{err}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		list = joined.Unwrap()
	}
	var out []error
	for _, e := range list {
		if s, ok := errors.AsType[*notify.SettingError](e); ok {
			key := s.Key
			if cfg.Source(key) == "default" {
				key = "notify_channels" // what asks for the one that is missing
				s.Reason = s.Key + " " + s.Reason
			}
			e = cfg.Reject(key, s.Reason)
		}
		out = append(out, e)
	}
	return usage(fmt.Errorf("create notification service: %w", errors.Join(out...)), "docs/notifications.md says what each channel needs; ralphex notify test tries them")
}

// notices tells on the channels what becomes of a run. It never stops it and never makes it wait.
type notices struct {
	to   *notify.Notifier
	sink *notify.Sink

	mu    sync.Mutex
	ended bool     // the run's last event is on its way: who fails now is told of when everything is over
	late  []string // what failed then
}

// checkNotify reads the settings of channels, before anything is touched.
func (j *job) checkNotify(context.Context) error {
	to, err := newNotifier(j.cfg, j.home.Root(), noticeEnv(j.proc.Env, j.cfg))
	if err != nil {
		return err
	}
	j.notices = &notices{to: to}
	return nil
}

// noticeEnv is the environment of the script: without the marks of a session that ralphex may run in, and without the key that agents don't get either.
func noticeEnv(env []string, cfg *config.Config) []string {
	rules := []string{"CLAUDECODE", "CLAUDE_CODE_*"}
	if !cfg.PreserveAnthropicAPIKey {
		rules = append(rules, "ANTHROPIC_API_KEY")
	}
	return withDepth(executor.DropEnv(env, rules...))
}

// attachNotices lets the channels hear of the run.
func (r *running) attachNotices() {
	n := r.notices
	o := notify.SinkOptions{Root: r.home.Root(), Dollars: r.prices.Dollars, Failed: r.noticeFailed}
	if e := r.earlier; e != nil {
		o.Start, o.Usage = e.Start, e.Usage
		if e.Waiting != nil {
			o.Told = []event.Wait{*e.Waiting}
		}
	}
	n.sink = notify.NewSink(n.to, o)
	if len(n.to.Channels()) > 0 {
		r.bus.Attach("notifications", n.sink)
	}
}

// noticeFailed warns of a channel that did not get a message.
func (r *running) noticeFailed(s notify.Sent) {
	n := r.notices
	text := fmt.Sprintf("notification failed for %s (%s): %v", s.Channel, s.Place, s.Err)
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.ended {
		n.late = append(n.late, text)
		return
	}
	r.Emit(0, event.Note{Level: event.Warn, Text: text})
}

// end says that the run's last event comes next.
func (n *notices) end() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.ended = true
}

// finish gives the last messages their time, and tells which were not delivered. The run is over, its lock is free.
func (n *notices) finish(w io.Writer) {
	n.sink.Wait()
	for _, text := range n.late {
		fmt.Fprintf(w, "warning: %s\n", text)
	}
}
