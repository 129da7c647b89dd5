// Package lazyregexp compiles regular expressions when they are first used, and not when the program starts: `ralphex
// --version` must not pay for what `ralphex convert` needs.
//
//	var stepLine = lazyregexp.New(`^Step \d+`)    costs nothing
//	stepLine.MatchString(s)                       compiles once, then is regexp.Regexp
package lazyregexp
