// Package stable reads and writes the JSON of JavaScript, to the byte. The files of the .ralph store carry hashes over their bytes, and another
// program that runs on a JavaScript runtime reads and writes the same files: what JSON.parse takes is taken here, and what
// JSON.stringify(v, null, 2) prints is printed here.
//
//	bytes ──Parse──▶ *Object, *Array, string, float64, bool, nil ──Marshal──▶ bytes
//	                 keys keep case and order                       two spaces, one "\n" at the end
//	                 each value knows its byte offset               < > & U+2028 stay as they are
//	                 │
//	                 └─Lines.Position──▶ line, column (in UTF-16 units) for a person
//
// Cursor takes the same texts and gives one value after the other to a reader that knows what it wants, without the tree.
//
// Where it differs from JSON.parse: text that is no UTF-8 is refused with its place (a runtime would put U+FFFD in its
// stead, and the next write would lose the bytes), and so are values that lie deeper than MaxDepth.
//
// A lone surrogate ("\ud800" without its half), which has no UTF-8, is kept in a Go string in the three bytes that
// UTF-8 would give its number, and is written as the escape again.
//
// The package also has the words of that runtime which the store's rules are told in: Trim, UTF16Len, CutUTF16, Time, ParseTime, and
// Hash, Text for files.
package stable
