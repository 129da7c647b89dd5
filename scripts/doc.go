// Package scripts holds the scripts that ralphex brings along.
//
//	hg2git.sh          a Mercurial repository that answers like Git; also for people, as vcs_command
//	sandbox-start.sh   the first process of a container of `ralphex sandbox`; the image has it, the program doesn't
package scripts

import _ "embed"

// Hg2git is hg2git.sh, to be run as `sh -c TEXT hg2git.sh ARGUMENT…`.
//
//go:embed hg2git.sh
var Hg2git string
