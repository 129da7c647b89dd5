package opencode

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"ralphex/pkg/executor"
)

// Nobody answers questions, so tools are allowed; what the user set stays.
func TestAllowAll(t *testing.T) {
	for _, tt := range []struct{ old, want string }{
		{"", `{"permission":"allow"}`},
		{`{"model":"a/b"}`, `{"model":"a/b","permission":"allow"}`},
		{`{"permission":{"bash":"deny"}}`, `{"permission":{"bash":"deny"}}`},
		{`not json`, `not json`},
	} {
		env := []string{"A=1"}
		if tt.old != "" {
			env = append(env, configVar+"="+tt.old)
		}
		assert.Equal(t, tt.want, executor.Getenv(allowAll(env), configVar), tt.old)
		assert.Equal(t, "1", executor.Getenv(allowAll(env), "A"))
	}
}
