// Package feed brings the events of a session to many readers at once, as server-sent events that are encoded once.
//
//	file ──▶ source.Reader ──▶ table of chunks                                one table a format
//	                           ┌────────┬────────┬────────┬─────┐
//	                           │ 1-900  │901-1850│ …      │ open│◀── grows when the file does
//	                           └────────┴────────┴────────┴─────┘
//	                             bytes     bytes   dropped  bytes
//	                               ▲                        ▲ ▲ ▲
//	                            Cursor (late)            Cursors (live)
//
// A reader is a Cursor: the id of the last event that it has, and nothing else. There is no queue: who is slow is behind, and reads on from where it
// was, also after a long time, and also from another process: ids come from the file alone. Whoever is at the end of the table reads the next part
// of the file into it, for all; so an idle feed has no goroutine, and a slow one holds nobody up. Bytes of chunks that nobody read for longest are
// dropped (limits), and made again from the file when somebody comes by.
package feed
