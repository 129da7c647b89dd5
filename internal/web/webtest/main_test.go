package webtest

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"ralphex/internal/cli"
	"ralphex/pkg/executor/executortest"
)

// closing ends the browser behind the last test: testscript.Main ends the process itself.
type closing struct{ *testing.M }

func (m closing) Run() int {
	code := m.M.Run()
	quitBrowser()
	return code
}

func TestMain(m *testing.M) {
	testscript.Main(closing{m}, map[string]func(){
		"ralphex": func() { os.Exit(cli.Main(os.Args[1:], cli.Process())) },
		"claude":  executortest.Main,
	})
}
