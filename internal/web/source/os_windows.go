package source

// noWait is not needed: a pipe has no name in a folder here.
const noWait = 0
