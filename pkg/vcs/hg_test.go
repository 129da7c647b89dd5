package vcs_test

import (
	"testing"

	"ralphex/pkg/vcs/vcstest"
)

func TestHgContract(t *testing.T) {
	vcstest.NeedHg(t)
	contract(t, vcstest.Backend{Name: "hg", New: vcstest.NewHgPerson, Open: opener(""),
		Lacks: []string{"commit odd names", "status tells a rename",
			"commits are signed where the user says so"}})
}
