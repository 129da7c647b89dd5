package iteration

import (
	"os"
	"path/filepath"
	"time"

	"ralphex/internal/durable"
	"ralphex/internal/ralph/layout"
	"ralphex/internal/ralph/stable"
)

// AcceptedContract is the task of the contract between roles that the role has accepted and that has not expired, the newest of them; "" = there is none. A contract
// for the task that was selected is the one that counts, whatever else was accepted. Contracts are only read here: people and other programs make them.
func AcceptedContract(l layout.Layout, role, selected string, now time.Time) string {
	entries, _ := os.ReadDir(l.Handoffs) // sorted by name; a missing folder has none
	newest, found := "", ""
	for _, e := range entries {
		if !e.Type().IsRegular() || filepath.Ext(e.Name()) != ".json" {
			continue
		}
		o := stable.ObjectOf(durable.ReadFile(filepath.Join(l.Handoffs, e.Name()), maxHandoff))
		if o.Text("status") != "accepted" || o.Text("toRole") != role || o.Text("taskId") == "" {
			continue
		}
		if end, ok := stable.ParseTime(o.Text("expiresAt")); ok && !now.Before(end) {
			continue
		}
		if o.Text("taskId") == selected {
			return selected
		}
		if at := o.Text("createdAt"); at >= newest {
			newest, found = at, o.Text("taskId")
		}
	}
	return found
}
