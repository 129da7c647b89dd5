// Package notify tells people what became of a run, on the channels that they chose.
//
//	event.Bus ─► Sink ─► Message ─► Notifier ─┬─► telegram  slack  discord  ntfy     a goroutine each,
//	             derives   facts of           ├─► webhook (JSON, signed)  email      a deadline each
//	             occasions the run            └─► custom script  desktop
//	                                             │
//	                                      Sent: what happened on each
//
// A Message is made of events; the template makes a text of it, and each channel sends it in its own way. Nothing is
// contacted before there is something to tell, a channel that fails costs one warning and never a run, and the same thing
// is told once. Sink.Wait gives the last messages their time when the run is over.
package notify
