package web

import (
	"encoding/json"
	"flag"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/web/view"
)

var update = flag.Bool("update", false, "write the golden files anew")

// operation is one route as the OpenAPI file describes it.
type operation struct {
	method, path, says string
	params             []param
	body               any    // of the request
	answer             any    // JSON; nil = media
	media              string // of an answer that is no JSON
}

type param struct{ name, in, kind, says string }

var (
	theRun   = param{"id", "path", "string", "id of a run, as /api/v1/runs has it"}
	afterSeq = param{"after", "query", "integer", "go on behind this number; the header Last-Event-ID wins"}
)

// operations are the routes. TestEachRouteIsDescribed compares them with those of the server.
var operations = []operation{
	{method: "GET", path: "/", says: "The page. With ?token= a cookie is set, and the answer leads to the page without it.", media: "text/html"},
	{method: "GET", path: "/static/{file}", says: "What the page is made of.", params: []param{{"file", "path", "string", "name of a file"}}, media: "*/*"},
	{method: "GET", path: "/api/sessions", says: "Public: the runs, newest activity first; none on a server of a single run.", answer: []PublicSession{}},
	{method: "GET", path: "/api/plan", says: "Public: the plan of a run.", params: []param{{"session", "query", "string", "id of a run; not needed on a server of a single run"}}, answer: PublicPlan{}},
	{method: "GET", path: "/events", says: "Public: the log of a run as an event stream, numbered from 1; goes on behind Last-Event-ID.",
		params: []param{{"session", "query", "string", "id of a run; not needed on a server of a single run"}, afterSeq}, media: "text/event-stream"},
	{method: "GET", path: "/api/v1/meta", says: "What a client has to know of this server.", answer: Meta{}},
	{method: "GET", path: "/api/v1/openapi.json", says: "This description.", media: "application/json"},
	{method: "GET", path: "/api/v1/runs", says: "The runs, newest activity first.", answer: RunList{}},
	{method: "GET", path: "/api/v1/stream", says: "All that a page hears, in one event stream: runs ({runs}) first, then run (a row that changed) and gone ({id}); with run= also state " +
		"(all of that run, whenever it changed), and without a name its log, as lists of rows with the number of the last one; caught-up when what was there has been told, reset when the file was replaced.",
		params: []param{{"run", "query", "string", "id of the run whose log is wanted"}, afterSeq}, media: "text/event-stream"},
	{method: "GET", path: "/api/v1/runs/{id}", says: "All that is known of a run, but for its log.", params: []param{theRun}, answer: view.Detail{}},
	{method: "GET", path: "/api/v1/runs/{id}/events", says: "The log of a run: with limit= or Accept: application/json a piece of it, else an event stream of all of it and what follows.",
		params: []param{theRun, afterSeq, {"limit", "query", "integer", "how many at most, from 1 to 10000"}}, answer: Events{}},
	{method: "GET", path: "/api/v1/runs/{id}/export", says: "The run as one HTML file that needs nothing else, to be kept or passed on.", params: []param{theRun}, media: "text/html"},
	{method: "GET", path: "/api/v1/runs/{id}/plan", says: "The plan where it lies now: in the worktree, renamed, archived.", params: []param{theRun}, answer: Plan{}},
	{method: "GET", path: "/api/v1/runs/{id}/findings", says: "What reviewers named, and what became of it.", params: []param{theRun}, answer: FindingList{}},
	{method: "GET", path: "/api/v1/runs/{id}/cost", says: "What the run used up, by task, phase and model.", params: []param{theRun}, answer: Cost{}},
	{method: "GET", path: "/api/v1/runs/{id}/diff", says: "What the run changed, or one of its tasks or commits.",
		params: []param{theRun, {"task", "query", "integer", "position of a task, from 1 on"}, {"commit", "query", "string", "a revision of the run"}}, answer: Diff{}},
	{method: "GET", path: "/api/v1/runs/{id}/gates/{seq}/output", says: "What the validation commands of a gate said.",
		params: []param{theRun, {"seq", "path", "integer", "seq of the gate"}, {"command", "query", "integer", "which of its commands, from 1 on; without it all of them"}}, media: "text/plain"},
	{method: "GET", path: "/api/v1/runs/{id}/receipts", says: "What `ralphex receipt --json` prints of the run.", params: []param{theRun}, answer: json.RawMessage{}},
	{method: "GET", path: "/api/v1/runs/{id}/trust", says: "What was meant to happen, what did, and what was mended without being asked.", params: []param{theRun}, answer: Trust{}},
	{method: "POST", path: "/api/v1/runs/{id}/control", says: "Give an order. It needs the header " + csrfHeader + " (from /api/v1/meta) and the Origin of this server.",
		params: []param{theRun}, body: Order{}, answer: Reply{}},
}

// described is the OpenAPI file.
func described() map[string]any {
	schemas := map[string]any{}
	paths := map[string]any{}
	for _, op := range operations {
		one := map[string]any{"summary": op.says, "responses": map[string]any{"200": response(op, schemas), "default": map[string]any{
			"description": "no, and why", "content": jsonContent(errorBody{}, schemas)}}}
		var params []any
		for _, p := range op.params {
			params = append(params, map[string]any{"name": p.name, "in": p.in, "required": p.in == "path", "description": p.says, "schema": map[string]any{"type": p.kind}})
		}
		if params != nil {
			one["parameters"] = params
		}
		if op.body != nil {
			one["requestBody"] = map[string]any{"required": true, "content": jsonContent(op.body, schemas)}
		}
		at, _ := paths[op.path].(map[string]any)
		if at == nil {
			at = map[string]any{}
		}
		at[strings.ToLower(op.method)] = one
		paths[op.path] = at
	}
	return map[string]any{"openapi": "3.1.0", "info": map[string]any{"title": "ralphex dashboard", "version": "1",
		"description": "Runs of ralphex, live and past. Times are RFC 3339, durations (…_ns) nanoseconds, lists never null. Where the server wants a token, send it as Authorization: Bearer TOKEN, or open /?token=TOKEN once."},
		"paths": paths, "components": map[string]any{"schemas": schemas}}
}

func response(op operation, schemas map[string]any) map[string]any {
	r := map[string]any{"description": "it"}
	if op.answer != nil {
		r["content"] = jsonContent(op.answer, schemas)
	} else {
		r["content"] = map[string]any{op.media: map[string]any{}}
	}
	return r
}

func jsonContent(v any, schemas map[string]any) map[string]any {
	return map[string]any{"application/json": map[string]any{"schema": schemaOf(reflect.TypeOf(v), schemas)}}
}

// schemaOf describes a type as encoding/json writes it; structs get a name of their own.
func schemaOf(t reflect.Type, schemas map[string]any) map[string]any {
	switch t {
	case reflect.TypeFor[time.Time]():
		return map[string]any{"type": "string", "format": "date-time"}
	case reflect.TypeFor[json.RawMessage]():
		return map[string]any{}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return schemaOf(t.Elem(), schemas)
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Int, reflect.Int64, reflect.Uint64:
		return map[string]any{"type": "integer"}
	case reflect.Float64:
		return map[string]any{"type": "number"}
	case reflect.String:
		return map[string]any{"type": "string"}
	case reflect.Slice:
		return map[string]any{"type": "array", "items": schemaOf(t.Elem(), schemas)}
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": schemaOf(t.Elem(), schemas)}
	case reflect.Struct:
		return structSchema(t, schemas)
	}
	panic("no schema for " + t.String())
}

func structSchema(t reflect.Type, schemas map[string]any) map[string]any {
	name := t.Name()
	if name != "" {
		if pkg := t.PkgPath(); !strings.HasSuffix(pkg, "/web") {
			name = strings.ToUpper(pkg[strings.LastIndex(pkg, "/")+1:][:1]) + pkg[strings.LastIndex(pkg, "/")+2:] + name
		}
		if schemas[name] != nil {
			return map[string]any{"$ref": "#/components/schemas/" + name}
		}
		schemas[name] = map[string]any{} // it may hold itself
	}
	props, required := map[string]any{}, []string{}
	addFields(t, props, &required, schemas)
	slices.Sort(required)
	s := map[string]any{"type": "object", "properties": props}
	if len(required) > 0 {
		s["required"] = required
	}
	if name == "" {
		return s
	}
	schemas[name] = s
	return map[string]any{"$ref": "#/components/schemas/" + name}
}

func addFields(t reflect.Type, props map[string]any, required *[]string, schemas map[string]any) {
	for f := range t.Fields() {
		tag := f.Tag.Get("json")
		name, opts, _ := strings.Cut(tag, ",")
		if f.Anonymous && name == "" {
			addFields(f.Type, props, required, schemas)
			continue
		}
		if !f.IsExported() || name == "-" {
			continue
		}
		props[name] = schemaOf(f.Type, schemas)
		if !strings.Contains(opts, "omit") {
			*required = append(*required, name)
		}
	}
}

// TestOpenAPI holds the file to the types: each field of each answer is in it.
func TestOpenAPI(t *testing.T) {
	t.Parallel()
	want, err := json.MarshalIndent(described(), "", " ")
	require.NoError(t, err)
	want = append(want, '\n')
	if *update {
		require.NoError(t, os.WriteFile("openapi.json", want, 0o644))
		return
	}
	assert.Equal(t, string(want), string(openAPI), "make golden writes it anew")
}

// TestEachRouteIsDescribed compares the file with what the server answers to.
func TestEachRouteIsDescribed(t *testing.T) {
	t.Parallel()
	var doc struct {
		Paths map[string]map[string]any `json:"paths"`
	}
	text, err := os.ReadFile("openapi.json") // that is written beside this test, with -update
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &doc))
	var written, served []string
	for at, methods := range doc.Paths {
		for m := range maps.Keys(methods) {
			written = append(written, strings.ToUpper(m)+" "+at)
		}
	}
	for _, at := range newTestServer(t, &fakeLibrary{}, Config{}).known {
		at = strings.ReplaceAll(at, "/{$}", "/")
		if strings.HasSuffix(at, "/static/") {
			at += "{file}"
		}
		served = append(served, at)
	}
	assert.ElementsMatch(t, served, written)
}
