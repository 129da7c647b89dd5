package workspace_test

import (
	"os"
	"testing"

	"ralphex/pkg/vcs/vcstest"
)

func TestMain(m *testing.M) { os.Exit(vcstest.Main(m)) }
