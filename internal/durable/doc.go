// Package durable puts bytes on disk so that they are there, or not there, whatever happens in between.
//
// It has four verbs, and everything that ralphex keeps goes through one of them:
//
//	write a file whole    WriteFile, Dir.WriteFile    .name.tmp-RANDOM ─ write ─ fsync ─ close ─ rename ─ fsync folder
//	append a record       Log, LineReader             one write(2) a batch of lines; a torn end is cut off at open
//	lock, and say why     Acquire, Probe              OS lock on the file + who holds it, as JSON, in the file
//	keep to a folder      Dir                         os.Root: no name and no symlink leads out of it
//
// A crash of the process at any point leaves the old bytes or the new ones. A crash of the machine does the same for
// what was synced: whole files always are; a Log is when its owner calls Sync.
//
// # A log's tail
//
//	{"v":1,…}\n
//	{"v":1,…}\n
//	{"v":1,"seq"          ◀── the process died here: dropped at the next OpenLog, and by LineReader
//
// A broken line anywhere else is not ours to repair: readers report it as a *CorruptError with its offset.
package durable
