package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"ralphex/pkg/executor/executortest"
)

func TestMain(m *testing.M) {
	testscript.Main(serving{m}, map[string]func(){
		"ralphex":    main,
		"interfered": interfered,
		"claude":     executortest.Main,
	})
}

// TestScripts runs the stories: the real binary, a scratch repository, real git, and a scripted agent.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		Setup:               setup,
		Cmds:                commands,
		Condition:           condition,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		ContinueOnError:     false,
		UpdateScripts:       os.Getenv("UPDATE_SCRIPTS") != "",
	})
}
