// Package scripts holds the scripts that ralphex brings along.
//
//	hg2git.sh   a Mercurial repository that answers like Git; also for people, as vcs_command
package scripts

import _ "embed"

// Hg2git is hg2git.sh, to be run as `sh -c TEXT hg2git.sh ARGUMENT…`.
//
//go:embed hg2git.sh
var Hg2git string
