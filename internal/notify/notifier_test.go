package notify

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWhatIsMissingIsSaidAtOnce(t *testing.T) {
	t.Parallel()
	_, err := New(Settings{Channels: []string{"Telegram", "slack", "email", "webhook", "custom", "foo"}, URLs: []string{"x"}, Template: "{{.Nonsense}}"})
	for _, want := range []string{
		"notify_telegram_token: is needed for the channel telegram", "notify_slack_token: is needed", "is needed for the channel email",
		"notify_webhook_urls: is needed", "notify_custom_script: is needed", `unknown notification channel: "foo"; there are custom, desktop, email, slack, telegram, webhook`,
		"notify_urls: number 1: ", "notify_template: ", "Nonsense",
	} {
		require.ErrorContains(t, err, want)
	}
	var one *SettingError
	require.ErrorAs(t, err, &one)

	for key, s := range map[string]Settings{
		"notify_telegram_chat": {Channels: []string{"telegram"}, TelegramToken: "x"},
		"notify_slack_channel": {Channels: []string{"slack"}, SlackToken: "x"},
		"notify_email_from":    {Channels: []string{"email"}, Mail: Mail{Host: "h", From: "nobody", To: []string{"a@b"}}},
		"notify_email_to":      {Channels: []string{"email"}, Mail: Mail{Host: "h", From: "a@b", To: []string{"nobody"}}},
		"notify_webhook_urls":  {Channels: []string{"webhook"}, WebhookURLs: []string{"ftp://x"}},
		"notify_template":      {Template: "{{if}"},
	} {
		_, err := New(s)
		require.ErrorAs(t, err, &one, key)
		assert.Equal(t, key, one.Key)
	}
}

func TestChannelsOnce(t *testing.T) {
	t.Parallel()
	n, err := New(Settings{Channels: []string{"webhook", "WEBHOOK"}, WebhookURLs: []string{"https://a/1", "https://a/1", "https://a/2"}, URLs: []string{"ntfy://t", "ntfy://t"}})
	require.NoError(t, err)
	assert.Len(t, n.channels, 3)
	assert.Equal(t, []string{"webhook", "ntfy"}, n.Channels())
}

func TestOccasionWords(t *testing.T) {
	t.Parallel()
	got, err := ParseOccasions([]string{"Success", " needs-input"})
	require.NoError(t, err)
	assert.Equal(t, []Occasion{Success, NeedsInput}, got)
	_, err = ParseOccasions([]string{"sucess"})
	require.EqualError(t, err, `notify_on: "sucess" is no occasion; there are success, failure, abort, needs-input, limit, login, budget`)
}

func TestTemplateOfOnesOwn(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "{{.Title}}: {{.Line}}{{if .Cost}}{{end}}"} {
		_, err := parseTemplate(text)
		require.NoError(t, err)
	}
	tmpl, err := parseTemplate(`{{.Occasion}} {{.Done}}/{{.Total}} {{.Status}} {{.Line}}`)
	require.NoError(t, err)
	assert.Equal(t, "limit 2/3 failure feature: stopped at a usage limit on this-machine: this is a test\n", render(tmpl, Sample(Limit)))
}

// What an agent wrote can't blow a message up, or write into somebody's terminal.
func TestTextsOfOthersAreTamed(t *testing.T) {
	t.Parallel()
	n := notifier(t, nil)
	m := Sample(Failure)
	m.Reason = "a\x1b[2Jb\x00" + strings.Repeat("x\n", 50) + strings.Repeat("é", 5000)
	got := n.clean(m).Reason
	assert.True(t, strings.HasPrefix(got, "a[2Jbx\n"), got)
	assert.LessOrEqual(t, len(got), 1500)
	assert.Equal(t, 9, strings.Count(got, "\n")+1)
	assert.Equal(t, "é …", clip("éééééé", 7), "not in the middle of a letter")
}
