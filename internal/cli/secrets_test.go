package cli

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/config"
	"ralphex/pkg/event"
)

// passed is what comes out of the net, as text: each Output, | at its end, … where its line goes on.
func passed(t *testing.T, in ...event.Data) string {
	t.Helper()
	cfg, _, err := config.Load(config.Options{Flags: map[string]string{"notify_slack_token": "from-settings"}})
	require.NoError(t, err)
	s := newSecrets([]string{"MY_TOKEN=abcdefgh-ijkl"}, cfg)
	var b strings.Builder
	for _, d := range in {
		s.Pass(d, func(d event.Data) {
			switch d := d.(type) {
			case event.Output:
				b.WriteString(d.Text)
				if d.Partial {
					b.WriteString("…")
				}
			case event.Note:
				b.WriteString("note " + d.Text)
			case event.Finding:
				b.WriteString("finding " + d.Text + " " + d.Reason)
			case event.ReviewRound:
				b.WriteString("round " + d.Words)
			case event.Commit:
				b.WriteString("commit " + d.Message + " " + strings.Join(d.Paths, " "))
			default:
				b.WriteString(string(d.Kind()))
			}
			b.WriteString("|")
		})
	}
	return b.String()
}

func TestSecretsInPieces(t *testing.T) {
	part := func(s string) event.Data { return event.Output{Text: s, Partial: true} }
	line := func(s string) event.Data { return event.Output{Text: s} }
	for _, tt := range []struct {
		name, want string
		in         []event.Data
	}{
		{"lines", "one||two|", []event.Data{line("one"), line(""), line("two")}},
		{"a secret in a line", "x [redacted:MY_TOKEN] y|", []event.Data{line("x abcdefgh-ijkl y")}},
		{"one of the settings", "[redacted:setting]|", []event.Data{line("from-settings")}},
		{"in deltas", "the …|[redacted:MY_TOKEN] is it|", []event.Data{part("the abc"), part("defgh-"), part("ij"), line("kl is it")}},
		{"none after all", "the …|abcX|", []event.Data{part("the abc"), line("X")}},
		{"what is held comes before what ends the text", "the …|abc…|session_end|", []event.Data{part("the abc"), event.SessionEnd{}}},
		{"a fact in the middle of it doesn't", "the …|tick|[redacted:MY_TOKEN]|", []event.Data{part("the abc"), event.Tick{}, line("defgh-ijkl")}},
		{"two sources", "a …|[redacted:MY_TOKEN]|[redacted:MY_TOKEN]|",
			[]event.Data{part("a abc"), event.Output{Text: "abcdefgh-ijkl", Source: event.FromStderr}, line("defgh-ijkl")}},
		{"facts of reviews", "finding [redacted:MY_TOKEN] x [redacted:MY_TOKEN]|round [redacted:MY_TOKEN]|",
			[]event.Data{event.Finding{Text: "abcdefgh-ijkl x", Reason: "abcdefgh-ijkl"}, event.ReviewRound{Words: "abcdefgh-ijkl"}}},
		{"other facts", "note no [redacted:MY_TOKEN]|commit [redacted:MY_TOKEN] a/abcdefgh-ijkl|",
			[]event.Data{event.Note{Text: "no abcdefgh-ijkl"}, event.Commit{Message: "abcdefgh-ijkl", Paths: []string{"a/abcdefgh-ijkl"}}}},
	} {
		assert.Equal(t, tt.want, passed(t, tt.in...), tt.name)
	}
}
