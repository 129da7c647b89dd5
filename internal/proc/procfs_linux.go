package proc

import (
	"bytes"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// stat is a process as /proc/PID/stat tells it.
type stat struct {
	pid, ppid, session int
	state              byte // 'Z' = zombie
	start              uint64
	kernel             bool // a thread of the kernel's: it has neither environment nor arguments
	comm               string
}

// kernelThread is the kernel's PF_KTHREAD.
const kernelThread = 0x00200000

// gone tells that the process does nothing any more.
func (s stat) gone() bool { return s.state == 'Z' || s.state == 'X' }

func readStat(pid int) (stat, bool) {
	b, err := os.ReadFile(procPath(pid, "stat"))
	if err != nil {
		return stat{}, false
	}
	return parseStat(b)
}

// parseStat reads "PID (COMM) STATE PPID PGRP SESSION …"; COMM may hold blanks and brackets, START is field 22.
func parseStat(b []byte) (stat, bool) {
	open, end := bytes.IndexByte(b, '('), bytes.LastIndexByte(b, ')')
	if open < 1 || end < open || end+2 > len(b) {
		return stat{}, false
	}
	f := strings.Fields(string(b[end+1:]))
	if len(f) < 20 {
		return stat{}, false
	}
	s := stat{state: f[0][0], comm: string(b[open+1 : end])}
	s.pid, _ = strconv.Atoi(strings.TrimSpace(string(b[:open])))
	s.ppid, _ = strconv.Atoi(f[1])
	s.session, _ = strconv.Atoi(f[3])
	s.start, _ = strconv.ParseUint(f[19], 10, 64)
	flags, _ := strconv.ParseUint(f[6], 10, 64)
	s.kernel = flags&kernelThread != 0
	return s, s.pid > 0
}

// startTime is when a pid began, in clock ticks since boot; 0 = there is none.
func startTime(pid int) uint64 {
	s, _ := readStat(pid)
	return s.start
}

// scan reads all processes.
func scan() []stat {
	d, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer d.Close()
	names, _ := d.Readdirnames(-1)
	var all []stat
	for _, n := range names {
		if pid, err := strconv.Atoi(n); err == nil {
			if s, ok := readStat(pid); ok {
				all = append(all, s)
			}
		}
	}
	return all
}

// childPIDs lists our children, adopted ones too. The kernel keeps them by the thread that made them, and leaves one out when its
// neighbour in the list is reaped meanwhile; so a list counts when it was read twice.
func childPIDs() []int {
	pids := childrenOnce()
	for range 20 {
		again := childrenOnce()
		if slices.Equal(pids, again) {
			break
		}
		pids = again
	}
	return pids
}

func childrenOnce() []int {
	d, err := os.Open("/proc/self/task")
	if err != nil {
		return nil
	}
	defer d.Close()
	tasks, _ := d.Readdirnames(-1)
	var pids []int
	known := false
	for _, t := range tasks {
		b, err := os.ReadFile("/proc/self/task/" + t + "/children")
		if err != nil {
			continue
		}
		known = true
		for _, f := range strings.Fields(string(b)) {
			if pid, err := strconv.Atoi(f); err == nil {
				pids = append(pids, pid)
			}
		}
	}
	if !known { // a kernel without CONFIG_PROC_CHILDREN
		for _, s := range scan() {
			if s.ppid == os.Getpid() {
				pids = append(pids, s.pid)
			}
		}
	}
	slices.Sort(pids)
	return pids
}

// ownChildren lists our children with their start times.
func ownChildren() map[int]uint64 {
	m := map[int]uint64{}
	for _, pid := range childPIDs() {
		m[pid] = startTime(pid)
	}
	return m
}

// descend returns the processes of all that come from roots, without the roots.
func descend(roots map[int]bool, all []stat) []stat {
	kids := map[int][]stat{}
	for _, s := range all {
		kids[s.ppid] = append(kids[s.ppid], s)
	}
	var out []stat
	seen := map[int]bool{}
	var walk func(pid int)
	walk = func(pid int) {
		for _, s := range kids[pid] {
			if !seen[s.pid] && !roots[s.pid] {
				seen[s.pid] = true
				out = append(out, s)
				walk(s.pid)
			}
		}
	}
	for pid := range roots {
		walk(pid)
	}
	return out
}

// execLimit is how long a process may be in the middle of an exec: on a busy machine it may be put aside there.
const execLimit = 500 * time.Millisecond

// markOf returns the mark that a process carries, empty if none. Another user's can't be asked and has none. In the middle of an exec
// environment and arguments are empty, so such a process is looked at again; and so is one that has only arguments, since they may have
// come between the two looks.
func markOf(pid int) string {
	bare := 0 // how often there were arguments only
	for end := time.Now().Add(execLimit); ; {
		env, err := environ(pid)
		if err != nil {
			return ""
		}
		if len(env) > 0 {
			return markIn(env)
		}
		if args, err := os.ReadFile(procPath(pid, "cmdline")); err != nil {
			return ""
		} else if len(args) > 0 {
			bare++
		}
		s, ok := readStat(pid)
		if bare == 5 || !ok || s.gone() || s.kernel || time.Now().After(end) {
			return ""
		}
		time.Sleep(time.Millisecond)
	}
}

// environ reads an environment in one piece. In two, an exec between them would make the rest of it vanish, and our mark is the last.
func environ(pid int) ([]byte, error) {
	for size := 64 << 10; ; size *= 4 {
		f, err := os.Open(procPath(pid, "environ"))
		if err != nil {
			return nil, err
		}
		buf := make([]byte, size)
		n, err := f.Read(buf)
		f.Close()
		if n < size {
			if err == io.EOF {
				err = nil
			}
			return buf[:n], err
		}
	}
}

func markIn(env []byte) string {
	for e := range bytes.SplitSeq(env, []byte{0}) {
		if mark, ok := bytes.CutPrefix(e, []byte(MarkEnv+"=")); ok {
			return string(mark)
		}
	}
	return ""
}

// argv is the command line of a process, its bare name if there is none.
func (s stat) argv() []string {
	b, _ := os.ReadFile(procPath(s.pid, "cmdline"))
	b = bytes.TrimRight(b, "\x00")
	if len(b) == 0 {
		return []string{s.comm}
	}
	return strings.Split(string(b), "\x00")
}

// signal sends to exactly this process, even if its pid is another's by now. The error is EPERM or nil: a process
// that is gone needs no signal.
func (s stat) signal(sig unix.Signal) error {
	fd, err := unix.PidfdOpen(s.pid, 0)
	switch {
	case err == unix.ENOSYS:
		if startTime(s.pid) == s.start {
			err = unix.Kill(s.pid, sig)
		}
	case err == nil:
		if startTime(s.pid) == s.start {
			err = unix.PidfdSendSignal(fd, sig, nil, 0)
		}
		unix.Close(fd)
	}
	if err == unix.EPERM {
		return err
	}
	return nil
}

func procPath(pid int, name string) string { return "/proc/" + strconv.Itoa(pid) + "/" + name }
