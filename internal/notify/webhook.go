package notify

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"time"
)

// Result is what webhooks get and scripts read on their standard input: the fields of the public ralphex, and ours.
type Result struct {
	Status    string `json:"status"` // success, failure; waiting while the run is not over
	Mode      string `json:"mode"`
	PlanFile  string `json:"plan_file"`
	Branch    string `json:"branch"`
	Duration  string `json:"duration"` // "5m30s"
	Files     int    `json:"files"`
	Additions int    `json:"additions"`
	Deletions int    `json:"deletions"`
	Error     string `json:"error,omitempty"`

	Version int       `json:"version"` // of what follows
	ID      string    `json:"id"`
	Time    time.Time `json:"time"`
	Event   Occasion  `json:"event"`
	Run     string    `json:"run"`
	Project string    `json:"project"`
	Host    string    `json:"host"`
	Plan    string    `json:"plan"`
	Outcome string    `json:"outcome,omitempty"`
	Reason  string    `json:"reason,omitempty"`
	Done    int       `json:"tasks_done"`
	Total   int       `json:"tasks_total"`
	Seconds float64   `json:"duration_seconds"`
	CostUSD float64   `json:"cost_usd,omitempty"`
	Tokens  int64     `json:"tokens,omitempty"`
	Next    string    `json:"next,omitempty"`
	// Text is the rendered template; chat servers that take JSON look for it under one of these two names.
	Text    string `json:"text"`
	Content string `json:"content"`
}

func (p post) result() Result {
	r := Result{Status: p.Status(), Mode: p.Mode, PlanFile: p.PlanFile, Branch: p.Branch, Duration: p.Duration.String(), Files: p.Files, Additions: p.Added, Deletions: p.Deleted,
		Version: 1, ID: p.ID, Time: p.Time.UTC(), Event: p.Occasion, Run: p.Run, Project: p.Project, Host: p.Host, Plan: p.Plan, Outcome: p.Outcome, Reason: p.Reason,
		Done: p.Done, Total: p.Total, Seconds: p.Duration.Seconds(), CostUSD: p.Cost, Tokens: p.Tokens, Next: p.Next, Text: p.text, Content: clip(p.text, 2000)}
	if r.Status == "failure" {
		r.Error = p.Reason
	}
	return r
}

// webhook posts the result to an address.
type webhook struct {
	client  *http.Client
	address string
	header  http.Header
	secret  string
	text    bool
}

func newWebhook(client *http.Client, address, secret string, text bool) (channel, error) {
	if _, err := webAddress(address); err != nil {
		return nil, &SettingError{"notify_webhook_urls", err.Error()}
	}
	return &webhook{client: client, address: address, secret: secret, text: text}, nil
}

func (w *webhook) kind() string  { return "webhook" }
func (w *webhook) place() string { return hostOf(w.address) }

// SignatureHeader holds "sha256=" and the HMAC of the body in hexadecimal, as many receivers check it already. A
// receiver that fears repetitions looks at id and time in the body.
const SignatureHeader = "X-Ralphex-Signature-256"

func (w *webhook) send(ctx context.Context, p post) error {
	body, kind := []byte(p.text), "text/plain; charset=utf-8"
	if !w.text {
		var err error
		if body, err = json.Marshal(p.result()); err != nil {
			return err
		}
		kind = "application/json; charset=utf-8"
	}
	h := w.header.Clone()
	if h == nil {
		h = http.Header{}
	}
	h.Set("Content-Type", kind)
	h.Set("X-Ralphex-Event", string(p.Occasion))
	h.Set("X-Ralphex-Delivery", p.ID)
	if w.secret != "" {
		h.Set(SignatureHeader, sign(w.secret, body))
	}
	_, err := call(ctx, w.client, w.address, h, body)
	return err
}

func sign(secret string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	return "sha256=" + hex.EncodeToString(mac.Sum(nil))
}
