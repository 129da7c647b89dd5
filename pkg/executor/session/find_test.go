//go:build unix

package session

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestVersionIsAsked(t *testing.T) {
	for body, want := range map[string]string{
		"echo codex-cli 0.171.0":                "0.171.0",
		"echo 'GitHub Copilot CLI 1.0.102.'":    "1.0.102",
		"echo 0.73.1 >&2":                       "0.73.1",
		"echo node 20.1.0 is old >&2; echo 3.4": "3.4.0",
	} {
		got, err := agent(t, body, nil).Version(t.Context())
		require.NoError(t, err, body)
		assert.Equal(t, want, got)
	}
	for _, body := range []string{"echo unknown option, see page 1.2 >&2; exit 1", "true"} {
		_, err := agent(t, body, nil).Version(t.Context())
		require.ErrorContains(t, err, "holds no number", body)
	}
}
