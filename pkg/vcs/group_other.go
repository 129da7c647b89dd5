//go:build !unix

package vcs

import "os/exec"

// ownGroup does nothing: there are no process groups, and cancelling kills the command itself.
func ownGroup(*exec.Cmd) {}

func killGroup(*exec.Cmd) {}
