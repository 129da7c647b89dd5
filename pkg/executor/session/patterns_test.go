package session

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"ralphex/pkg/executor"
)

func TestPatternsSortWhatNoFieldHasSorted(t *testing.T) {
	p := Patterns{Retry: []string{"FYA_TRANSIENT"}, Limit: []string{"quota gone"}, Error: []string{"admin said no", "Not logged in"}}
	tests := []struct {
		name    string
		class   executor.Class
		message string
		more    string
		want    executor.Class
	}{
		{"retry", executor.ClassCrash, "fya_transient_timeout", "", executor.ClassOverload},
		{"limit", executor.ClassCrash, "Quota Gone until noon", "", executor.ClassLimit},
		{"error", executor.ClassCrash, "exit 1", "the admin said no", executor.ClassRequest},
		{"login, by a pattern", executor.ClassCrash, "Not logged in · Please run /login", "", executor.ClassLogin},
		{"login, without one", executor.ClassCrash, "Invalid API key", "", executor.ClassLogin},
		{"nothing known", executor.ClassCrash, "boom", "", executor.ClassCrash},
		{"sorted by a field already", executor.ClassOverload, "quota gone", "", executor.ClassOverload},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := &executor.Failure{Class: tt.class, Message: tt.message}
			p.Sort(f, tt.more)
			assert.Equal(t, tt.want, f.Class)
		})
	}
	p.Sort(nil, "quota gone") // a session that did not fail is not looked at
}
