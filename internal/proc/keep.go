package proc

import (
	"path"
	"strings"
)

// DefaultKeep lists what agents start by accident and people want to live on: key agents, and git's own housekeeping.
var DefaultKeep = []string{
	"gpg-agent", "keyboxd", "scdaemon", "dirmngr", "ssh-agent",
	"git maintenance", "git gc", "git fsmonitor--daemon", "git credential-cache--daemon", "watchman",
}

// IsKept tells whether a command line is on the list. An entry is a command name, or a name and the words that
// follow it; the folder of the command and options before the words don't matter: "git maintenance" means
// "/usr/bin/git -c x=y maintenance run --auto", too.
func IsKept(argv []string, keep []string) bool {
	for _, entry := range keep {
		if words := strings.Fields(entry); len(words) > 0 && matches(argv, words) {
			return true
		}
	}
	return false
}

func matches(argv, words []string) bool {
	if len(argv) == 0 || path.Base(argv[0]) != words[0] {
		return false
	}
	argv, words = argv[1:], words[1:]
	if len(words) == 0 {
		return true
	}
	for len(argv) > 0 && strings.HasPrefix(argv[0], "-") {
		if (argv[0] == "-c" || argv[0] == "-C") && len(argv) > 1 {
			argv = argv[1:] // git's options that have a value of their own
		}
		argv = argv[1:]
	}
	if len(argv) < len(words) {
		return false
	}
	for i, w := range words {
		if argv[i] != w {
			return false
		}
	}
	return true
}
