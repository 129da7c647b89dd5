package lsp

import (
	"encoding/json"
	"maps"

	"ralphex/pkg/plan/check"
)

// settings are what a client may ask for, in initializationOptions or as "ralphex" in didChangeConfiguration. What
// is not given stays as the configuration has it.
type settings struct {
	Profile    check.Profile             `json:"profile"`    // strict or run
	Severities map[string]check.Severity `json:"severities"` // by rule: error, warning, note, off
	Deep       *bool                     `json:"deep"`       // look for the executables of validation commands
}

// readSettings reads settings. What cannot be read is logged and counts as nothing: editors send an empty list for
// an empty table, and a slip of the pen must not leave anybody without a server.
func (s *server) readSettings(raw json.RawMessage) *settings {
	if len(raw) == 0 || string(raw) == "null" || string(raw) == "[]" {
		return nil
	}
	v := &settings{}
	if err := json.Unmarshal(raw, v); err != nil {
		s.log.Warn("settings that cannot be read", "error", err)
		return nil
	}
	return v
}

// over lays what the client asks for over the options of the configuration. A word that nobody knows changes
// nothing: an editor's settings must not make the server fail.
func (s *settings) over(o check.Options) check.Options {
	if s == nil {
		return o
	}
	if s.Profile == check.Strict || s.Profile == check.Run {
		o.Profile = s.Profile
	}
	if s.Deep != nil {
		o.Deep = *s.Deep
	}
	if len(s.Severities) > 0 {
		o.Severities = maps.Clone(o.Severities)
		if o.Severities == nil {
			o.Severities = map[string]check.Severity{}
		}
		for id, sev := range s.Severities {
			switch sev {
			case check.Error, check.Warning, check.Note, check.Off:
				o.Severities[id] = sev
			}
		}
	}
	return o
}
