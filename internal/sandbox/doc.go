// Package sandbox makes the command that runs ralphex in a container, and decides what the container gets to see.
//
//	the repository, read and write     at the same path, so that paths in journals and worktrees stay true
//	the git folder of a worktree       only if that git folder knows the worktree
//	the settings folder, read only     /run/ralphex/config
//	credentials, one file an agent     /run/ralphex/home/…, each only when it was named
//	folders and files                  each only when it was named
//
// Nothing that lies in the repository chooses a mount: no link, no setting, no plan. A link that leaves the repository leads
// nowhere in the container, and where ralphex itself would follow one, the command is refused.
//
// No process is started here.
package sandbox
