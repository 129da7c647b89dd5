package proc

import (
	"path/filepath"
	"strings"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// enclosure is the job that a child and all that it starts are in. It ends with its last handle: when this process is
// killed, so are they.
type enclosure struct{ job windows.Handle }

// mostMembers is how many processes of a job are listed at once.
const mostMembers = 1024

// members is JOBOBJECT_BASIC_PROCESS_ID_LIST.
type members struct {
	Assigned, Listed uint32
	PIDs             [mostMembers]uintptr
}

// enclose puts the child into a job. What it starts within its first instants may be outside of it; taskkill finds that as
// long as the child lives. Where there can be no job, taskkill is all there is.
func (ch *child) enclose() {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return
	}
	if limitJob(job, windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE) != nil || assign(job, ch.cmd.Process.Pid) != nil {
		_ = windows.CloseHandle(job)
		return
	}
	ch.job = job
}

func limitJob(job windows.Handle, flags uint32) error {
	var info windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	info.BasicLimitInformation.LimitFlags = flags
	_, err := windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation, uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
	return err
}

func assign(job windows.Handle, pid int) error {
	h, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(pid))
	if err != nil {
		return err
	}
	defer windows.CloseHandle(h)
	return windows.AssignProcessToJobObject(job, h)
}

// killJob kills all that are in the job; it tells whether there is one.
func (ch *child) killJob() bool {
	return ch.job != 0 && windows.TerminateJobObject(ch.job, 1) == nil
}

// inJob lists the processes of the job other than the child itself.
func (ch *child) inJob() []int {
	var list members
	err := windows.QueryInformationJobObject(ch.job, windows.JobObjectBasicProcessIdList, uintptr(unsafe.Pointer(&list)), uint32(unsafe.Sizeof(list)), nil)
	if err != nil && err != windows.ERROR_MORE_DATA {
		return nil
	}
	var out []int
	for _, pid := range list.PIDs[:min(list.Listed, mostMembers)] {
		if int(pid) != ch.proc.PID {
			out = append(out, int(pid))
		}
	}
	return out
}

// sweep kills what the child left in its job, but for what is kept, and reports it. Nothing here can be asked to end: a
// program without a window does not hear it.
func (ch *child) sweep() []Survivor {
	if ch.job == 0 {
		return nil
	}
	met := map[int]*Survivor{}
	var order []int
	for giveUp := time.Now().Add(stuckAfter); ; {
		again := false
		for _, pid := range ch.inJob() {
			v := met[pid]
			if v == nil {
				v = &Survivor{PID: pid, Command: imageOf(pid), Action: Killed}
				name := strings.TrimSuffix(strings.ToLower(filepath.Base(v.Command)), ".exe")
				if IsKept([]string{name}, ch.Keep) {
					v.Action = Kept
				}
				met[pid], order = v, append(order, pid)
			}
			if v.Action == Kept {
				continue
			}
			if !kill(pid) || time.Now().After(giveUp) {
				v.Action = Alive
				continue
			}
			again = true
		}
		if !again {
			break
		}
		<-time.After(10 * time.Millisecond)
	}
	var out []Survivor
	for _, pid := range order {
		if met[pid].Action == Kept {
			_ = limitJob(ch.job, 0) // it lives on when the job's handle is closed
		}
		out = append(out, *met[pid])
	}
	_ = windows.CloseHandle(ch.job)
	ch.job = 0
	return out
}

func kill(pid int) bool {
	h, err := windows.OpenProcess(windows.PROCESS_TERMINATE, false, uint32(pid))
	if err != nil {
		return false
	}
	defer windows.CloseHandle(h)
	return windows.TerminateProcess(h, 1) == nil
}

// imageOf is the program of a process, empty where it can't be told.
func imageOf(pid int) string {
	h, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return ""
	}
	defer windows.CloseHandle(h)
	name := make([]uint16, windows.MAX_LONG_PATH)
	size := uint32(len(name))
	if windows.QueryFullProcessImageName(h, 0, &name[0], &size) != nil {
		return ""
	}
	return windows.UTF16ToString(name[:size])
}

// startTime is when a process began, in units of 100 ns, 0 where it can't be told.
func startTime(pid int) uint64 {
	h, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return 0
	}
	defer windows.CloseHandle(h)
	var created, exited, kernel, user windows.Filetime
	if windows.GetProcessTimes(h, &created, &exited, &kernel, &user) != nil {
		return 0
	}
	return uint64(created.HighDateTime)<<32 | uint64(created.LowDateTime)
}
