// Package jsonrpc reads and writes the messages of JSON-RPC 2.0 as the Language Server Protocol frames them.
//
//	Content-Length: 52\r\n            ┐ header: lines of at most 1 KiB, at most 16 of them;
//	\r\n                              ┘ a bare LF is taken, too
//	{"jsonrpc":"2.0","id":1,"method":"shutdown"}
//	   │
//	Reader.Read ─► body ─► Decode ─► Message   request       method and id
//	   │                      │                notification  method alone
//	   │                      │                response      id, and result or error
//	   │                      └─► *Error       the body is no message: answer it and go on
//	   ├─► *TooLargeError                      the body was skipped: the stream is still in step
//	   └─► *FrameError, io.EOF                 nothing can be read any more
//
// What a length says is trusted only as far as bytes follow: nothing is allocated for a mere promise.
package jsonrpc
