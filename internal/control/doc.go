// Package control passes orders from other processes to a run, as files of a folder that the run watches.
//
//	ralphex retry-now ──► .ralph/runs/RUN/control/retry-now ──► the run, which removes the file: "heard"
//
// An order is a file of that name. It is written whole, and stays until a run that listens has taken it, so it survives the
// death of either side. Listening costs nothing but the watch; where none can be had, the folder is looked at each second.
package control
