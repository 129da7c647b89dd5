// Package web is the dashboard's server: a page that watches and steers runs in a browser, and the API below it.
//
//	browser ──► guard ──► routes ──┬─► assets      the page: embedded files, looked up by name
//	                               ├─► public      the addresses of the public ralphex
//	                               ├─► runs, sse   Library, Session: journals and progress files (source, feed)
//	                               ├─► stream      the board: the newest row of each run; Details; a log
//	                               ├─► Facts       plan, diff, outputs: what lies beside a journal
//	                               └─► control     Actions: orders to runs
//
// Library, Session, Facts and Actions are interfaces of this package: internal/cli has what is behind them.
//
// # Who may ask
//
// guard.go judges each request before a route sees it. The Host header has to be a name of this server, which keeps out pages whose own name is made to lead
// here (DNS rebinding); an Origin has to be this server; an order needs an Origin, and a header that only a page of this server can know. A server that others can
// reach wants a token: once as ?token= of the page, then as a cookie that other sites can't use, or as Authorization: Bearer. Tokens are compared in
// constant time, and stand in no log. The page itself and its files need none: they are the same everywhere.
//
// What is served as HTML is index.html and nothing else: no error, no redirect, no text of a run. Its policy lets it run the files that came with it.
//
// # Goroutines
//
//	(1) Serve: the HTTP server; ends with its context, then gives clients DrainFor
//	(2) one a request, by net/http; a stream has up to three more (heart beat, runs, state), and waits for them
//	(3) the board's, for as long as a stream is open: hears what changed in the Library
//
// A client is a position: in the log by the number of the last message, on the board by a version. Nothing is queued for it. Who does not take a message within ten
// seconds is cut off, and goes on by its number.
package web
