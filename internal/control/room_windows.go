package control

import (
	"io/fs"
	"os"
)

// shortTemp has no other place to offer here.
var shortTemp = os.TempDir()

// ownedAlone trusts the folder: the temporary folder is a user's own here.
func ownedAlone(fs.FileInfo) bool { return true }
