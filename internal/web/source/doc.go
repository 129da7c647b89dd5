// Package source finds the runs below watched folders and reads the files that tell of them.
//
//	REPO/.ralph/events/RUN.jsonl          a journal: the record of a run           one Session each:
//	REPO/.ralphex/progress/progress-*.txt the text log, of ralphex or of another   Run     its row in a list
//	ANY/progress-*.txt, progress.txt      tool that writes the public format       Detail  all of it
//	                                                                               Reader  its events
//
// Whatever the file is, what comes out of it are events: a progress file is read into them by textReader. The same file gives the same events with
// the same ids, in whatever parts it is read, by whatever process. A run that has both files is one row, the journal's.
//
// # How little is read
//
// A file that is found is read at both ends, a small one as a whole. All of a larger progress file is read when somebody opens it; larger journals are
// read one after the other in the background, since what a run cost and found stands nowhere else. After that only what was appended is read, and
// only when somebody asks. A Checkpoint is a place in a file, by which reading goes on there; it knows the bytes before it, so a file that was cut or
// replaced is noticed (ErrReplaced).
//
// # Goroutines
//
//	Library.run    one: hears of changes (fsnotify), looks around once a minute, and at processes while somebody listens to Changes
//	  lookAround   one at a time, awaited by run: the scan of all folders
//
// Folders are watched where runs are or may appear, not the whole tree below: roots of projects, the folders of ralphex, and those with matching
// files. Where that is not possible, files are looked at every two seconds.
//
// # Whether a process lives
//
// is told by the lock that a run holds, looked at by a shared lock for a moment, which no run takes for one. For files of another host, and on shares
// whose locks are not seen here, it is unknown, and the view goes by what the file says.
package source
