// Package qwen runs sessions of the qwen CLI.
//
//	stdout (-o stream-json) ─► the dialect of package claude: text, tools, usage
//	                           system/retry ─► note;  result ─► failure
//
// The format is claude's, but failures are not: the result's subtype is error_during_execution, its error.message says why.
// A text block may end with an "[API Error: …]" of the CLI's own; it is shown as what it is, a text. After a broken
// connection the delivered part is kept, so the text is repeated within one block.
package qwen
