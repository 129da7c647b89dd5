//go:build !linux

package proc

import "os"

// No subreaper here: children that left the group stay unseen.
func adoptOrphans() bool          { return false }
func ownChildren() map[int]uint64 { return nil }
func widen(*os.File)              {}
func (ch *child) awaitExit()      { ch.waitErr = ch.cmd.Wait() }
func (ch *child) wait()           {}
