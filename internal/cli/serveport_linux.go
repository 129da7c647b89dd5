package cli

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// portHolder tells which process of this user listens at a TCP port: "ralphex, pid 4711". Empty = it can't be told.
func portHolder(port int) string {
	sockets := map[string]bool{}
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		listening(table, port, sockets)
	}
	if len(sockets) == 0 {
		return ""
	}
	links, _ := filepath.Glob("/proc/[0-9]*/fd/*") // those of others are not there
	for _, at := range links {
		to, err := os.Readlink(at)
		if err != nil || !sockets[to] {
			continue
		}
		pid := strings.Split(at, "/")[2]
		name, err := os.ReadFile(filepath.Join("/proc", pid, "comm"))
		if err != nil {
			continue
		}
		return fmt.Sprintf("%s, pid %s", strings.TrimSpace(string(name)), pid)
	}
	return ""
}

// listening collects the sockets of a table of the kernel that listen at a port, as links to them read: "socket:[4711]".
func listening(table string, port int, sockets map[string]bool) {
	f, err := os.Open(table)
	if err != nil {
		return
	}
	defer f.Close()
	const local, state, inode, listens = 1, 3, 9, "0A"
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) <= inode || fields[state] != listens {
			continue
		}
		_, hex, _ := strings.Cut(fields[local], ":")
		if at, err := strconv.ParseUint(hex, 16, 16); err == nil && int(at) == port {
			sockets["socket:["+fields[inode]+"]"] = true
		}
	}
}
