package term

import "os"

// ForgetInput drops what was typed and nobody has read yet, as the system keeps it. In a file or a pipe it drops nothing.
func ForgetInput(in *os.File) { forgetInput(int(in.Fd())) }
