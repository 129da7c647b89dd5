package cli

import (
	"net"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAddressOfAServer(t *testing.T) {
	for _, tt := range []struct{ host, want string }{
		{"", "http://localhost:80"},
		{"localhost", "http://localhost:80"},
		{"127.0.0.1", "http://localhost:80"},
		{"0.0.0.0", "http://localhost:80"},
		{"::", "http://localhost:80"},
		{"127.0.0.2", "http://127.0.0.2:80"}, // nobody listens at 127.0.0.1
		{"::1", "http://[::1]:80"},
		{"192.168.1.4", "http://192.168.1.4:80"},
	} {
		assert.Equal(t, tt.want, address(tt.host, 80), tt.host)
	}
}

// The link that is printed leads to the server that printed it.
func TestLinksLeadToTheServer(t *testing.T) {
	for _, host := range []string{"", "localhost", "127.0.0.1", "127.0.0.2", "::1", "[::1]", "0.0.0.0", "::"} {
		l, err := net.Listen("tcp", net.JoinHostPort(bare(host), "0"))
		if err != nil {
			t.Logf("this machine has no %s: %v", host, err)
			continue
		}
		require.NoError(t, l.Close())
		at, err := listenWeb(t.Context(), host, 0)
		require.NoError(t, err, host)
		answers := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })}
		ended := make(chan error, 1)
		go func() { ended <- answers.Serve(at) }()
		resp, err := http.Get(at.link())
		if assert.NoError(t, err, host) {
			assert.Equal(t, http.StatusTeapot, resp.StatusCode, host)
			assert.NoError(t, resp.Body.Close())
		}
		require.NoError(t, answers.Close())
		require.ErrorIs(t, <-ended, http.ErrServerClosed)
	}
}

func TestHostsMayHaveBrackets(t *testing.T) {
	for host, want := range map[string]string{"[::1]": "::1", "::1": "::1", "[::]": "::", "localhost": "localhost", "[localhost]": "[localhost]", "[": "[", "": ""} {
		assert.Equal(t, want, bare(host))
	}
}
