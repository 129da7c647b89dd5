//go:build linux

package e2e

import (
	"encoding/json"
	"fmt"
	"path/filepath"
)

// agent is one real command line: where it comes from, and how it is pointed at our model.
type agent struct {
	name    string
	pkg     string // of npm
	version string // pinned: docs/agents.md says which ones were run
	needs   int    // major version of Node; newer ones do
	// setup tells environment and files (by their path below HOME) that lead the agent to the model at url, and the settings of
	// ralphex that it needs for that.
	setup func(url, home string) setup
}

type setup struct {
	env    []string
	files  map[string]string
	config string // lines of ralphex's global config
}

// secret is a key that no agent may pass on: its rules drop it.
const secret = "sk-ant-never-to-be-seen"

// agents are all that are run, those first that a change must never break.
var agents = []agent{
	{name: "claude", pkg: "@anthropic-ai/claude-code", version: "2.1.332", setup: func(url, _ string) setup {
		// IS_SANDBOX: it refuses to work unattended as root otherwise. A token and no key, since only subscriptions have limits.
		return setup{env: []string{"ANTHROPIC_BASE_URL=" + url, "CLAUDE_CODE_OAUTH_TOKEN=dummy", "IS_SANDBOX=1", "DISABLE_TELEMETRY=1", "DISABLE_ERROR_REPORTING=1",
			"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1"}}
	}},
	{name: "codex", pkg: "@openai/codex", version: "0.171.0", setup: func(url, _ string) setup {
		return setup{
			env: []string{"FAKE_KEY=dummy"},
			files: map[string]string{".codex/config.toml": fmt.Sprintf("model_provider = \"fake\"\ncheck_for_update_on_startup = false\n[analytics]\nenabled = false\n[features]\nplugins = false\n"+
				"[model_providers.fake]\nname = \"fake\"\nbase_url = \"%s/v1\"\nenv_key = \"FAKE_KEY\"\nwire_api = \"responses\"\nrequest_max_retries = 1\nstream_max_retries = 1\n", url)},
			config: "codex_model = gpt-5.5\n",
		}
	}},
	{name: "gemini", pkg: "@google/gemini-cli", version: "0.61.0", needs: 20, setup: func(url, _ string) setup {
		return setup{
			env:    []string{"GEMINI_API_KEY=dummy", "GOOGLE_GEMINI_BASE_URL=" + url},
			files:  map[string]string{".gemini/settings.json": `{"security":{"auth":{"selectedType":"gemini-api-key"}},"privacy":{"usageStatisticsEnabled":false}}`},
			config: "task_model = gemini-2.5-pro\n",
		}
	}},
	{name: "copilot", pkg: "@github/copilot", version: "1.0.102", needs: 20, setup: func(url, _ string) setup {
		return setup{env: []string{"COPILOT_PROVIDER_BASE_URL=" + url + "/v1", "COPILOT_PROVIDER_TYPE=openai", "COPILOT_PROVIDER_API_KEY=dummy", "COPILOT_MODEL=fake-model", "COPILOT_OFFLINE=true"}}
	}},
	{name: "pi", pkg: "@mariozechner/pi-coding-agent", version: "0.73.1", needs: 20, setup: func(url, _ string) setup {
		return setup{
			env: []string{"PI_OFFLINE=1"},
			files: map[string]string{".pi/agent/models.json": quote(map[string]any{"providers": map[string]any{"fake": map[string]any{
				"baseUrl": url + "/v1", "api": "openai-completions", "apiKey": "dummy",
				"models": []any{map[string]any{"id": "fake-model", "name": "fake", "contextWindow": 200000, "maxTokens": 8000}}}}})},
			config: "pi_args = --provider fake\ntask_model = fake-model\n",
		}
	}},
	{name: "qwen", pkg: "@qwen-code/qwen-code", version: "0.24.4", needs: 20, setup: func(url, _ string) setup {
		return setup{env: []string{"OPENAI_API_KEY=dummy", "OPENAI_BASE_URL=" + url + "/v1", "OPENAI_MODEL=fake-model"}, config: "qwen_args = --auth-type openai\n"}
	}},
	{name: "opencode", pkg: "opencode-ai", version: "1.18.33", setup: func(url, _ string) setup {
		return setup{env: []string{"OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_LSP_DOWNLOAD=1", "OPENCODE_DISABLE_DEFAULT_PLUGINS=1",
			"OPENCODE_CONFIG_CONTENT=" + quote(map[string]any{
				"provider": map[string]any{"fake": map[string]any{"npm": "@ai-sdk/openai-compatible", "name": "fake", "options": map[string]any{"baseURL": url + "/v1", "apiKey": "dummy"},
					"models": map[string]any{"fake-model": map[string]any{"name": "fake", "tool_call": true, "limit": map[string]any{"context": 200000, "output": 8000}}}}},
				"model": "fake/fake-model", "small_model": "fake/fake-model", "autoupdate": false, "share": "disabled", "permission": "allow"})}}
	}},
}

// folder is the place of the agent's installation below the cache.
func (a agent) folder() string { return filepath.Join(cache, a.name+"-"+a.version) }

// bin is the folder of its command.
func (a agent) bin() string { return filepath.Join(a.folder(), "node_modules", ".bin") }

func quote(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}
