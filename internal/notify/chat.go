package notify

import (
	"context"
	"encoding/json"
	"errors"
	"mime"
	"net/http"
	"net/url"
	"strings"
)

// telegram sends by a bot.
type telegram struct {
	client      *http.Client
	api         string
	token, chat string
}

func newTelegram(client *http.Client, token, chat string) (channel, error) {
	if token == "" {
		return nil, missing("notify_telegram_token", "telegram")
	}
	if chat == "" {
		return nil, missing("notify_telegram_chat", "telegram")
	}
	return &telegram{client, "https://api.telegram.org", token, chat}, nil
}

func (t *telegram) kind() string  { return "telegram" }
func (t *telegram) place() string { return t.chat }

func (t *telegram) send(ctx context.Context, p post) error {
	_, err := callJSON(ctx, t.client, t.api+"/bot"+url.PathEscape(t.token)+"/sendMessage", nil, map[string]any{
		"chat_id": t.chat, "text": clip(p.text, 4096), "link_preview_options": map[string]bool{"is_disabled": true}})
	return err
}

// slack sends by a bot's token to a channel, or to the address of an incoming webhook.
type slack struct {
	client         *http.Client
	api            string
	token, channel string // empty: api is a webhook
}

func newSlack(client *http.Client, token, to string) (channel, error) {
	if token == "" {
		return nil, missing("notify_slack_token", "slack")
	}
	if to == "" {
		return nil, missing("notify_slack_channel", "slack")
	}
	return &slack{client, "https://slack.com/api/chat.postMessage", token, to}, nil
}

func (s *slack) kind() string { return "slack" }
func (s *slack) place() string {
	if s.channel == "" {
		return hostOf(s.api)
	}
	return s.channel
}

func (s *slack) send(ctx context.Context, p post) error {
	// Their three characters of markup; everything else is shown as it is.
	text := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(clip(p.text, 4000))
	if s.channel == "" {
		_, err := callJSON(ctx, s.client, s.api, nil, map[string]any{"text": text})
		return err
	}
	a, err := callJSON(ctx, s.client, s.api, http.Header{"Authorization": {"Bearer " + s.token}},
		map[string]any{"channel": s.channel, "text": text, "unfurl_links": false, "unfurl_media": false})
	if err != nil {
		return err
	}
	var said struct {
		OK    bool
		Error string
	}
	if json.Unmarshal(a.body, &said) != nil {
		return errors.New("the answer is not one of Slack's")
	}
	if !said.OK {
		return errors.New(plain(said.Error, 1) + map[string]string{"not_in_channel": ": invite the bot to the channel", "channel_not_found": ": give its ID, C…, and invite the bot"}[said.Error])
	}
	return nil
}

// discord sends to a webhook of a Discord channel.
type discord struct {
	client  *http.Client
	address string
}

func (d *discord) kind() string  { return "discord" }
func (d *discord) place() string { return hostOf(d.address) }

func (d *discord) send(ctx context.Context, p post) error {
	_, err := callJSON(ctx, d.client, d.address, nil, map[string]any{"username": "ralphex", "content": clip(p.text, 2000),
		"allowed_mentions": map[string]any{"parse": []string{}}})
	return err
}

// ntfy sends to a topic of ntfy.sh, or of a server of one's own.
type ntfy struct {
	client  *http.Client
	address string // with the topic
	header  http.Header
}

func (n *ntfy) kind() string  { return "ntfy" }
func (n *ntfy) place() string { return hostOf(n.address) }

func (n *ntfy) send(ctx context.Context, p post) error {
	h := n.header.Clone()
	h.Set("Content-Type", "text/plain; charset=utf-8")
	if h.Get("Title") == "" {
		h.Set("Title", mime.QEncoding.Encode("utf-8", p.Title()))
	}
	if h.Get("Priority") == "" && p.Occasion != Success && p.Occasion != Abort {
		h.Set("Priority", "high")
	}
	_, err := call(ctx, n.client, n.address, h, []byte(clip(p.text, 4000)))
	return err
}
