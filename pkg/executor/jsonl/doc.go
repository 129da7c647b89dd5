// Package jsonl reads streams of JSON lines that have no bounds: a line may be some bytes or some gigabytes.
//
//	Write ─► Lines ──┬─ ≤ 1 MiB ─► Sink.Line   the bytes; read by hand (Cursor) or by encoding/json (Object)
//	                 ├─ longer  ─► Long        bytes to an unlinked file, a skeleton in memory (long strings cut)
//	                 │              └─► Sink.Long   the skeleton; Long.Each reads a cut string back, piece by piece
//	                 └─ no JSON ─► Sink.Raw    as it comes, in whole runes
//
// Memory is bounded by one line of MaxLine and its skeleton, whatever is printed. It knows no agent: what a line means is
// its sink's.
package jsonl
