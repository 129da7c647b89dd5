// Package control passes orders from other processes to a run.
//
//	ralphex retry-now ──► .ralph/runs/RUN/control/retry-now ──► the run, which removes the file: "heard"
//	ralphex pause     ──► socket, {"order":"pause"}  ─────────► the run: journalled, obeyed
//	                  ◄── {"ok":true,"text":"…"} ─────────────
//
// Which way an order goes is decided by what it is about.
//
// What a run is to know whenever it comes to it (retry-now; additions to its budget are files, too) is a file of that name. It is written
// whole, and stays until a run that listens has taken it, so it survives the death of either side. Listening costs nothing but the watch; where none
// can be had, the folder is looked at each second.
//
// What is about a process that lives (pause, resume, stop, skip) goes through a local socket, which is named in the run lock. A run that is dead or has
// ended is not there, and who gives the order hears that at once: nothing waits for a later run. The order stands in the journal before it is obeyed and
// answered. An answer that is lost leaves the sender unsure; asked again with the same id, the run gives the same answer and obeys once.
//
// The socket has mode 0600 and lies in a folder of mode 0700 that is this user's, outside of the repository, since the path of a socket may have 103
// bytes only. On Linux the run asks the system who speaks, too.
package control
