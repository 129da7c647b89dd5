package lsp

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"ralphex/internal/lsp/jsonrpc"
	"ralphex/pkg/plan/check"
)

// resolvesEdits tells whether the client asks for the edit of an action only when somebody picks it.
func (c *clientCapabilities) resolvesEdits() bool {
	a := &c.TextDocument.CodeAction
	return a.DataSupport && slices.Contains(a.ResolveSupport.Properties, "edit")
}

// codeActions are the fixes of what is wrong in the lines of a range, the fix of everything, and ticks.
func (v view) codeActions(p *codeActionParams) (any, *jsonrpc.Error) {
	out := []codeAction{}
	if !v.options.get().isPlan {
		return out, nil
	}
	wanted := func(kind string) bool {
		return len(p.Context.Only) == 0 || slices.ContainsFunc(p.Context.Only, func(only string) bool {
			return kind == only || strings.HasPrefix(kind, only+".") || only == ""
		})
	}
	if wanted(kindQuickFix) {
		out = append(out, v.quickFixes(p.Range)...)
	}
	if wanted(kindTick) {
		out = append(out, v.ticks(p.Range)...)
	}
	if wanted(kindFixAll) {
		out = append(out, v.fixAll()...)
	}
	return out, nil
}

// quickFixes are the fixes in the lines of a range: an editor that asks for the cursor's place means its line.
func (v view) quickFixes(r Range) []codeAction {
	from, to := v.text.span(r, v.enc)
	first, last := v.text.lineOf(from), v.text.lineOf(to)
	var out []codeAction
	starts, ends := v.text.ruler(v.enc), v.text.ruler(v.enc)
	for _, f := range v.findings.get() {
		if f.Fix == nil || v.text.lineOf(f.Offset) > last || v.text.lineOf(f.Offset+f.Len) < first {
			continue
		}
		out = append(out, codeAction{Title: capital(f.Fix.Title), Kind: kindQuickFix, IsPreferred: true,
			Diagnostics: []diagnostic{v.diagnostic(f, starts, ends)}, Edit: v.edit(f.Fix.Edits)})
	}
	return out
}

// fixAll is the action that repairs all that is certain, if anything is.
func (v view) fixAll() []codeAction {
	n := 0
	for _, f := range v.findings.get() {
		if f.Fix != nil {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	a := codeAction{Title: fmt.Sprintf("Fix all that is certain (%d)", n), Kind: kindFixAll}
	if v.client.resolvesEdits() {
		a.Data = &actionData{URI: v.uri, Version: v.version}
	} else {
		a.Edit = v.edit(v.repairs())
	}
	return []codeAction{a}
}

// uri is the document that an action to resolve belongs to.
func (a *codeAction) uri() string {
	if a.Data == nil {
		return ""
	}
	return a.Data.URI
}

// resolve makes the edit of an action that was given out without one.
func (v view) resolve(a *codeAction) (any, *jsonrpc.Error) {
	if a.Kind != kindFixAll {
		return nil, jsonrpc.Errorf(jsonrpc.InvalidParams, "there is nothing to resolve in a %q", a.Kind)
	}
	if old, now := a.Data.Version, v.version; old != nil && now != nil && *old != *now {
		return nil, jsonrpc.Errorf(jsonrpc.RequestFailed, "the document has changed since the action was offered")
	}
	a.Edit = v.edit(v.repairs())
	return a, nil
}

// repairs are the edits that lead to the repaired text: those of the fixes themselves where one round of them is
// enough, so that the cursor and the folds of an editor stay where they are.
func (v view) repairs() []check.Edit {
	src, want := v.text.bytes, v.fixed.get()
	if edits := check.Edits(v.findings.get()); bytes.Equal(check.Apply(src, edits), want) {
		return edits
	}
	return difference(src, want)
}

// difference is one edit: what stands between the lines that both texts begin and end with.
func difference(src, want []byte) []check.Edit {
	n := min(len(src), len(want))
	a := 0
	for a < n && src[a] == want[a] {
		a++
	}
	a = bytes.LastIndexByte(src[:a], '\n') + 1
	z := 0
	for z < n-a && src[len(src)-1-z] == want[len(want)-1-z] {
		z++
	}
	if z > 0 {
		if i := bytes.IndexByte(src[len(src)-z:], '\n'); i >= 0 {
			z -= i + 1
		} else {
			z = 0
		}
	}
	if a == len(src)-z && a == len(want)-z {
		return nil
	}
	return []check.Edit{{Offset: a, Len: len(src) - z - a, New: string(want[a : len(want)-z])}}
}

// edit is a change of this version of the document, in the words that the client knows.
func (v view) edit(edits []check.Edit) *workspaceEdit {
	r := v.text.ruler(v.enc)
	list := make([]textEdit, 0, len(edits))
	for _, e := range edits {
		list = append(list, textEdit{Range: Range{r.position(e.Offset), r.position(e.Offset + e.Len)}, NewText: e.New})
	}
	if v.client.Workspace.WorkspaceEdit.DocumentChanges {
		return &workspaceEdit{DocumentChanges: []documentEdit{{Document: documentVersion{URI: v.uri, Version: v.version}, Edits: list}}}
	}
	return &workspaceEdit{Changes: map[string][]textEdit{v.uri: list}}
}
