package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"ralphex/internal/ralph/artifact"
)

// register puts what a command has left among the artifacts into other programs' registry: each record, and the text beside it, if there is one. The
// registry is nobody's source of truth: what goes wrong with it is a warning.
func (s *store) register(ctx context.Context, p *Proc, kind string, class artifact.Retention, records ...string) {
	var all []artifact.Entry
	for _, record := range records {
		one := artifact.Entry{Path: record, Type: kind, CreatedAt: time.Now(), Retention: class}
		if class == artifact.OfIteration {
			one.AgentID, one.AgentRole = s.settings.AgentID, s.settings.AgentRole
		}
		text := one
		text.Path, text.Type = strings.TrimSuffix(record, filepath.Ext(record))+".md", kind+"-summary"
		all = append(all, one, text) // what isn't there is passed over
	}
	if err := (artifact.Registry{Layout: s.Layout, Budget: patience}).Register(ctx, all...); err != nil {
		fmt.Fprintf(p.Err, "warning: registry: %v\n", err)
	}
}
