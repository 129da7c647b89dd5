// Command ralphex works a Markdown plan off with a coding agent and proves each task itself.
package main

import (
	"os"

	"ralphex/internal/cli"
)

func main() {
	os.Exit(cli.Main(os.Args[1:], cli.Process()))
}
